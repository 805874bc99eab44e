import { encodeAtomFeed } from '../codecs/atom/encode-feed.ts';
import type { AtomHead } from '../codecs/atom/wire.ts';
import { parseTime } from '../codecs/primitives/time.ts';

export interface StaticFeed {
  readonly head: Pick<AtomHead, 'id' | 'title' | 'subtitle' | 'author' | 'url' | 'hubUrls' | 'language' | 'generator'>;
  /** As `encodeAtomEntry` made them, newest first: those that are in no archive. */
  readonly entries: readonly string[];
  /** The number of existing archives. */
  readonly archived: number;
  /** The archives to write again, with their entries, newest first. */
  readonly lost?: readonly { readonly number: number; readonly entries: readonly string[] }[] | undefined;
  /** With more entries than this, older ones move to an archive. */
  readonly maxEntries: number;
  /** The path of an archive, counted from 1; without a number, of the feed itself. */
  readonly pathOf: (archive?: number) => string;
  /** The URL of a file. Without it nothing is archived: readers cannot find an archive that nothing links to. */
  readonly urlOf?: ((path: string) => string | undefined) | undefined;
}

interface StaticFile {
  readonly path: string;
  readonly text: string;
}

export interface FeedLayout {
  /** New archives, oldest first, then the feed, which links to them. Empty if there is no entry. */
  readonly files: readonly StaticFile[];
  /** The number of archives now. */
  readonly archived: number;
}

const ENTRY_TIME = /^ {4}<updated>([^<]+)<\/updated>$/m;

/**
 * A feed as files: the newest entries in the feed itself, older ones in archives (RFC 5005), which are never rewritten.
 *
 * The same feed always gives the same files, so an interrupted write is simply repeated.
 *
 * @example
 * const { files } = layOutFeed({ head, entries, archived: 0, maxEntries: 100, pathOf: () => 'site.atom' });
 */
export function layOutFeed(feed: StaticFeed): FeedLayout {
  const { maxEntries, pathOf, urlOf = () => undefined, lost = [] } = feed;
  const currentUrl = urlOf(pathOf());
  const atOnce = archivedAtOnce(maxEntries);
  const files = lost.flatMap(({ number, entries }) => archiveFile(feed, number, entries) ?? []);
  let { entries, archived } = feed;
  while (entries.length > maxEntries) {
    const file = archiveFile(feed, archived + 1, entries.slice(-atOnce));
    if (file === undefined) break;
    files.push(file);
    entries = entries.slice(0, -atOnce);
    archived += 1;
  }
  if (entries.length === 0) return { files, archived };
  const prevArchiveUrl = archived === 0 ? undefined : urlOf(pathOf(archived));
  const links = {
    ...(currentUrl !== undefined && { selfUrl: currentUrl }),
    ...(prevArchiveUrl !== undefined && { prevArchiveUrl }),
  };
  files.push({ path: pathOf(), text: feedText({ ...feed.head, ...links }, entries) });
  return { files, archived };
}

/** Undefined if it could not be linked, or could not link to the feed. */
function archiveFile(feed: StaticFeed, number: number, entries: readonly string[]): StaticFile | undefined {
  const { pathOf, urlOf = () => undefined } = feed;
  const path = pathOf(number);
  const [selfUrl, currentUrl] = [urlOf(path), urlOf(pathOf())];
  if (selfUrl === undefined || currentUrl === undefined) return undefined;
  const prevArchiveUrl = number === 1 ? undefined : urlOf(pathOf(number - 1));
  const { hubUrls: _, ...head } = feed.head;
  const links = { selfUrl, currentUrl, ...(prevArchiveUrl !== undefined && { prevArchiveUrl }), isArchive: true };
  return { path, text: feedText({ ...head, ...links }, entries) };
}

/** The older half of a full feed. */
export function archivedAtOnce(maxEntries: number): number {
  return Math.max(1, Math.floor(maxEntries / 2));
}

/** Its update time is that of its newest entry. */
function feedText(head: Omit<AtomHead, 'updatedMs'>, entries: readonly string[]): string {
  const updatedMs = parseTime(ENTRY_TIME.exec(entries[0] ?? '')?.[1] ?? '') ?? Number.NaN;
  const feed = encodeAtomFeed({ ...head, updatedMs }, entries);
  if (!feed.ok) throw new Error(`The feed cannot be written: ${feed.issues[0].message}`);
  return feed.value;
}
