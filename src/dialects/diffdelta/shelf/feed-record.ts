import { type Cursor, GLOBAL_ID, type SourceEntry } from '../../../codecs/diffdelta/wire.ts';
import type { MadeFeed, PrecedingFeed } from '../runs/make-feed.ts';

/** What must be known about a feed without reading it. The feed of all sources is `_global`. */
export interface RunFeedRecord {
  readonly name: string;
  readonly cursor: Cursor;
  readonly prevCursor: Cursor;
  readonly changed: boolean;
  /** How often the bytes under this cursor were replaced. */
  readonly rewrites: number;
  readonly hash: string;
  readonly generatedAt: string;
  readonly archiveUrl?: string;
  /** The head as it is served. */
  readonly head: string;
  /** The uncompressed length of the feed. */
  readonly bytes: number;
  /** The time of its last run, never ahead of our clock; absent before the first run. */
  readonly ranAtMs?: number;
  /** The source of that run; only in the feed of all sources. */
  readonly ranFor?: string;
  /** The last good check that was known when this was written. */
  readonly lastOkMs?: number;
  /** The status of the source in this feed; absent in the feed of all sources. */
  readonly entry?: SourceEntry;
}

/** What a feed does not say about itself. */
export type RecordedRun = Pick<RunFeedRecord, 'ranAtMs' | 'ranFor' | 'lastOkMs'>;

interface RecordFacts {
  readonly facts: RecordedRun;
  /** The record of the stored feed that this one replaces. */
  readonly replaced: RunFeedRecord | undefined;
}

export function runFeedRecord(name: string, made: MadeFeed, { facts, replaced }: RecordFacts): RunFeedRecord {
  const { feed, latestText, headText } = made;
  const { ranAtMs, ranFor, lastOkMs } = facts;
  const entry = name === GLOBAL_ID ? undefined : feed.sources[name];
  return {
    name,
    cursor: feed.cursor,
    prevCursor: feed.prev_cursor,
    changed: feed.changed,
    rewrites: replaced !== undefined && replaced.cursor === feed.cursor ? replaced.rewrites + 1 : 0,
    hash: feed.hash ?? '',
    generatedAt: feed.generated_at,
    ...(feed.archive_url !== undefined && { archiveUrl: feed.archive_url }),
    head: headText,
    bytes: Buffer.byteLength(latestText),
    ...(ranAtMs !== undefined && { ranAtMs }),
    ...(ranFor !== undefined && { ranFor }),
    ...(lastOkMs !== undefined && { lastOkMs }),
    ...(entry !== undefined && { entry }),
  };
}

/** Strong, quoted: the cursor for the first bytes under it, with a suffix `.n` for later ones (T-DD-7). */
export function etagOf({ cursor, rewrites }: RunFeedRecord): string {
  return `"${cursor ?? 'none'}${rewrites > 0 ? `.${rewrites}` : ''}"`;
}

export function precedingOf(record: RunFeedRecord | undefined): PrecedingFeed | undefined {
  if (record === undefined) return undefined;
  const { cursor, generatedAt: generated_at, hash, archiveUrl } = record;
  return { cursor, generated_at, hash, ...(archiveUrl !== undefined && { archive_url: archiveUrl }) };
}
