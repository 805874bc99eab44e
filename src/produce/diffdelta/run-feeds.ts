import { type Buckets, GLOBAL_ID, type SourceEntry } from '../../codecs/diffdelta/wire.ts';
import { parseTime } from '../../codecs/primitives/time.ts';
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
  /** Of the changes that the run is made of. */
  readonly time: string;
  readonly items: readonly RunItem[];
  readonly root: string;
  readonly ttlSec: number;
  /** How the source stands. */
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

/** The entry of a source in the feed of a run of its own. */
export function runEntry(run: RunFacts, { cursor, prevCursor }: RunCursors): SourceEntry {
  const { source, items, root, ttlSec, facts } = run;
  const delta_counts = deltaCountsOf(items);
  return entryOf(source, facts, { root, ttlSec, changed: true, cursor, prev_cursor: prevCursor, delta_counts });
}

export interface GlobalRun extends RunFacts {
  /** Of the source that has the run. */
  readonly entry: SourceEntry;
  /** The entry of another source that has items in the feed: none of them changed in this run. */
  readonly entryOfOther: (source: string) => SourceEntry | undefined;
}

/** The same run as the feed of all sources. Without `buckets` of the feed before it, it holds the run alone. */
export function globalRunFeed(run: GlobalRun, before: (PrecedingFeed & { buckets?: Buckets }) | undefined): MadeFeed {
  const { source, items, root, ttlSec, entry, entryOfOther } = run;
  const buckets = globalBuckets(before?.buckets, source, bucketsOf(items));
  const sourcesIncluded = sourcesOf(buckets);
  const entries = sourcesIncluded.flatMap((id) => {
    const found = id === source ? entry : entryOfOther(id);
    return found === undefined ? [] : [[id, found] as const];
  });
  return changedFeed({
    name: GLOBAL_ID,
    root,
    ttlSec,
    before,
    buckets,
    sourcesIncluded,
    narrative: narrativeOf(source, items),
    atMs: timeOf(run),
    sources: () => Object.fromEntries(entries),
  });
}

/** The entry once nothing is new any more. */
export function unchangedEntry({ delta_counts: _, ...entry }: SourceEntry): SourceEntry {
  return { ...entry, changed: false, prev_cursor: entry.cursor };
}

function timeOf({ time }: RunFacts): number {
  const atMs = parseTime(time);
  if (atMs === undefined) throw new Error(`${time} is not an RFC 3339 date-time.`);
  return atMs;
}
