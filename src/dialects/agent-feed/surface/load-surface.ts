import { decodeAgentFeed } from '../../../codecs/agent-feed/decode-feed.ts';
import { decodeJsonObject } from '../../../codecs/agent-feed/json-members.ts';
import { CARD_PATH, DID_PATH, FEED_PATH } from '../../../codecs/agent-feed/wire.ts';
import { StateCorruptError } from '../../../errors/state-corrupt-error.ts';
import { stateContradictionError } from '../../../errors/state-refusals.ts';
import type { Folder } from '../../../model/folder.ts';
import { adoptFeed } from './adopt-feed.ts';
import { ARCHIVE_PATH, type ExistingFiles } from './derive-files.ts';
import { decodeSurfaceRecord, RECORD_PATH, type SurfaceRecord, surfaceRecord } from './surface-record.ts';
import type { SurfaceSite } from './surface-site.ts';
import { findForgedEntries, forgedText } from './verify-record.ts';

export interface LoadedSurface {
  readonly record: SurfaceRecord;
  /** The text of the record in the folder. */
  readonly recordText: string | undefined;
  readonly existing: ExistingFiles;
  /** How the served feed contradicts the record. Then one of them is from another time or place. */
  readonly contradiction?: string | undefined;
}

/** Loads what a site has said so far. If the record is missing, as in a clone without it, it is rebuilt from the served feed. */
export async function loadSurface(folder: Folder, site: SurfaceSite): Promise<LoadedSurface> {
  const read = async (path: string) => await readText(folder, path);
  const [recordText, feed, did, card] = await Promise.all([
    read(RECORD_PATH),
    read(FEED_PATH.slice(1)),
    read(DID_PATH.slice(1)),
    read(CARD_PATH.slice(1)),
  ]);
  const existing = { did, card };
  if (recordText === undefined) {
    const archive = await read(ARCHIVE_PATH.slice(1));
    return {
      record: adopted(folder, site, feed === undefined ? undefined : { feed, archive, did }),
      recordText,
      existing,
    };
  }
  const decoded = decodeSurfaceRecord(recordText);
  if (!decoded.ok) {
    const file = `${folder.name}/${RECORD_PATH}`;
    throw new StateCorruptError(file, decoded.issues[0].message, 'Restore it from a backup.');
  }
  const record = decoded.value;
  refuseOtherSite(folder, record, site);
  await refuseForgedRecord(`${folder.name}/${RECORD_PATH}`, record);
  return {
    record,
    recordText,
    existing,
    contradiction: feed === undefined ? undefined : findContradiction(record, feed),
  };
}

function adopted(folder: Folder, site: SurfaceSite, files: Parameters<typeof adoptFeed>[0] | undefined): SurfaceRecord {
  if (files === undefined) return surfaceRecord([]);
  const { lines, problems } = adoptFeed(files, site);
  if (problems.length === 0) return surfaceRecord(lines);
  throw stateContradictionError(
    [`${folder.name}${FEED_PATH}`, `the lack of ${RECORD_PATH}`],
    `The feed is there without its record, and cannot stand for it. ${problems[0]}`,
    'Restore the record from a backup, or mend the feed and its did.json.',
  );
}

/** Throws if the record has an entry that nobody signed. Nothing is made from such a record. */
export async function refuseForgedRecord(file: string, record: SurfaceRecord): Promise<void> {
  const forged = forgedText(await findForgedEntries(record));
  if (forged !== undefined) throw new StateCorruptError(file, forged, FORGED_REMEDY);
}

const FORGED_REMEDY = 'Somebody changed it. Restore it from a backup that you trust.';

function refuseOtherSite(folder: Folder, record: SurfaceRecord, site: SurfaceSite): void {
  const stranger = findStranger(record, site);
  if (stranger === undefined) return;
  throw stateContradictionError(
    [`${folder.name}/${RECORD_PATH}`, `--site ${site.origin.href}`],
    `the record is signed as ${stranger}, not as ${site.did}.`,
    'Give the same --site as before, or another --dir for another site.',
  );
}

/** The name of a key in the record that does not belong to this site. */
export function findStranger({ lines }: SurfaceRecord, { did }: SurfaceSite): string | undefined {
  const names = lines.map((line) => (line.kind === 'key' ? line.id : line.kind === 'entry' ? line.signer : undefined));
  return names.find((name) => name !== undefined && !name.startsWith(`${did}#`));
}

/** Throws if feed and record contradict each other: nothing may be added then. */
export function refuseContradiction({ contradiction }: LoadedSurface, folder: Folder): void {
  if (contradiction === undefined) return;
  throw stateContradictionError(
    [`${folder.name}/${RECORD_PATH}`, `${folder.name}${FEED_PATH}`],
    contradiction,
    'Restore the one that is older from a backup.',
  );
}

/** Throws if somebody removed a key from did.json by hand. The next command would bring it back. */
export function refuseMissingKey({ record, existing }: LoadedSurface, folder: Folder): void {
  const decoded = existing.did === undefined ? undefined : decodeJsonObject(existing.did);
  const methods = decoded?.ok ? decoded.value.verificationMethod : undefined;
  if (!Array.isArray(methods)) return;
  const names = new Set(methods.map((method: unknown) => methodText(method).replace(/^[^#]*/, '')));
  const missing = record.keys.find(({ id }) => !record.revoked.has(id) && !names.has(id.replace(/^[^#]*/, '')));
  if (missing === undefined) return;
  throw stateContradictionError(
    [`${folder.name}/${RECORD_PATH}`, `${folder.name}${DID_PATH}`],
    `the record has the key ${missing.id}, and did.json does not.`,
    `If nobody may believe it any more: "tidings keys revoke ${missing.id.replace(/^[^#]*#/, '')}". Otherwise put it back, or move did.json away.`,
  );
}

function methodText(method: unknown): string {
  return typeof method === 'object' && method !== null && 'id' in method ? String(method.id) : '';
}

export function findContradiction(record: SurfaceRecord, feed: string): string | undefined {
  const decoded = decodeAgentFeed(feed);
  // A file that is not a feed says nothing. It is rewritten from the record.
  if (!decoded.ok) return undefined;
  const known = new Map(record.entries.map((entry) => [entry.id, entry]));
  for (const { id = '', content, signature = '' } of decoded.value.entries) {
    const entry = known.get(id);
    if (entry === undefined) return `The feed has the entry ${id}, which the record lacks.`;
    if (entry.content !== content || entry.signature !== signature.replaceAll(/\s/g, '')) {
      return `They say different things in the entry ${id}.`;
    }
  }
  const { feedStatus = 'active' } = decoded.value;
  return record.status === 'active' && feedStatus !== 'active'
    ? `The feed is ${feedStatus}, and the record is not.`
    : undefined;
}

async function readText(folder: Folder, path: string): Promise<string | undefined> {
  const bytes = await folder.read(path);
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: path.endsWith('.xml') }).decode(bytes);
  } catch {
    throw new StateCorruptError(`${folder.name}/${path}`, 'it is not UTF-8 text.', 'Mend it, or move it away.');
  }
}
