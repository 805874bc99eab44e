import { hash } from 'node:crypto';
import { isSameBytes } from '../../../codecs/primitives/bytes.ts';
import { decodeEntry } from '../../../codecs/tlog/decode-entry.ts';
import { encodeEntry } from '../../../codecs/tlog/encode-entry.ts';
import type { ChangeLogEntry, LogEntry } from '../../../codecs/tlog/entry.ts';
import { hashTexts } from '../../../codecs/tlog/hashed-text.ts';
import type { Change } from '../../../model/change.ts';
import { lineOfEarlier, logEntryOf, textsOf } from '../../../tlog/entry-of-change.ts';
import { sha256 } from '../../../tlog/sha256.ts';
import { SALTED_FIELDS } from '../../../tlog/with-salts.ts';
import type { FsckFinding } from './fsck-finding.ts';

export const LOG_NAME = 'log.ndjson';

/** Compares the entries of changes with log.ndjson, field by field. A text that log.ndjson lacks must have been redacted. */
export function fsckChanges(entries: readonly Uint8Array[], changes: readonly Change[]): readonly FsckFinding[] {
  const findings: FsckFinding[] = [];
  const decoded = entries.map((bytes, index) => readEntry(bytes, index, findings));
  const redacted = redactedFields(decoded);
  let seq = 0;
  for (const [index, entry] of decoded.entries()) {
    if (entry === undefined) continue;
    if ((entry.type === 'begin') !== (index === 0))
      findings.push({ what: 'A log begins with its first entry.', where: `entry ${index}` });
    if (entry.type === 'begin') {
      seq = entry.count;
      findings.push(...otherBeginning(entry, changes));
    }
    if (entry.type !== 'change') continue;
    seq += 1;
    const where = `entry ${index}`;
    if (entry.seq !== seq) findings.push({ what: `It is of change ${entry.seq}, where ${seq} follows.`, where });
    seq = entry.seq;
    const change = changes[entry.seq - 1];
    const bytes = entries[index];
    const why =
      change === undefined || bytes === undefined
        ? 'is not there'
        : changeDifference(entry, change, { bytes, redacted });
    if (why !== undefined) findings.push({ what: `Change ${entry.seq} (${entry.id}) ${why}.`, where: LOG_NAME });
  }
  const untold = changes.length - seq;
  if (untold > 0) {
    findings.push({
      what: `${untold} changes are not in the provable log. A publish that was cut off is completed by the next one.`,
      where: LOG_NAME,
    });
  }
  return findings;
}

function readEntry(bytes: Uint8Array, index: number, findings: FsckFinding[]): LogEntry | undefined {
  const decoded = decodeEntry(bytes);
  if (!decoded.ok) findings.push({ what: decoded.issues[0].message, where: `entry ${index}` });
  else if (!decoded.value.isCanonical) findings.push({ what: 'It is not canonical JSON.', where: `entry ${index}` });
  return decoded.ok ? decoded.value.entry : undefined;
}

/** `id field` of every text that the log says was redacted. */
function redactedFields(entries: readonly (LogEntry | undefined)[]): ReadonlySet<string> {
  return new Set(
    entries.flatMap((entry) => (entry?.type === 'redacted' ? entry.fields.map((field) => `${entry.id} ${field}`) : [])),
  );
}

function otherBeginning(
  entry: Extract<LogEntry, { type: 'begin' }>,
  changes: readonly Change[],
): readonly FsckFinding[] {
  const before = changes.slice(0, entry.count);
  const earlier = `sha256:${hash('sha256', before.map(lineOfEarlier).join(''))}`;
  if (before.length === entry.count && earlier === entry.earlier) return [];
  return [
    {
      what: `The ${entry.count} changes before the provable log are not those that its first entry commits to.`,
      where: LOG_NAME,
    },
  ];
}

/** How a change differs from its entry; undefined if it does not. */
export function changeDifference(
  entry: ChangeLogEntry,
  change: Change,
  { bytes, redacted }: { readonly bytes: Uint8Array; readonly redacted: ReadonlySet<string> },
): string | undefined {
  const texts = textsOf(change);
  const unsalted = SALTED_FIELDS.find((field) => change[field] !== undefined && texts[field] === undefined);
  if (unsalted !== undefined) return `has a ${unsalted} without a salt, which nothing proves`;
  const lost = Object.keys(entry.hashed).filter((field) => texts[field] === undefined);
  const unexplained = lost.find((field) => !redacted.has(`${entry.id} ${field}`));
  if (unexplained !== undefined) return `has no ${unexplained} any more, and no entry says that it was redacted`;
  const wrong = Object.entries(safeHashes(texts)).find(([field, hashed]) => entry.hashed[field] !== hashed);
  if (wrong !== undefined) return `has another ${wrong[0]}, or another salt of it, than its entry has the hash of`;
  const kept = Object.fromEntries(lost.map((field) => [field, entry.hashed[field] ?? '']));
  const expected = { ...logEntryOf(change), hashed: { ...kept, ...safeHashes(texts) } };
  if (isSameBytes(encodeEntry(expected, sha256), bytes)) return undefined;
  const field = Object.keys(expected).find((name) => !isSame(Reflect.get(expected, name), Reflect.get(entry, name)));
  return `has another ${field ?? 'content'} than its entry`;
}

/** A salt of another length gives an empty hash, which no entry has. */
function safeHashes(texts: ReturnType<typeof textsOf>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(texts).map(([field, text]) => {
      try {
        return [field, hashTexts({ [field]: text }, sha256)[field] ?? ''];
      } catch {
        return [field, ''];
      }
    }),
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
