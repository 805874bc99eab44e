import type { Change } from '../../../model/change.ts';
import type { ExportWorld } from '../../shelf.ts';
import { aicfLine } from '../events/aicf-line.ts';
import { hasChange } from './feed-shelf.ts';
import { ALL_FEED, type FeedStores, type MarkedFeed, type MarkedFeeds } from './feed-store.ts';

/** A feed as derived from the log. */
export interface LogFeed {
  readonly name: string;
  /** The id of its last line, and its length. */
  readonly version: { readonly tag: string; readonly bytes: number };
  read(): Promise<Uint8Array>;
}

interface Tail {
  readonly marked: MarkedFeed | undefined;
  readonly texts: string[];
  bytes: number;
  lastId: string;
}

type LogWorld = Pick<ExportWorld, 'readChanges' | 'logStart' | 'sources'>;

/** The feeds of a generation, in order of their names: of all sources, of watched sources, and of sources that ever changed. */
export async function feedsOfLog(
  stores: FeedStores,
  generation: number,
  world: LogWorld,
): Promise<ReadonlyMap<string, LogFeed>> {
  const base = world.logStart()?.seq ?? 0;
  const marks = await trustedMarks(stores, generation, { ...world, base });
  const tails = new Map<string, Tail>();
  const tailOf = (name: string): Tail => {
    const known = tails.get(name) ?? { marked: undefined, texts: [], bytes: 0, lastId: '' };
    tails.set(name, known);
    return known;
  };
  tailOf(ALL_FEED);
  for (const { id } of world.sources()) tailOf(id);
  for (const marked of marks?.feeds ?? []) {
    tails.set(marked.name, { marked, texts: [], bytes: marked.bytes, lastId: marked.lastId });
  }
  for await (const change of world.readChanges(marks?.seq ?? base)) {
    for (const name of [ALL_FEED, change.source]) addLine(tailOf(name), change);
  }
  const named = [...tails].sort(([one], [other]) => (one < other ? -1 : 1));
  return new Map(named.map(([name, tail]) => [name, logFeed(name, tail, { ...world, base })]));
}

/** Undefined if no mark is valid: then all feeds are derived from the log. */
async function trustedMarks(
  stores: FeedStores,
  generation: number,
  { readChanges, base }: LogWorld & { readonly base: number },
): Promise<MarkedFeeds | undefined> {
  const marks = await stores.marked(generation);
  if (marks === undefined || marks.seq < base) return undefined;
  if (marks.seq === base) return marks;
  return (await hasChange(readChanges, marks.seq, marks.id)) ? marks : undefined;
}

function addLine(tail: Tail, change: Change): void {
  if (change.seq <= (tail.marked?.seq ?? 0)) return;
  const text = aicfLine(change);
  if (text === undefined) return;
  tail.texts.push(text);
  tail.bytes += Buffer.byteLength(text);
  tail.lastId = change.id;
}

function logFeed(name: string, tail: Tail, world: LogWorld & { readonly base: number }): LogFeed {
  const { marked, texts, lastId, bytes } = tail;
  return {
    name,
    version: { tag: lastId, bytes },
    async read() {
      const written =
        marked === undefined ? new Uint8Array() : ((await marked.read()) ?? (await derived(marked, world)));
      return Buffer.concat([written, Buffer.from(texts.join(''))]);
    },
  };
}

/** The marked lines, derived again if the file does not hold them. */
async function derived(
  { name, seq }: MarkedFeed,
  { readChanges, base }: LogWorld & { readonly base: number },
): Promise<Uint8Array> {
  const lines: string[] = [];
  for await (const change of readChanges(base)) {
    if (change.seq > seq) break;
    if (name === ALL_FEED || change.source === name) lines.push(aicfLine(change) ?? '');
  }
  return Buffer.from(lines.join(''));
}
