import { decodeAgentFeed } from '../../../codecs/agent-feed/decode-feed.ts';
import { isSameDid } from '../../../codecs/agent-feed/did-web.ts';
import { decodeJsonObject } from '../../../codecs/agent-feed/json-members.ts';
import {
  CARD_PATH,
  DID_PATH,
  type DidDocument,
  FEED_PATH,
  FEED_STATUSES,
  type FeedStatus,
  METHOD_TYPE,
} from '../../../codecs/agent-feed/wire.ts';
import { decodeBase64url } from '../../../codecs/primitives/base64url.ts';
import { SurfaceRefusedError } from '../../../errors/surface-error.ts';
import { TidingsError } from '../../../errors/tidings-error.ts';
import type { Folder } from '../../../model/folder.ts';
import { adoptFeed } from './adopt-feed.ts';
import { ARCHIVE_PATH, type ExistingFiles } from './derive-files.ts';
import { findContradiction, findStranger } from './load-surface.ts';
import type { SigningKeys } from './signing-keys.ts';
import {
  decodeSurfaceRecord,
  type EntryLine,
  RECORD_FOLDER,
  RECORD_PATH,
  type SurfaceRecord,
  salvageSurfaceRecord,
  surfaceRecord,
} from './surface-record.ts';
import type { SurfaceSite } from './surface-site.ts';
import { findForgedEntries, forgedText } from './verify-record.ts';

/** What can be known about a surface that may be damaged or controlled by somebody else. */
export interface SalvagedSurface {
  readonly record: SurfaceRecord;
  readonly existing: ExistingFiles;
  /** Files that cannot be read. They are left alone. */
  readonly unreadable: ReadonlySet<string>;
  /** Files that hold more than is taken over. They are kept under another name before they are rewritten. */
  readonly damaged: readonly DamagedFile[];
  /** What the feed in the folder says about itself. */
  readonly served: { readonly status: FeedStatus; readonly migratedTo?: string | undefined };
  readonly warnings: readonly string[];
}

export interface DamagedFile {
  readonly path: string;
  /** The path of the kept copy. */
  readonly aside: string;
  readonly bytes: Uint8Array;
}

export interface SalvageParts {
  readonly folder: Folder;
  readonly site: SurfaceSite;
  /** Undefined if they are not available. */
  readonly keys: SigningKeys | undefined;
  readonly force: boolean;
  readonly time: string;
}

interface SeenFile {
  readonly path: string;
  readonly bytes?: Uint8Array;
  /** Undefined if the file does not exist or is not text. */
  readonly text?: string;
  /** Why the file cannot be read. */
  readonly problem?: string;
}

/**
 * Like {@link loadSurface}, but for ending a feed: nothing that is broken or forged stops it. The entries are those of the record
 * that can be read; without a record, the served entries that verify.
 *
 * Only a site or a key file that clearly does not belong to this folder is refused.
 */
export async function salvageSurface({ folder, site, keys, force, time }: SalvageParts): Promise<SalvagedSurface> {
  const look = (path: string) => lookAt(folder, path);
  const [recordFile, feed, did, card, archive] = await Promise.all(
    [RECORD_PATH, ...[FEED_PATH, DID_PATH, CARD_PATH, ARCHIVE_PATH].map((path) => path.slice(1))].map(look),
  );
  if (!(recordFile && feed && did && card && archive)) throw new Error('Each file was looked at.');
  const damaged: DamagedFile[] = [];
  const warnings: string[] = [];
  let record = await recordOf(recordFile, site);
  if (record !== undefined && 'flaw' in record) {
    const { flaw } = record;
    keep(recordFile);
    warnings.push(
      `${RECORD_PATH} is damaged: ${flaw} The rest of it counts; all of it is kept as ${nameOf(RECORD_PATH)}.`,
    );
    record = record.lines.some(({ kind }) => kind === 'entry' || kind === 'status') ? record : undefined;
  }
  if (recordFile.problem !== undefined && recordFile.bytes === undefined) {
    warnings.push(`${RECORD_PATH} was left as it is. ${recordFile.problem}`);
  }
  const contradiction = record && feed.text !== undefined ? findContradiction(record, feed.text) : undefined;
  if (contradiction !== undefined) warnings.push(`${contradiction} The feed is made anew from the record.`);
  if (record === undefined && feed.bytes !== undefined) {
    if (!force) refuseOtherDid(did, site);
    const files = { feed: feed.text ?? '', archive: archive.text, did: did.text };
    const { lines, problems } = adoptFeed(files, site, keys && documentOf(keys, site));
    if (problems.length > 0) [feed, archive].forEach(keep);
    warnings.push(...problems.map((problem) => `The feed is there without its record. ${problem}`));
    record = surfaceRecord(lines);
  }
  for (const { path, problem } of [did, card]) {
    if (problem !== undefined) warnings.push(`/${path} was left as it is. ${problem}`);
  }
  const files = [recordFile, did, card, archive];
  return {
    record: record ?? surfaceRecord([]),
    existing: { did: did.text, card: card.text },
    unreadable: new Set(
      files
        .filter(({ path, problem }) => problem !== undefined && !damaged.some((one) => one.path === path))
        .map(({ path }) => path),
    ),
    damaged,
    served: statusOf(feed.text),
    warnings,
  };

  function keep({ path, bytes }: SeenFile): void {
    if (bytes !== undefined) damaged.push({ path, aside: `${RECORD_FOLDER}/${nameOf(path)}`, bytes });
  }

  function nameOf(path: string): string {
    return `${path.replace(/.*\//s, '')}.damaged-${time.replaceAll(':', '')}`;
  }
}

async function lookAt(folder: Folder, path: string): Promise<SeenFile> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await folder.read(path);
  } catch (error) {
    if (!(error instanceof TidingsError)) throw error;
    return { path, problem: error.message };
  }
  if (bytes === undefined) return { path };
  try {
    return {
      path,
      bytes,
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: path.endsWith('.xml') }).decode(bytes),
    };
  } catch {
    return { path, bytes, problem: 'It is not UTF-8 text.' };
  }
}

/** Undefined if there is no record. */
async function recordOf(
  { text, bytes, problem }: SeenFile,
  site: SurfaceSite,
): Promise<SurfaceRecord | (SurfaceRecord & { readonly flaw: string }) | undefined> {
  if (bytes === undefined) return undefined;
  const decoded = text === undefined ? undefined : decodeSurfaceRecord(text);
  const whole = decoded?.ok ? decoded.value : undefined;
  const record = whole ?? salvageSurfaceRecord(text ?? readableLines(bytes));
  const stranger = findStranger(record, site);
  if (stranger !== undefined) {
    throw new SurfaceRefusedError('--site', `The record of this folder is signed as ${stranger}, not as ${site.did}.`);
  }
  const forged = await findForgedEntries(record);
  const broken = decoded?.ok === false ? decoded.issues[0].message : (problem ?? '');
  const flaw = [whole === undefined ? broken : '', forgedText(forged) ?? ''].filter((text) => text !== '').join(' ');
  return whole !== undefined && forged.length === 0 ? whole : { ...withoutEntries(record, forged), flaw };
}

function withoutEntries({ lines }: SurfaceRecord, forged: readonly EntryLine[]): SurfaceRecord {
  const gone = new Set(forged.map(({ id }) => id));
  const kept = lines.filter((line) => line.kind !== 'entry' || !gone.has(line.id));
  return surfaceRecord(
    kept.map((line) => (line.kind === 'archive' ? { ...line, ids: line.ids.filter((id) => !gone.has(id)) } : line)),
  );
}

function readableLines(bytes: Uint8Array): string {
  const lines = new TextDecoder().decode(bytes).split('\n');
  return lines.filter((line) => !line.includes('\uFFFD')).join('\n');
}

function refuseOtherDid({ text }: SeenFile, { did }: SurfaceSite): void {
  const document = text === undefined ? undefined : decodeJsonObject(text);
  const id = document?.ok ? document.value.id : undefined;
  if (typeof id !== 'string' || isSameDid(id, did)) return;
  throw new SurfaceRefusedError(
    '--site',
    `The did.json of this folder is that of "${id.slice(0, 200)}", not of ${did}.`,
  );
}

function documentOf({ keys }: SigningKeys, { did }: SurfaceSite): DidDocument {
  const methods = keys.map(({ id, publicKey }) => {
    const bytes = decodeBase64url(publicKey);
    return { id: `${did}#${id}`, type: METHOD_TYPE, ...(bytes && { publicKey: bytes }) };
  });
  return { id: did, methods };
}

function statusOf(feed: string | undefined): SalvagedSurface['served'] {
  const decoded = feed === undefined ? undefined : decodeAgentFeed(feed);
  if (!decoded?.ok) return { status: 'active' };
  const { feedStatus, migratedTo } = decoded.value;
  return { status: FEED_STATUSES.find((status) => status === feedStatus) ?? 'active', migratedTo };
}
