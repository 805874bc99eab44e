/**
 * Everything a publisher has said about its surface, in order. Every served file is made from it.
 *
 *     {"kind":"key","id":"did:web:api.example#key-1","publicKey":"…","time":"2026-04-27T12:00:00Z"}
 *     {"kind":"entry","id":"urn:af:api.example:1745755200000","type":"endpoint-announcement","content":"{…}",…}
 *     {"kind":"archive","ids":["urn:af:api.example:1745755200000"],"time":"…"}
 *     {"kind":"revoke","id":"did:web:api.example#key-1","time":"…"}
 *     {"kind":"status","status":"migrated","to":"https://new.example/.well-known/agent-feed.xml","time":"…"}
 *
 * Lines are only added, never changed. The record holds no secrets.
 */

import type { FeedStatus } from '../../../codecs/agent-feed/wire.ts';
import { accept, type Result, refuse } from '../../../codecs/primitives/result.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';

export const SURFACE_FILE = 'surface.ndjson';
/** Relative to the folder of the site, beside the files of `publish`. */
export const RECORD_FOLDER = '.well-known/tidings';
export const RECORD_PATH = `${RECORD_FOLDER}/${SURFACE_FILE}`;

export type SurfaceLine = KeyLine | EntryLine | StatusLine | ArchiveLine | RevokeLine;

/** A key that may sign from here on. */
export interface KeyLine {
  readonly kind: 'key';
  /** The DID URL of its verification method. */
  readonly id: string;
  /** The raw 32 bytes as base64url. */
  readonly publicKey: string;
  readonly time: string;
}

export interface EntryLine {
  readonly kind: 'entry';
  readonly id: string;
  readonly updated: string;
  readonly type: string;
  /** The signed text. */
  readonly content: string;
  readonly signature: string;
  readonly signer: string;
  readonly time: string;
}

export interface StatusLine {
  readonly kind: 'status';
  readonly status: Exclude<FeedStatus, 'active'>;
  readonly to?: string;
  readonly time: string;
}

/** These entries are served in the archive only. */
export interface ArchiveLine {
  readonly kind: 'archive';
  readonly ids: readonly string[];
  readonly time: string;
}

/** What this key signed no longer counts, whoever signed it. */
export interface RevokeLine {
  readonly kind: 'revoke';
  /** The DID URL of its verification method. */
  readonly id: string;
  readonly time: string;
}

export interface SurfaceRecord {
  readonly lines: readonly SurfaceLine[];
  /** All keys, including revoked ones. */
  readonly keys: readonly KeyLine[];
  /** The ids of the revoked keys. */
  readonly revoked: ReadonlySet<string>;
  /** All entries, oldest first. */
  readonly entries: readonly EntryLine[];
  readonly served: readonly EntryLine[];
  readonly archived: readonly EntryLine[];
  readonly status: FeedStatus;
  readonly migratedTo?: string;
  /** The time of the last line. */
  readonly updated?: string;
}

export function surfaceRecord(lines: readonly SurfaceLine[]): SurfaceRecord {
  const entries = lines.filter((line) => line.kind === 'entry');
  const gone = new Set(lines.flatMap((line) => (line.kind === 'archive' ? line.ids : [])));
  const last = lines.findLast((line) => line.kind === 'status');
  const updated = lines.at(-1)?.time;
  return {
    lines,
    keys: lines.filter((line) => line.kind === 'key'),
    revoked: new Set(lines.flatMap((line) => (line.kind === 'revoke' ? [line.id] : []))),
    entries,
    served: entries.filter(({ id }) => !gone.has(id)),
    archived: entries.filter(({ id }) => gone.has(id)),
    status: last?.status ?? 'active',
    ...(last?.to !== undefined && { migratedTo: last.to }),
    ...(updated !== undefined && { updated }),
  };
}

export function encodeSurfaceRecord(record: SurfaceRecord): string {
  return record.lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Refuses damaged text instead of repairing it: signed text cannot be guessed. */
export function decodeSurfaceRecord(text: string): Result<SurfaceRecord> {
  const { lines, flaw } = readLines(text);
  return flaw === undefined ? accept(surfaceRecord(lines)) : refuse(flaw.clause, flaw.message);
}

/** The readable lines of a damaged record, for ending the feed without adding anything to it. */
export function salvageSurfaceRecord(text: string): SurfaceRecord {
  return surfaceRecord(readLines(text).lines);
}

interface LineFlaw {
  readonly clause: string;
  readonly message: string;
}

/** The valid lines, and the first flaw. */
function readLines(text: string): { readonly lines: readonly SurfaceLine[]; readonly flaw: LineFlaw | undefined } {
  const lines: SurfaceLine[] = [];
  const ids = new Set<string>();
  const texts = text.split('\n');
  const isWhole = texts.at(-1) === '';
  if (isWhole) texts.pop();
  let flaw: LineFlaw | undefined = isWhole ? undefined : { clause: 'AF-ST1', message: 'The last line is cut short.' };
  for (const [index, json] of texts.entries()) {
    const line = decodeLine(json);
    const wrong = line === undefined ? 'is nothing that this version writes.' : findMisfit(line, ids);
    if (line === undefined || wrong !== undefined) {
      flaw ??= { clause: wrong === REPEATED_ID ? 'AF-ST5' : 'AF-ST1', message: `Line ${index + 1} ${wrong}` };
      continue;
    }
    if (line.kind === 'key' || line.kind === 'entry') ids.add(line.id);
    lines.push(line);
  }
  return { lines, flaw };
}

const REPEATED_ID = 'has an id that stands before.';

/** Why a line cannot follow the lines with these ids. */
function findMisfit(line: SurfaceLine, ids: ReadonlySet<string>): string | undefined {
  if (line.kind === 'archive') {
    return line.ids.every((id) => ids.has(id)) ? undefined : 'archives an entry that is not there.';
  }
  if (line.kind === 'revoke') return ids.has(line.id) ? undefined : 'revokes a key that is not there.';
  return line.kind !== 'status' && ids.has(line.id) ? REPEATED_ID : undefined;
}

function decodeLine(json: string): SurfaceLine | undefined {
  const line = parse(json);
  if (line === undefined || !isTime(line.time)) return undefined;
  switch (line.kind) {
    case 'key':
      return areTexts(line, ['id', 'publicKey']) ? (line as unknown as KeyLine) : undefined;
    case 'entry': {
      const isEntry = areTexts(line, ['id', 'type', 'content', 'signature', 'signer']) && isTime(line.updated);
      return isEntry ? (line as unknown as EntryLine) : undefined;
    }
    case 'status': {
      const isStatus = line.status === 'migrated' ? typeof line.to === 'string' : line.status === 'terminated';
      return isStatus ? (line as unknown as StatusLine) : undefined;
    }
    case 'archive': {
      const isArchive = Array.isArray(line.ids) && line.ids.every((id) => typeof id === 'string');
      return isArchive ? (line as unknown as ArchiveLine) : undefined;
    }
    case 'revoke':
      return areTexts(line, ['id']) ? (line as unknown as RevokeLine) : undefined;
    default:
      return undefined;
  }
}

function parse(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function areTexts(line: Readonly<Record<string, unknown>>, keys: readonly string[]): boolean {
  return keys.every((key) => typeof line[key] === 'string' && line[key] !== '');
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && parseTime(value) !== undefined;
}
