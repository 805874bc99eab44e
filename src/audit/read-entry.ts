import { decodeEntry } from '../codecs/tlog/decode-entry.ts';
import type { ChangeLogEntry, EntryText, LogEntry } from '../codecs/tlog/entry.ts';
import type { Action, Kind } from '../model/change.ts';
import type { TreeEntry } from '../tlog/tree-reader.ts';
import type { AuditFinding } from './audit-report.ts';
import type { KnownEntry } from './log-knowledge.ts';

export interface AuditedEntry {
  /** Undefined for an unreadable entry. */
  readonly known?: KnownEntry;
  readonly finding?: AuditFinding;
}

/** The audited facts of an entry, and what is wrong with its form. Its presence in the tree was proven before. */
export function readLogEntry({ bytes, index }: TreeEntry): AuditedEntry {
  const where = `entry ${index}`;
  const decoded = decodeEntry(bytes);
  if (!decoded.ok) {
    const [{ message }] = decoded.issues;
    return { finding: { what: `An entry cannot be read: ${message}`, where, evidence: { index, text: shown(bytes) } } };
  }
  const { entry, isCanonical } = decoded.value;
  const known = knownOf(entry);
  if (known === undefined) {
    return {
      finding: { what: 'An entry tells of a change of no known kind.', where, evidence: { index, text: shown(bytes) } },
    };
  }
  if (isCanonical) return { known };
  return {
    known,
    finding: { what: 'An entry is not in canonical form.', where, evidence: { index, text: shown(bytes) } },
  };
}

function knownOf(entry: LogEntry): KnownEntry | undefined {
  if (entry.type === 'change') return changeOf(entry);
  if (entry.type === 'begin') return { type: 'begin', origin: entry.origin, count: entry.count, time: entry.time };
  if (entry.type === 'checked') return { type: 'checked', time: entry.time };
  if (entry.type === 'artifact') return { type: 'files', files: [{ path: textOf(entry.path), sha256: entry.sha256 }] };
  const files = entry.artifacts.map(({ path, after }) => ({ path, sha256: after?.slice('sha256:'.length) }));
  return { type: 'files', files, time: entry.time };
}

function changeOf(entry: ChangeLogEntry): KnownEntry | undefined {
  const { id, seq, kind, action, time, anchor, checksum } = entry;
  if (!isKind(kind) || !isAction(action)) return undefined;
  const [source, url] = [textOf(entry.source), textOf(entry.url)];
  const change = {
    ...{ id, seq, source, kind, action, url, time },
    ...(anchor !== undefined && { anchor: textOf(anchor) }),
    ...(checksum !== undefined && { checksum }),
  };
  return { type: 'change', change };
}

/** The entry holds only the hash of a text that was too long for it. */
function textOf(text: EntryText): string {
  return typeof text === 'string' ? text : `sha256:${text.sha256}`;
}

function isKind(kind: string): kind is Kind {
  return kind === 'page' || kind === 'endpoint';
}

function isAction(action: string): action is Action {
  return action === 'create' || action === 'update' || action === 'delete';
}

const SHOWN = 2000;

function shown(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, SHOWN));
}
