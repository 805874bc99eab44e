import { hash } from 'node:crypto';
import { isRecord } from '../../codecs/primitives/json-record.ts';
import { decodePageRecord, decodeRecordStart } from '../../log/pages-file.ts';
import type { PageOutline } from '../../model/page.ts';
import type { FollowState } from '../follow-state.ts';

/** Pages at one look, to be compared with what a feed reports until the next one. */
export interface HonestySample {
  readonly atMs: number;
  /** The newest change that the feed had reported by then. */
  readonly seq: number;
  /** The secret that determines the choice of pages. No publisher knows it. */
  readonly seed: string;
  /** The number of earlier samples. */
  readonly turn: number;
  readonly pages: readonly SampledPage[];
}

/** A page as it was read; `record` is its line in the form of pages.ndjson. */
export interface SampledPage {
  readonly url: string;
  readonly atMs: number;
  readonly record: string;
}

const DIALECT = 'honesty';

/** The pages to look at: the same for the same seed and turn, and as unpredictable as these. */
export function chooseSample(
  urls: Iterable<string>,
  { seed, turn, size }: Pick<HonestySample, 'seed' | 'turn'> & { readonly size: number },
): readonly string[] {
  const rank = (url: string) => hash('sha256', `${seed} ${turn} ${url}`, 'hex');
  const ranked = Array.from(new Set(urls), (url) => ({ url, rank: rank(url) }));
  return ranked
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, size)
    .map(({ url }) => url);
}

export function outlineOf({ record }: SampledPage): PageOutline | undefined {
  const start = decodeRecordStart(Buffer.from(record));
  return start === undefined ? undefined : decodePageRecord(start);
}

/** The last sample of the feed at a URL; it is stored in the reader's state as a separate memory. */
export async function loadSample(
  state: Pick<FollowState, 'find'>,
  address: string,
): Promise<HonestySample | undefined> {
  const known = await state.find(entryOf(address));
  return known?.dialect === DIALECT ? sampleOf(known.memory) : undefined;
}

/** Saves a sample; it is not delivered to anybody. `source` is the source that the state belongs to; absent if it has several. */
export async function saveSample(
  state: Pick<FollowState, 'commit'>,
  sample: HonestySample,
  { address, source = `honesty_${hash('sha256', address, 'hex').slice(0, 16)}` }: SamplePlace,
): Promise<void> {
  const memory = { ...sample };
  const nothing = { seenIds: [], checksums: [], items: [], pending: [], settledIds: [], changes: [] };
  await state.commit({ ...nothing, state: { source, entry: entryOf(address), dialect: DIALECT, memory } });
}

export interface SamplePlace {
  readonly address: string;
  readonly source?: string;
}

function entryOf(address: string): string {
  return `${DIALECT} ${address}`;
}

/** Undefined for an invalid value: then a new sample is taken. */
function sampleOf(value: unknown): HonestySample | undefined {
  if (!isRecord(value)) return undefined;
  const { atMs, seq, seed, turn, pages } = value;
  const isWhole = [atMs, seq, turn].every(Number.isFinite) && typeof seed === 'string' && Array.isArray(pages);
  if (!isWhole) return undefined;
  return {
    atMs: Number(atMs),
    seq: Number(seq),
    turn: Number(turn),
    seed,
    pages: pages.flatMap((page: unknown) => (isSampledPage(page) ? [page] : [])),
  };
}

function isSampledPage(value: unknown): value is SampledPage {
  return (
    isRecord(value) && typeof value.url === 'string' && typeof value.record === 'string' && Number.isFinite(value.atMs)
  );
}
