import type { FeedOffer } from '../../dialects/reader.ts';
import { FeedUnreadableError } from '../../errors/feed-error.ts';
import type { Change } from '../../model/change.ts';
import { findOffer } from '../find-offer.ts';
import { handOn } from '../hand-on.ts';
import type { Reading } from '../reading.ts';
import { compareSample, lookAtSample } from './compare-sample.ts';
import { countVerdicts, type HonestyReport } from './honesty-report.ts';
import { loadSample, saveSample } from './sample.ts';
import { type SitePorts, sampledSite } from './sampled-site.ts';
import { takeSample } from './take-sample.ts';

export interface HonestyQuestion {
  readonly url: URL;
  /** The only dialect to look for. */
  readonly dialect?: string | undefined;
  /** The number of pages to sample. */
  readonly size: number;
}

export interface HonestyPorts extends Omit<Reading, 'rules'>, Pick<SitePorts, 'client'> {
  /** What the feed has reported after that place of the log, in order. */
  readonly claims: (after: number) => AsyncIterable<Change>;
  /** Returns an unpredictable text; called once. */
  readonly newSeed: () => string;
  readonly onStatus: (line: string) => void;
}

/**
 * Checks whether the feed of a site reports changes truthfully: reads the pages of the last sample, then the feed, and compares what it reported
 * since. Then chooses other pages for the next time. Throws if the feed, or all pages, cannot be read.
 */
export async function checkHonesty(
  { url, size, dialect }: HonestyQuestion,
  ports: HonestyPorts,
): Promise<HonestyReport> {
  const before = await loadSample(ports.state, url.href);
  if (before !== undefined) ports.onStatus(`${url.href}: reading the pages of the last sample`);
  const looks = await lookAtSample(before, ports);
  ports.onStatus(`${url.href}: reading the feed`);
  const { dialect: name, offer } = await findOffer({ url, dialect }, ports);
  const told = await readClaims(offer, name, ports);
  const claims = told.filter(({ seq }) => seq > (before?.seq ?? 0));
  const verdicts = before === undefined ? [] : await compareSample(before, looks, { ...ports, claims });
  ports.onStatus(`${url.href}: choosing and reading pages`);
  const seed = before?.seed ?? ports.newSeed();
  const urls = await sampledSite(url, told.flatMap(pagesOf), ports);
  const sample = await takeSample(
    { urls, size, looks, seq: told.at(-1)?.seq ?? 0, seed, turn: (before?.turn ?? -1) + 1 },
    ports,
  );
  if (sample.pages.length === 0 && verdicts.length === 0) {
    throw new FeedUnreadableError(url.href, 'has no page that can be read, so that nothing can be compared.');
  }
  await saveSample(ports.state, sample, { address: url.href });
  return { url: url.href, dialect: name, ...countVerdicts(verdicts, sample.pages.length), pages: verdicts };
}

function pagesOf({ kind, url, action }: Change): readonly string[] {
  return kind === 'page' && action !== 'delete' ? [url] : [];
}

/** Reads the new part of the feed, and returns everything that it ever reported. */
async function readClaims(offer: FeedOffer, dialect: string, ports: HonestyPorts): Promise<readonly Change[]> {
  const entries = new Set<string>();
  const batches = noting(offer.read(), (entry) => entries.add(entry));
  for await (const _ of handOn(batches, { dialect, content: false }, ports)) {
    // What it tells is in the log when the next one is asked for.
  }
  const sources = new Set<string>();
  for (const entry of entries) sources.add((await ports.state.find(entry))?.source ?? '');
  const told: Change[] = [];
  for await (const change of ports.claims(0)) if (sources.has(change.source)) told.push(change);
  return told;
}

async function* noting(
  batches: ReturnType<FeedOffer['read']>,
  note: (entry: string) => void,
): ReturnType<FeedOffer['read']> {
  try {
    for (let next = await batches.next(); ; next = await batches.next()) {
      if (next.done) return next.value;
      note(next.value.entry);
      yield next.value;
    }
  } finally {
    await batches.return({});
  }
}
