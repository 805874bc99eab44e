import { type DiffDeltaFeed, GLOBAL_ID, type SourceEntry } from '../../../codecs/diffdelta/wire.ts';
import type { ShelfSource } from '../../shelf.ts';
import { entryOf } from '../runs/make-feed.ts';
import { entryFacts } from './entry-facts.ts';
import type { RunFeedRecord } from './feed-record.ts';
import type { RunStore } from './run-store.ts';
import { StatusMap } from './status-map.ts';

/** What the files are made from, besides what is stored. */
export interface RunWorld {
  readonly store: RunStore;
  /** The current source; undefined for one that was removed. Its files outlive it. */
  readonly sourceOf: (id: string) => ShelfSource | undefined;
  readonly ttlSecOf: (id: string) => number;
  /** For the feed of all sources. */
  readonly ttlSec: number;
  /** The public path of the hub, with a final slash. */
  readonly root: string;
  readonly now: () => number;
  /** Called when a run of that source was added. */
  readonly onRun?: (source: string) => void;
}

/** The state of all files. A batch advances it before it is stored; if storing fails, the state is loaded again. */
export interface RunState {
  seq: number;
  readonly records: Map<string, RunFeedRecord>;
  readonly statuses: StatusMap;
  /** The feed of all sources, if it is in memory. */
  global: DiffDeltaFeed | undefined;
}

/** Loads the state without reading a feed. */
export function loadRunState({ store, sourceOf }: RunWorld): RunState {
  const records = new Map(store.feeds().map((record) => [record.name, record]));
  const statuses = new StatusMap();
  for (const { name, entry } of records.values()) {
    if (entry !== undefined) statuses.put(name, entry, sourceOf(name) !== undefined);
  }
  return { seq: store.seq(), records, statuses, global: undefined };
}

/** The current status of a source, as an entry of its feed. */
export function entryNow(record: RunFeedRecord, world: RunWorld): SourceEntry {
  const { sourceOf, root, now } = world;
  const { name, cursor, prevCursor, entry } = record;
  const source = sourceOf(name);
  const facts = entryFacts(source, record, now());
  const changed = record.changed && facts.stale !== true && !hasFoundNothingSince(source, record);
  return entryOf(name, facts, {
    root,
    ttlSec: ttlSecNow(name, record, world),
    changed,
    cursor,
    prev_cursor: changed ? prevCursor : cursor,
    ...(entry?.delta_counts !== undefined && { delta_counts: entry.delta_counts }),
  });
}

/** For a source that was removed, the last stated value. */
export function ttlSecNow(
  id: string,
  record: RunFeedRecord | undefined,
  { sourceOf, ttlSecOf, ttlSec }: RunWorld,
): number {
  return sourceOf(id) !== undefined ? ttlSecOf(id) : (record?.entry?.ttl_sec ?? ttlSec);
}

/** Whether its feed must be written again, or for the first time. Reads no feed. */
export function isOutdated(id: string, { records }: RunState, world: RunWorld): boolean {
  if (id === GLOBAL_ID) return false;
  const record = records.get(id);
  const source = world.sourceOf(id);
  if (record?.entry === undefined) return source !== undefined;
  if (needsFirstRun(record, source)) return true;
  return !isSameEntry(record.entry, entryNow(record, world));
}

/**
 * A source that was read without any content still gets a first run, because null means never read (DD-C4). If it had content, that
 * is its first run and about to come.
 */
export function needsFirstRun(
  record: RunFeedRecord | undefined,
  source: ShelfSource | undefined,
): source is ShelfSource {
  if (record?.ranAtMs !== undefined || source === undefined) return false;
  const { lastOkMs, lastChangeMs } = source.health;
  return lastOkMs !== undefined && lastChangeMs === undefined;
}

/** Clients can see a change at least this long, even if the source is checked every second. */
const CHANGED_AT_LEAST_MS = 3000;

/** Whether a check that ended after the run found nothing new. */
function hasFoundNothingSince(source: ShelfSource | undefined, { ranAtMs = 0 }: RunFeedRecord): boolean {
  if (source === undefined) return false;
  const { lastCheckMs, changed } = source.health;
  return lastCheckMs !== undefined && lastCheckMs >= ranAtMs + CHANGED_AT_LEAST_MS && !changed;
}

/** An age grows by itself, so it is ignored. */
function isSameEntry(left: SourceEntry, right: SourceEntry): boolean {
  const ageless = (entry: SourceEntry) => JSON.stringify({ ...entry, stale_age_sec: undefined });
  return ageless(left) === ageless(right);
}
