import { hash } from 'node:crypto';
import { isRecord } from '../../codecs/primitives/json-record.ts';
import { decodePageRecord, decodeRecordStart } from '../../log/pages-file.ts';
import type { PageOutline } from '../../model/page.ts';
import type { FollowState } from '../follow-state.ts';

/** Pages as they were at one look, to be compared with what a feed tells until the next one. */
export interface HonestySample {
  readonly atMs: number;
  /** The newest change that the feed had told by then. */
  readonly seq: number;
  /** What the choice of pages goes by. Nobody who publishes knows it. */
  readonly seed: string;
  /** How many samples there were before. */
  readonly turn: number;
  readonly pages: readonly SampledPage[];
}

/** A page as it was read; `record` is its line as pages.ndjson has it. */
export interface SampledPage {
  readonly url: string;
  readonly atMs: number;
  readonly record: string;
}

const DIALECT = 'honesty';

/** Which pages are looked at: the same for the same seed and turn, and no more predictable than those are. */
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

/** The last sample of the feed at an address; it stands in the state of whoever reads the feed, as a memory of our own. */
export async function loadSample(
  state: Pick<FollowState, 'find'>,
  address: string,
): Promise<HonestySample | undefined> {
  const known = await state.find(entryOf(address));
  return known?.dialect === DIALECT ? sampleOf(known.memory) : undefined;
}

/** Nothing of it is told to anybody. `source` is whose the state is; absent where it is of several. */
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

/** Undefined for what is none: then a new one is taken. */
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
