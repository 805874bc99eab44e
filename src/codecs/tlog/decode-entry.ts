import { canonicalJson } from '../primitives/canonical-json.ts';
import { findJsonFlaw } from '../primitives/json-flaw.ts';
import { isRecord, type JsonRecord } from '../primitives/json-record.ts';
import { accept, type Result, refuse } from '../primitives/result.ts';
import { parseTime } from '../primitives/time.ts';
import { LOG_FORMAT, type LogEntry } from './entry.ts';
import { MAX_ENTRY_BYTES } from './entry-bundle.ts';

export interface DecodedLogEntry {
  readonly entry: LogEntry;
  /** False if the JSON is not written canonically. The hash covers the bytes as written, so that is only a finding. */
  readonly isCanonical: boolean;
}

const MAX_DEPTH = 8;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

type Test = (value: unknown) => boolean;

const isText: Test = (value) => typeof value === 'string' && value !== '';
const isTime: Test = (value) => typeof value === 'string' && parseTime(value) !== undefined;
const isCount: Test = (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const isSeq: Test = (value) => isCount(value) && value !== 0;
const isHex: Test = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const isHash: Test = (value) => typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value);
const isTextOrHash: Test = (value) =>
  isText(value) || (isRecord(value) && isHex(value.sha256) && Object.keys(value).length === 1);
const isFieldName: Test = (value) => typeof value === 'string' && /^[a-z][A-Za-z0-9_]{0,63}$/.test(value);
const orAbsent =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value);
const listOf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(test);

const isHashed: Test = (value) =>
  isRecord(value) && Object.entries(value).every(([name, hash]) => isFieldName(name) && isHash(hash));
const isProvenance: Test = (value) =>
  isRecord(value) && orAbsent(isText)(value.by) && Object.keys(value).every((key) => key === 'by');
const isArtifact: Test = (value) =>
  isRecord(value) && fieldThatIsWrong(value, { path: isText, before: isHash, after: orAbsent(isHash) }) === undefined;

const FIELDS: Readonly<Record<LogEntry['type'], Readonly<Record<string, Test>>>> = {
  begin: {
    origin: isText,
    time: isTime,
    format: (value) => value === LOG_FORMAT,
    count: isCount,
    earlier: isHash,
    previous: orAbsent(isText),
  },
  change: {
    ...{ id: isText, seq: isSeq, source: isTextOrHash, kind: isText, action: isText, url: isTextOrHash },
    ...{
      anchor: orAbsent(isTextOrHash),
      time: isTime,
      checksum: orAbsent(isText),
      provenance: isProvenance,
      hashed: isHashed,
    },
  },
  checked: { time: isTime, since: isTime, count: isCount, list: isHash, after: isCount },
  artifact: { path: isTextOrHash, sha256: isHex, bytes: isCount, after: isCount },
  redacted: { id: isText, time: isTime, fields: listOf(isFieldName), artifacts: listOf(isArtifact) },
};

/**
 * Decodes an entry. Strict about its content, lenient about its spelling, which `isCanonical` reports: a proof covers only the
 * bytes.
 *
 * @example
 * const decoded = decodeEntry(bytes);
 * if (decoded.ok && decoded.value.entry.type === 'change') decoded.value.entry.seq; // 7
 */
export function decodeEntry(bytes: Uint8Array): Result<DecodedLogEntry> {
  if (bytes.length > MAX_ENTRY_BYTES) return refuse('TL-E3', `An entry has at most ${MAX_ENTRY_BYTES} bytes.`);
  const parsed = parse(bytes);
  if (!parsed.ok) return parsed;
  const { value, text } = parsed.value;
  if (value.v !== 1) return refuse('TL-O1', 'It is of another version than 1.');
  if (!isEntry(value)) return refuse('TL-O1', flawOf(value));
  return accept({ entry: value, isCanonical: isCanonical(value, text) });
}

function parse(bytes: Uint8Array): Result<{ value: JsonRecord; text: string }> {
  try {
    const text = UTF8.decode(bytes);
    const flaw = findJsonFlaw(text, MAX_DEPTH);
    if (flaw !== undefined)
      return refuse('TL-O1', flaw.is === 'deep' ? 'It is nested too deep.' : `It says ${flaw.at} twice.`);
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? accept({ value, text }) : refuse('TL-O1', 'It is no JSON object.');
  } catch {
    return refuse('TL-O1', 'It is no JSON in UTF-8.');
  }
}

function isEntry(value: JsonRecord): value is JsonRecord & LogEntry {
  const fields = fieldsOf(value.type);
  return fields !== undefined && fieldThatIsWrong(value, { ...fields, v: isSeq, type: isText }) === undefined;
}

function flawOf(value: JsonRecord): string {
  const fields = fieldsOf(value.type);
  if (fields === undefined) return 'Its type is none of begin, change, checked, artifact and redacted.';
  return `Its ${fieldThatIsWrong(value, { ...fields, v: isSeq, type: isText })} is not what a ${value.type} entry has.`;
}

function fieldsOf(type: unknown): Readonly<Record<string, Test>> | undefined {
  return typeof type === 'string' ? new Map(Object.entries(FIELDS)).get(type) : undefined;
}

/** The name of the first field that is missing, wrong or unknown. */
function fieldThatIsWrong(value: JsonRecord, tests: Readonly<Record<string, Test>>): string | undefined {
  const wrong = Object.entries(tests).find(
    ([name, test]) => !test(Object.hasOwn(value, name) ? value[name] : undefined),
  );
  return wrong?.[0] ?? Object.keys(value).find((name) => !Object.hasOwn(tests, name));
}

function isCanonical(value: JsonRecord, text: string): boolean {
  try {
    return canonicalJson(value) === text;
  } catch {
    return false;
  }
}
