import { type Buckets, GLOBAL_ID, type SourceEntry } from '../../../codecs/diffdelta/wire.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';
import { globalBuckets, sourcesOf } from './global-run.ts';
import {
  bucketsOf,
  changedFeed,
  deltaCountsOf,
  type EntryFacts,
  entryOf,
  type MadeFeed,
  narrativeOf,
  type PrecedingFeed,
  type RunCursors,
} from './make-feed.ts';
import type { RunItem } from './run-items.ts';

export interface RunFacts {
  readonly source: string;
  /** The time of the changes in the run. */
  readonly time: string;
  readonly items: readonly RunItem[];
  readonly root: string;
  readonly ttlSec: number;
  /** The status of the source. */
  readonly facts: EntryFacts;
}

/** A run as the feed of its source. */
export function sourceRunFeed(run: RunFacts, before: PrecedingFeed | undefined): MadeFeed {
  const { source, items, root, ttlSec } = run;
  return changedFeed({
    name: source,
    root,
    ttlSec,
    before,
    buckets: bucketsOf(items),
    sourcesIncluded: [source],
    narrative: narrativeOf(source, items),
    atMs: timeOf(run),
    sources: (cursors) => ({ [source]: runEntry(run, cursors) }),
  });
}

/** The entry of a source in the feed of one of its runs. */
export function runEntry(run: RunFacts, { cursor, prevCursor }: RunCursors): SourceEntry {
  const { source, items, root, ttlSec, facts } = run;
  const delta_counts = deltaCountsOf(items);
  return entryOf(source, facts, { root, ttlSec, changed: true, cursor, prev_cursor: prevCursor, delta_counts });
}

export interface GlobalRun extends RunFacts {
  /** The entry of the source that has the run. */
  readonly entry: SourceEntry;
  /** The entry of another source that has items in the feed. None of those changed in this run. */
  readonly entryOfOther: (source: string) => SourceEntry | undefined;
}

/** The same run as the feed of all sources, with the entries of those that have items in it. */
export function globalRunFeed(run: GlobalRun, before: PrecedingGlobal | undefined): MadeFeed {
  const { source, entry, entryOfOther } = run;
  return feedOfAll(run, before, (included) => {
    const entries = included.flatMap((id) => {
      const found = id === source ? entry : entryOfOther(id);
      return found === undefined ? [] : [[id, found] as const];
    });
    return Object.fromEntries(entries);
  });
}

/** Without `buckets` of the previous feed, a feed of all sources holds only its run. */
type PrecedingGlobal = PrecedingFeed & { readonly buckets?: Buckets };

/** A run as the feed of all sources. `entriesOf` gets those that have items in it, and may also return entries of others. */
export function feedOfAll(
  run: Omit<RunFacts, 'facts'>,
  before: PrecedingGlobal | undefined,
  entriesOf: (included: readonly string[]) => Readonly<Record<string, SourceEntry>>,
): MadeFeed {
  const { source, items, root, ttlSec } = run;
  const buckets = globalBuckets(before?.buckets, source, bucketsOf(items));
  const sourcesIncluded = sourcesOf(buckets);
  return changedFeed({
    name: GLOBAL_ID,
    root,
    ttlSec,
    before,
    buckets,
    sourcesIncluded,
    narrative: narrativeOf(source, items),
    atMs: timeOf(run),
    sources: () => entriesOf(sourcesIncluded),
  });
}

/** The entry once nothing is new any more. */
export function unchangedEntry({ delta_counts: _, ...entry }: SourceEntry): SourceEntry {
  return { ...entry, changed: false, prev_cursor: entry.cursor };
}

function timeOf({ time }: Pick<RunFacts, 'time'>): number {
  const atMs = parseTime(time);
  if (atMs === undefined) throw new Error(`${time} is not an RFC 3339 date-time.`);
  return atMs;
}
