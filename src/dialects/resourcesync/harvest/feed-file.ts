import { stableId } from '../../../codecs/atom/stable-id.ts';
import { atomEntryId, takeAtomEntries } from '../../../codecs/atom/take-entries.ts';
import { ForeignFileError } from '../../../errors/foreign-file-error.ts';
import { otherStateError } from '../../../errors/state-refusals.ts';
import type { KnownCollection } from '../read/harvested.ts';

/** Where feeds are stored. A file is replaced as a whole, durably. */
export interface FeedFolder {
  readonly name: string;
  /** Undefined if the file does not exist. */
  read(path: string): Promise<Uint8Array | undefined>;
  replace(path: string, bytes: Uint8Array): Promise<void>;
}

/** The contents of the files of a feed. */
export interface HarvestedFeedFile {
  /** The texts of the entries that are in no archive, newest first. */
  readonly entries: string[];
  /** The texts of all entries, by id. */
  readonly known: Map<string, string>;
  readonly archivedIds: ReadonlySet<string>;
  readonly archived: number;
}

const MOVE_IT = 'Move it away, or choose another --out.';

/** The name of the feed of all collections. */
export const SITE_FEED = 'site';

/** `entry` is the key of the source in the state. */
export function siteFeedId(entry: string): string {
  return stableId('harvest', 'site', entry);
}

export function collectionFeedId(describes: string): string {
  return stableId('harvest', describes);
}

/** The names of archives have a dot before their number, which no other name has. */
export function feedPath(name: string, archive?: number): string {
  return archive === undefined ? `${name}.atom` : `${name}.${archive}.atom`;
}

/** Throws a {@link ForeignFileError} for a file that is not ours. Such a file is never overwritten. */
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
  // A run may have written an archive without the feed that leads to it.
  const current = (await readEntries(folder, feedPath(name), feedId)) ?? [];
  const entries = current.filter((entry) => !known.has(atomEntryId(entry)));
  for (const entry of entries) known.set(atomEntryId(entry), entry);
  return { entries, known, archivedIds, archived };
}

/**
 * For a collection that the state does not know. Throws an `OtherStateError` if its feed already exists and lacks this entry: the
 * feed would then have the changes twice. A run that was cut off or started again makes the same entry.
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
