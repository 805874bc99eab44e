import { CARD_PATH, DID_PATH, FEED_PATH, FEED_STATUSES, type FeedStatus } from '../../../codecs/agent-feed/wire.ts';
import { StateCorruptError } from '../../../errors/state-corrupt-error.ts';
import { readIfThere } from '../../../log/read-if-there.ts';
import type { Place } from '../../../model/folder.ts';
import { ARCHIVE_PATH } from '../surface/derive-files.ts';
import { decodeSurfaceRecord, RECORD_PATH, SURFACE_FILE, type SurfaceRecord } from '../surface/surface-record.ts';

/** The files that agents read. */
export interface SurfaceFiles {
  readonly did?: Uint8Array | undefined;
  readonly card?: Uint8Array | undefined;
  readonly feed?: Uint8Array | undefined;
  readonly archive?: Uint8Array | undefined;
}

export interface SignedEntry {
  readonly id: string;
  readonly type: string;
  /** The signed text. */
  readonly content: string;
  readonly signature: string;
  readonly signer?: string;
}

/** What one place knows about the surface of a site: its record, or only the feed that was made from a record. */
export interface SurfaceCopy {
  /** The name that messages use for it. */
  readonly name: string;
  readonly recordText?: string;
  readonly record?: SurfaceRecord;
  readonly files: SurfaceFiles;
  /** Oldest first. */
  readonly entries: readonly SignedEntry[];
  readonly status: FeedStatus;
  readonly migratedTo?: string | undefined;
}

/** Reads the copy of a site. Undefined if it has neither a record nor a feed. */
export async function readSiteCopy(place: Place): Promise<SurfaceCopy | undefined> {
  const read = (path: string) => readIfThere(place, path);
  // The feed is read first. A process that writes both at this moment writes the record first, so the record cannot lack entries.
  const feed = await read(FEED_PATH.slice(1));
  const record = await read(RECORD_PATH);
  if (record === undefined && feed === undefined) return undefined;
  const files = { feed, did: await read(DID_PATH.slice(1)), card: await read(CARD_PATH.slice(1)) };
  if (record !== undefined) return recordCopy(record, `${place.name}/${RECORD_PATH}`, files);
  const archive = await read(ARCHIVE_PATH.slice(1));
  const said = await entriesOfFeed(feed ?? new Uint8Array());
  return { name: `${place.name}${FEED_PATH}`, files: { ...files, archive }, ...said };
}

/** Reads the copy in a state folder, which holds only the record. */
export async function readStateCopy(place: Place): Promise<SurfaceCopy | undefined> {
  const record = await place.read(SURFACE_FILE);
  return record === undefined ? undefined : recordCopy(record, `${place.name}/${SURFACE_FILE}`, {});
}

function recordCopy(bytes: Uint8Array, name: string, files: SurfaceFiles): SurfaceCopy {
  const recordText = Buffer.from(bytes).toString('utf8');
  const decoded = decodeSurfaceRecord(recordText);
  if (!decoded.ok) {
    throw new StateCorruptError(name, decoded.issues[0].message, 'Restore it from a backup or the live site.');
  }
  const { entries, status, migratedTo } = decoded.value;
  return { name, recordText, record: decoded.value, files, entries, status, migratedTo };
}

/** A feed that cannot be read has no entries. Its file is kept unchanged. */
export async function entriesOfFeed(
  bytes: Uint8Array,
): Promise<Pick<SurfaceCopy, 'entries' | 'status' | 'migratedTo'>> {
  // Loaded on demand, because most publishers have a record.
  const { decodeAgentFeed: decodeFeed } = await import('../../../codecs/agent-feed/decode-feed.ts');
  const decoded = decodeFeed(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  if (!decoded.ok) return { entries: [], status: 'active' };
  const { feedStatus, migratedTo } = decoded.value;
  const entries = decoded.value.entries.flatMap(({ id, type, content, signature, signer, flaw }): SignedEntry[] => {
    if (id === undefined || type === undefined || content === undefined || signature === undefined) return [];
    return flaw === undefined ? [{ id, type, content, signature, ...(signer !== undefined && { signer }) }] : [];
  });
  return { entries, status: FEED_STATUSES.find((status) => status === feedStatus) ?? 'terminated', migratedTo };
}
