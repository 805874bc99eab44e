import type { SampleLooks } from './compare-sample.ts';
import { type LookPorts, lookAtPage } from './look-at-page.ts';
import { chooseSample, type HonestySample, type SampledPage } from './sample.ts';

export interface NextSample extends Pick<HonestySample, 'seq' | 'seed' | 'turn'> {
  /** Among these. */
  readonly urls: readonly string[];
  readonly size: number;
  /** Pages that were just read and need not be read again. */
  readonly looks: SampleLooks;
}

/** How many unreadable pages are skipped at most. */
const SPARE_PAGES = 10;

/** Chooses new, unpredictable pages and reads them. */
export async function takeSample(next: NextSample, ports: LookPorts): Promise<HonestySample> {
  const { urls, size, looks, seq, seed, turn } = next;
  const pages: SampledPage[] = [];
  for (const url of chooseSample(urls, { seed, turn, size: size + SPARE_PAGES })) {
    if (pages.length >= size) break;
    const look = looks.get(url) ?? (await lookAtPage(url, undefined, ports));
    if (look.is === 'page') pages.push(look.sampled);
  }
  return { atMs: ports.now(), seq, seed, turn, pages };
}
