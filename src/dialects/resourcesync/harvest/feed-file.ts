import { stableId } from '../../../codecs/atom/stable-id.ts';
import { atomEntryId, takeAtomEntries } from '../../../codecs/atom/take-entries.ts';
import { ForeignFileError } from '../../../errors/foreign-file-error.ts';
import { otherStateError } from '../../../errors/state-refusals.ts';
import type { KnownCollection } from '../read/harvested.ts';

/** Where feeds are kept. A file is replaced as a whole, durably. */
export interface FeedFolder {
  readonly name: string;
  /** Undefined when there is none. */
  read(path: string): Promise<Uint8Array | undefined>;
  replace(path: string, bytes: Uint8Array): Promise<void>;
}

/** What stands in the files of a feed. */
export interface HarvestedFeedFile {
  /** Bytes of the entries that no archive holds, newest first. */
  readonly entries: string[];
  /** Of all entries, by id. */
  readonly known: Map<string, string>;
  readonly archivedIds: ReadonlySet<string>;
  readonly archived: number;
}

const MOVE_IT = 'Move it away, or choose another --out.';

/** What the feed of all collections is called. */
export const SITE_FEED = 'site';

/** `entry` is what the source is known by in the state. */
export function siteFeedId(entry: string): string {
  return stableId('harvest', 'site', entry);
}

export function collectionFeedId(describes: string): string {
  return stableId('harvest', describes);
}

/** Archives have a dot before their number, which no name has. */
export function feedPath(name: string, archive?: number): string {
  return archive === undefined ? `${name}.atom` : `${name}.${archive}.atom`;
}

/** Throws a {@link ForeignFileError} for a file that is not ours: it is never written over. */
export async function readFeedFile(folder: FeedFolder, name: string, feedId: string): Promise<HarvestedFeedFile> {
  const known = new Map<string, string>();
  let archived = 0;
  for (;;) {
    const entries = await readEntries(folder, feedPath(name, archived + 1), feedId);
    if (entries === undefined) break;
    for (const entry of entries) known.set(atomEntryId(entry), entry);
    archived += 1;
  }
  const archivedIds = new Set(known.keys());
  // An archive may have been written without the feed that leads to it.
  const current = (await readEntries(folder, feedPath(name), feedId)) ?? [];
  const entries = current.filter((entry) => !known.has(atomEntryId(entry)));
  for (const entry of entries) known.set(atomEntryId(entry), entry);
  return { entries, known, archivedIds, archived };
}

/**
 * For a collection that the state knows nothing of. Throws an `OtherStateError` where its feed is there already and tells of
 * other changes than are to be told: those would stand in it twice. A run that was cut off, or begun anew, makes the same entry.
 */
export async function ensureNotTold(
  folder: FeedFolder,
  { describes, name }: Pick<KnownCollection, 'describes' | 'name'>,
  entryId: string,
): Promise<void> {
  const path = feedPath(name);
  const bytes = await folder.read(path);
  if (bytes === undefined || !isFeed(new TextDecoder().decode(bytes), collectionFeedId(describes))) return;
  const { known } = await readFeedFile(folder, name, collectionFeedId(describes));
  if (!known.has(entryId)) throw otherStateError(`${folder.name}/${path}`);
}

async function readEntries(folder: FeedFolder, path: string, feedId: string): Promise<readonly string[] | undefined> {
  const bytes = await folder.read(path);
  if (bytes === undefined) return undefined;
  const text = new TextDecoder().decode(bytes);
  const entries = takeAtomEntries(text);
  const where = `${folder.name}/${path}`;
  if (!entries.ok)
    throw new ForeignFileError(where, MOVE_IT, 'is no feed that was written here, and is left as it is.');
  if (!isFeed(text, feedId)) {
    throw new ForeignFileError(where, MOVE_IT, 'is the feed of another collection or site, and is left as it is.');
  }
  return entries.value;
}

function isFeed(text: string, id: string): boolean {
  return text.slice(0, text.indexOf('<updated>')).includes(`\n  <id>${id}</id>\n`);
}
