import { cursorOf } from '../../../codecs/diffdelta/cursor.ts';
import { encodeDiffDeltaFeed, encodeHead, inServedOrder } from '../../../codecs/diffdelta/encode.ts';
import {
  BUCKETS,
  type BucketName,
  type Buckets,
  CURSOR_BASIS,
  type DeltaCounts,
  type DiffDeltaFeed,
  type DiffDeltaItem,
  FLAGGED_FROM,
  GLOBAL_ID,
  SCHEMA_VERSION,
  type SourceEntry,
} from '../../../codecs/diffdelta/wire.ts';
import { compareCodePoints } from '../../../codecs/primitives/code-points.ts';
import { cursorStuckError } from '../../../errors/state-refusals.ts';
import { archivePath, headPath, latestPath } from './feed-paths.ts';
import type { RunItem } from './run-items.ts';
import { wireTime } from './wire-time.ts';

/** The status of a source without the fields that the engine fills in. */
export type EntryFacts = Omit<
  SourceEntry,
  'changed' | 'cursor' | 'prev_cursor' | 'ttl_sec' | 'head_url' | 'latest_url' | 'delta_counts'
>;

/** A feed and its head, to be written together. */
export interface MadeFeed {
  readonly feed: DiffDeltaFeed;
  readonly latestText: string;
  readonly headText: string;
  /** Where the same bytes are kept forever, relative to the root; absent if nothing changed. */
  readonly archivePath?: string;
}

export interface RunPlace {
  /** The id of a source, or `_global`. */
  readonly name: string;
  /** The path below which the files are served, with a final slash: `/`, or `/docs/` for a site in a folder. */
  readonly root: string;
  readonly ttlSec: number;
}

/** What the next feed at the same place needs from a feed. */
export type PrecedingFeed = Pick<DiffDeltaFeed, 'cursor' | 'generated_at' | 'hash' | 'archive_url'>;

export interface ChangedRun extends RunPlace {
  /** The feed that is served now; undefined if there is none. */
  readonly before: PrecedingFeed | undefined;
  /** The items of the run, and the other items in a feed of many sources. */
  readonly buckets: Buckets;
  readonly sourcesIncluded: readonly string[];
  readonly narrative: string;
  /** The time of the run, in epoch milliseconds. */
  readonly atMs: number;
  /** Called when the cursors are known. */
  readonly sources: (cursors: RunCursors) => Readonly<Record<string, SourceEntry>>;
}

export interface RunCursors {
  readonly cursor: string;
  readonly prevCursor: string | null;
}

/** The feed of a run that changed something. Throws `CursorStuckError` if its cursor would equal the previous one (§2.3). */
export function changedFeed(run: ChangedRun): MadeFeed {
  const { name, root, before, buckets, narrative } = run;
  const sourcesIncluded = [...run.sourcesIncluded].sort(compareCodePoints);
  const cursor = cursorOf({ sources_included: sourcesIncluded, buckets });
  const prevCursor = before?.cursor ?? null;
  if (cursor === prevCursor) throw cursorStuckError(name, cursor);
  const generatedAt = timeAfter(before, run.atMs);
  const path = archivePath({ name, root, generatedAt, cursor });
  return {
    ...madeFeed(run, {
      schema_version: SCHEMA_VERSION,
      generated_at: generatedAt,
      ...(name !== GLOBAL_ID && { source_id: name }),
      prev_hash: before?.hash ?? null,
      cursor,
      prev_cursor: prevCursor,
      cursor_basis: CURSOR_BASIS,
      changed: true,
      ttl_sec: run.ttlSec,
      sources_included: sourcesIncluded,
      batch_narrative: narrative,
      counts: countsOf(buckets),
      archive_url: path,
      ...(before?.archive_url !== undefined && { prev_archive_url: before.archive_url }),
      buckets,
      sources: run.sources({ cursor, prevCursor }),
    }),
    archivePath: path.slice(root.length),
  };
}

export interface Restatement extends RunPlace {
  readonly before: DiffDeltaFeed;
  /** Whether the last run still counts as the one that changed something. */
  readonly changed: boolean;
  readonly sources: Readonly<Record<string, SourceEntry>>;
  readonly atMs: number;
}

/**
 * States the same content again: that nothing changed since, or that the status of sources changed. Cursor, buckets and archive
 * stay (T-DD-1). Undefined if only the time would differ.
 */
export function restatedFeed(statement: Restatement): MadeFeed | undefined {
  const { before, sources, ttlSec } = statement;
  const changed = before.changed && statement.changed;
  if (changed === before.changed && ttlSec === before.ttl_sec && isSameStatus(before.sources, sources))
    return undefined;
  return madeFeed(statement, {
    ...before,
    generated_at: timeAfter(before, statement.atMs),
    prev_hash: before.hash ?? null,
    prev_cursor: changed ? before.prev_cursor : before.cursor,
    changed,
    ttl_sec: ttlSec,
    sources,
  });
}

/** The feed of a source that was never read (T-DD-11), or of a hub in which nothing has changed yet. */
export function emptyFeed({
  atMs,
  sources,
  ...place
}: RunPlace & { readonly atMs: number; readonly sources: Readonly<Record<string, SourceEntry>> }): MadeFeed {
  return madeFeed(place, {
    schema_version: SCHEMA_VERSION,
    generated_at: wireTime(atMs),
    ...(place.name !== GLOBAL_ID && { source_id: place.name }),
    prev_hash: null,
    cursor: null,
    prev_cursor: null,
    cursor_basis: CURSOR_BASIS,
    changed: false,
    ttl_sec: place.ttlSec,
    sources_included: place.name === GLOBAL_ID ? [] : [place.name],
    batch_narrative: 'Nothing was read yet.',
    counts: countsOf(NO_ITEMS),
    buckets: NO_ITEMS,
    sources,
  });
}

const NO_ITEMS: Buckets = { new: [], updated: [], removed: [], flagged: [] };

/** Each item in one bucket, in the order of §4. Risky items are only in `flagged` (DD-I8, T-DD-13). */
export function bucketsOf(items: readonly RunItem[]): Buckets {
  const of = (bucket: BucketName) =>
    inServedOrder(items.filter((each) => bucketOf(each) === bucket).map(({ item }) => item));
  return { new: of('new'), updated: of('updated'), removed: of('removed'), flagged: of('flagged') };
}

function bucketOf({ item, nature }: RunItem): BucketName {
  return (item.risk?.score ?? 0) >= FLAGGED_FROM ? 'flagged' : nature;
}

/** Flagged items are counted by what happened to them (T-DD-13). */
export function deltaCountsOf(items: readonly RunItem[]): DeltaCounts {
  const count = (wanted: string) => items.filter(({ nature }) => nature === wanted).length;
  return { new: count('new'), updated: count('updated'), removed: count('removed') };
}

/** One sentence made only from the counts, because titles are foreign text. */
export function narrativeOf(source: string, items: readonly RunItem[]): string {
  const counts = deltaCountsOf(items);
  const told = (['new', 'updated', 'removed'] as const).filter((nature) => counts[nature] > 0);
  const flagged = items.filter((each) => bucketOf(each) === 'flagged').length;
  const what = told.map((nature) => `${counts[nature]} ${nature}`).join(', ') || 'nothing yet';
  return `${source}: ${what}${flagged > 0 ? ` (${flagged} flagged)` : ''}.`;
}

/** One entry of the status map. */
export function entryOf(
  source: string,
  facts: EntryFacts,
  run: Pick<SourceEntry, 'changed' | 'cursor' | 'prev_cursor' | 'delta_counts'> & { root: string; ttlSec: number },
): SourceEntry {
  const { root, ttlSec, changed, cursor, prev_cursor, delta_counts } = run;
  return {
    ...facts,
    changed,
    cursor,
    prev_cursor,
    ttl_sec: ttlSec,
    head_url: headPath(source, root),
    latest_url: latestPath(source, root),
    ...(changed && delta_counts !== undefined && { delta_counts }),
  };
}

function madeFeed(place: Pick<RunPlace, 'name' | 'root'>, unsealed: DiffDeltaFeed): MadeFeed {
  const { text, hash } = encodeDiffDeltaFeed(unsealed);
  return { feed: { ...unsealed, hash }, latestText: text, headText: headTextOf(unsealed, place) };
}

/** The head that belongs to a feed. */
export function headTextOf(feed: DiffDeltaFeed, { name, root }: Pick<RunPlace, 'name' | 'root'>): string {
  const { cursor, prev_cursor, changed, generated_at, ttl_sec } = feed;
  return encodeHead({ cursor, prev_cursor, changed, generated_at, ttl_sec, latest_url: latestPath(name, root) });
}

function countsOf(buckets: Buckets): Readonly<Record<BucketName, number>> {
  const { new: added, updated, removed, flagged } = buckets;
  return { new: added.length, updated: updated.length, removed: removed.length, flagged: flagged.length };
}

/** Each file has a later time than the one before it, even if the clock does not. */
function timeAfter(before: PrecedingFeed | undefined, atMs: number): string {
  return wireTime(before === undefined ? atMs : Math.max(atMs, Date.parse(before.generated_at) + 1));
}

/** An age grows by itself, so it is ignored. */
function isSameStatus(before: DiffDeltaFeed['sources'], now: DiffDeltaFeed['sources']): boolean {
  const ageless = (entries: DiffDeltaFeed['sources']) =>
    JSON.stringify(
      Object.keys(entries)
        .sort(compareCodePoints)
        .map((id) => [id, { ...entries[id], stale_age_sec: undefined }]),
    );
  return ageless(before) === ageless(now);
}

/** All items of a feed. */
export function itemsOf(buckets: Buckets): readonly DiffDeltaItem[] {
  return BUCKETS.flatMap((bucket) => buckets[bucket]);
}
