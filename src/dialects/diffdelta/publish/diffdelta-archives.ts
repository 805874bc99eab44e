import { archiveUnreadError } from '../../../errors/state-refusals.ts';
import type { TidingsError } from '../../../errors/tidings-error.ts';
import type { NearPlace, Place } from '../../../model/folder.ts';
import type { ArchiveEntry } from '../runs/archive-index.ts';
import { isListedFeed } from '../runs/read-own-feed.ts';

/** How many archives of the live site are requested at once. */
const AT_ONCE = 8;
/** How many of the newest archives are compared with their hash each time. Of the others only the size is checked. */
const READ_EACH_TIME = 8;

export interface StoredFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface DiffDeltaPlaces {
  readonly out: NearPlace;
  readonly previous: Place | undefined;
}

/** Archives in order, and how many of them each index lists. */
export interface ListedArchives {
  readonly archives: readonly ArchiveEntry[];
  readonly ownCount: number;
  readonly liveCount: number;
  readonly root: string;
}

export interface FoundArchives {
  /** Archives that the output folder lacks, copied from the previous place. */
  readonly carried: readonly StoredFile[];
  /** The indexes of archives that no place has. */
  readonly lost: readonly number[];
}

/** Compares the listed archives with the existing files. Throws if the bytes of one have changed. */
export async function findArchives(listed: ListedArchives, { out, previous }: DiffDeltaPlaces): Promise<FoundArchives> {
  const { archives, ownCount, liveCount, root } = listed;
  const lost: number[] = [];
  const wanted: ArchiveEntry[] = [];
  for (const [at, entry] of archives.entries()) {
    if (at < ownCount && isThere(out, entry, root)) {
      if (at >= ownCount - READ_EACH_TIME) await ensureWhole(out, entry, root);
    } else if (at < liveCount) wanted.push(entry);
    else lost.push(at);
  }
  const carried = previous === undefined ? [] : await carryOver(wanted, out, previous, root);
  return { carried, lost };
}

function isThere(out: NearPlace, { url, bytes }: ArchiveEntry, root: string): boolean {
  const path = url.slice(root.length);
  const size = out.sizeOf(path);
  if (size === undefined || size === bytes) return size !== undefined;
  throw altered(out, path);
}

/** Returns its bytes, if the file exists. */
export async function ensureWhole(out: Place, entry: ArchiveEntry, root: string): Promise<Uint8Array | undefined> {
  const path = entry.url.slice(root.length);
  const bytes = await out.read(path);
  if (bytes === undefined || isListedFeed(bytes, entry.hash)) return bytes;
  throw altered(out, path);
}

function altered(out: Place, path: string): TidingsError {
  return archiveUnreadError(`${out.name}/${path}`, 'has other bytes than were published.');
}

async function carryOver(
  wanted: readonly ArchiveEntry[],
  out: Place,
  previous: Place,
  root: string,
): Promise<readonly StoredFile[]> {
  const carried: StoredFile[] = [];
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    const some = wanted.slice(at, at + AT_ONCE).map((entry) => carryOne(entry, out, previous, root));
    carried.push(...(await Promise.all(some)).flat());
  }
  return carried;
}

async function carryOne(entry: ArchiveEntry, out: Place, previous: Place, root: string): Promise<StoredFile[]> {
  const path = entry.url.slice(root.length);
  if ((await ensureWhole(out, entry, root)) !== undefined) return [];
  const bytes = await previous.read(path);
  if (bytes === undefined)
    throw archiveUnreadError(`${previous.name}/${path}`, 'is not there, but its index names it.');
  if (isListedFeed(bytes, entry.hash)) return [{ path, bytes }];
  throw archiveUnreadError(`${previous.name}/${path}`, 'has other bytes than its index says.');
}
