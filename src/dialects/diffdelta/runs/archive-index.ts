/**
 * `/diff/{source}/archives.json`, `/diff/archives.json`: every archive of a feed, oldest first. A publisher reads from it which
 * files must exist, which to copy from the live site, and how to make a lost one again.
 *
 *     {"archives":[
 *     {"url":"/archive/docs/2026/02/05/20260205T120000Z_9bab0adf65dd.json","cursor":"sha256:9bab…","prev_cursor":null,
 *      "generated_at":"2026-02-05T12:00:00.250Z","hash":"sha256:…","prev_hash":null,"bytes":1234}
 *     ]}
 *
 * This file is ours: DiffDelta has no such file. Each entry is one line; lines are only added. Because it grows, it is not
 * under `/archive/`, where nothing ever changes (DD-A2).
 */
import { isCursor } from '../../../codecs/diffdelta/cursor.ts';
import type { DiffDeltaFeed } from '../../../codecs/diffdelta/wire.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';

export interface ArchiveEntry {
  /** An absolute path. */
  readonly url: string;
  readonly cursor: string;
  readonly prev_cursor: string | null;
  readonly generated_at: string;
  /** The hash in the archive itself. */
  readonly hash: string;
  /** The hash of the feed that was served before it, which may be newer than the archive before it. */
  readonly prev_hash: string | null;
  /** The size of its file. */
  readonly bytes: number;
  /** The `seq` of its last change, if it holds only part of a run that was too large for one feed. */
  readonly last?: number | undefined;
}

const ARCHIVE_NAME = /^\d{4}\/\d{2}\/\d{2}\/\d{8}T\d{6}Z_[0-9a-f]{12}\.json$/;

export function encodeArchiveIndex(entries: readonly ArchiveEntry[]): string {
  const lines = entries.map(({ url, cursor, prev_cursor, generated_at, hash, prev_hash, bytes, last }) =>
    JSON.stringify({ url, cursor, prev_cursor, generated_at, hash, prev_hash, bytes, last }),
  );
  return `{"archives":[\n${lines.join(',\n')}\n]}\n`;
}

/** Undefined for a text that is not an index of the archives of `name` below `root`. */
export function decodeArchiveIndex(
  text: string,
  { name, root }: { readonly name: string; readonly root: string },
): readonly ArchiveEntry[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  const listed: unknown = (parsed as { archives?: unknown } | null)?.archives;
  if (!Array.isArray(listed)) return undefined;
  const folder = `${root}archive/${name}/`;
  const entries: ArchiveEntry[] = [];
  for (const each of listed as (Partial<Record<keyof ArchiveEntry, unknown>> | null)[]) {
    const { url, cursor, generated_at, hash, prev_hash, bytes, last } = each ?? {};
    const prev_cursor = entries.at(-1)?.cursor ?? null;
    if (typeof url !== 'string' || !url.startsWith(folder) || !ARCHIVE_NAME.test(url.slice(folder.length))) return;
    if (typeof cursor !== 'string' || !isCursor(cursor) || each?.prev_cursor !== prev_cursor) return;
    if (typeof generated_at !== 'string' || parseTime(generated_at) === undefined) return;
    if (typeof hash !== 'string' || !isCursor(hash)) return;
    if (prev_hash !== null && (typeof prev_hash !== 'string' || !isCursor(prev_hash))) return;
    if (typeof bytes !== 'number' || !Number.isSafeInteger(bytes) || bytes <= 0) return;
    if (last !== undefined && !(typeof last === 'number' && Number.isSafeInteger(last))) return;
    entries.push({
      url,
      cursor,
      prev_cursor,
      generated_at,
      hash,
      prev_hash,
      bytes,
      ...(last !== undefined && { last }),
    });
  }
  return entries;
}

/** Undefined for a feed without a change, which is not archived. */
export function archiveEntryOf(feed: DiffDeltaFeed, { length }: Uint8Array): ArchiveEntry | undefined {
  const { archive_url: url, cursor, prev_cursor, generated_at, hash, prev_hash = null, changed } = feed;
  if (!changed || url === undefined || cursor === null || hash === undefined) return undefined;
  return { url, cursor, prev_cursor, generated_at, hash, prev_hash, bytes: length };
}
