import { findJsonFlaw } from '../primitives/json-flaw.ts';
import { isRecord, type JsonRecord } from '../primitives/json-record.ts';
import { accept, type Result, refuse } from '../primitives/result.ts';
import { parseTime } from '../primitives/time.ts';
import { endpointProblem } from './endpoint.ts';
import { decodeMigration } from './migration-delta.ts';
import {
  type AnnouncementFact,
  type DeprecationFact,
  ENTRY_TYPES,
  type EntryType,
  type Fact,
  type SchemaChangeFact,
} from './wire.ts';

/** Thrown and caught only in this file: the first fault of a payload. */
class Refusal extends Error {
  readonly clause: string;

  constructor(clause: string, message: string) {
    super(message);
    this.clause = clause;
  }
}

const MAX_DEPTH = 64;
/** The draft sets no limits. These bound what a publisher can make a reader remember and compare. */
const MAX_PAYLOAD_BYTES = 65_536;
const MAX_NAME = 1024;
const MAX_ENDPOINT = 2048;
const MAX_REASON = 4096;
/** A number without one of these fits into a double. */
const MAYBE_HUGE = /e\+?\d{3}|\d{200}/i;

const REQUIRED: Readonly<Record<EntryType, readonly string[]>> = {
  'endpoint-announcement': ['endpoint', 'protocol', 'version', 'asserted-at'],
  'schema-change': ['endpoint-id', 'from-version', 'to-version', 'effective-at', 'migration'],
  deprecation: ['endpoint-id', 'announced-at', 'sunset'],
};

/**
 * Decodes a payload as the type that its entry claims (§25–§27).
 *
 * The type is not signed, so a payload that could also be read as another type is refused (T-AF-3). Fields that v0 does not know
 * are ignored.
 */
export function decodePayload(type: EntryType, text: string): Result<Fact> {
  try {
    const payload = parsePayload(text);
    const other = ENTRY_TYPES.find((each) => each !== type && hasAll(payload, REQUIRED[each]));
    if (other !== undefined)
      throw new Refusal(
        'AF-EN1',
        `The payload of this ${type} reads as ${other.startsWith('e') ? 'an' : 'a'} ${other}.`,
      );
    return accept(READERS[type](payload));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refuse(error.clause, error.message);
  }
}

const READERS: Readonly<Record<EntryType, (payload: JsonRecord) => Fact>> = {
  'endpoint-announcement': readAnnouncement,
  'schema-change': readSchemaChange,
  deprecation: readDeprecation,
};

function readAnnouncement(payload: JsonRecord): AnnouncementFact {
  const endpoint = nameOf(payload, 'endpoint', 'AF-PA2', MAX_ENDPOINT);
  const problem = endpointProblem(endpoint);
  if (problem !== undefined) throw new Refusal('AF-PA2', `endpoint ${problem}.`);
  return {
    type: 'endpoint-announcement',
    endpointId: Object.hasOwn(payload, 'endpoint-id') ? nameOf(payload, 'endpoint-id', 'AF-PA1') : endpoint,
    endpoint,
    protocol: nameOf(payload, 'protocol', 'AF-PA3'),
    version: nameOf(payload, 'version', 'AF-PA4'),
    assertedAt: timeOf(payload, 'asserted-at', 'AF-PA5'),
  };
}

function readSchemaChange(payload: JsonRecord): SchemaChangeFact {
  const fact = {
    type: 'schema-change' as const,
    endpointId: nameOf(payload, 'endpoint-id', 'AF-PS1'),
    fromVersion: nameOf(payload, 'from-version', 'AF-PS1'),
    toVersion: nameOf(payload, 'to-version', 'AF-PS1'),
    effectiveAt: timeOf(payload, 'effective-at', 'AF-PS3'),
  };
  const migration = decodeMigration(own(payload, 'migration'));
  if (!migration.ok) throw new Refusal(migration.issues[0].clause, migration.issues[0].message);
  return { ...fact, migration: migration.value };
}

function readDeprecation(payload: JsonRecord): DeprecationFact {
  return {
    type: 'deprecation',
    endpointId: nameOf(payload, 'endpoint-id', 'AF-PD1'),
    announcedAt: timeOf(payload, 'announced-at', 'AF-PD2'),
    sunset: timeOf(payload, 'sunset', 'AF-PD3'),
    replacement:
      Object.hasOwn(payload, 'replacement') && payload.replacement !== null
        ? nameOf(payload, 'replacement', 'AF-PD4')
        : null,
    reason: textOrNull(payload, 'reason', 'AF-PD5', MAX_REASON),
  };
}

function parsePayload(text: string): JsonRecord {
  if (isTooLarge(text)) throw new Refusal('AF-EN9', `The payload has more than ${MAX_PAYLOAD_BYTES} bytes.`);
  const flaw = findJsonFlaw(text, MAX_DEPTH);
  if (flaw?.is === 'deep') throw new Refusal('AF-EN9', `The payload is nested deeper than ${MAX_DEPTH}.`);
  if (flaw?.is === 'duplicate') {
    throw new Refusal('AF-EN9', `The payload has the key ${flaw.at.slice(0, 200)} twice.`);
  }
  const value = parseJson(text);
  if (!isRecord(value)) {
    throw new Refusal('AF-EN9', 'The payload is no JSON object.');
  }
  if (text.includes('\\u') && hasHalfPair(value)) {
    throw new Refusal('AF-CJ4', 'The payload holds half of a surrogate pair, which is no character.');
  }
  if (MAYBE_HUGE.test(text) && hasHugeNumber(value)) {
    throw new Refusal('AF-CJ5', 'The payload holds a number that is larger than any that can be read.');
  }
  return value;
}

function isTooLarge(text: string): boolean {
  if (text.length > MAX_PAYLOAD_BYTES) return true;
  // A UTF-16 unit takes at most three bytes of UTF-8.
  return text.length * 3 > MAX_PAYLOAD_BYTES && new TextEncoder().encode(text).length > MAX_PAYLOAD_BYTES;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('AF-EN9', 'The payload is no JSON.');
  }
}

function hasHalfPair(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) => !key.isWellFormed() || hasHalfPair(member));
}

function hasHugeNumber(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasHugeNumber);
}

function hasAll(payload: JsonRecord, names: readonly string[]): boolean {
  return names.every((name) => Object.hasOwn(payload, name));
}

function own(payload: JsonRecord, name: string): unknown {
  return Object.hasOwn(payload, name) ? payload[name] : undefined;
}

function nameOf(payload: JsonRecord, name: string, clause: string, maxLength = MAX_NAME): string {
  const value = own(payload, name);
  if (value === undefined) throw new Refusal(clause, `The payload has no ${name}.`);
  if (typeof value !== 'string') throw new Refusal(clause, `${name} is no string.`);
  if (value === '') throw new Refusal(clause, `${name} is empty.`);
  return notLonger(value, name, clause, maxLength);
}

function notLonger(value: string, name: string, clause: string, maxLength: number): string {
  if (value.length > maxLength) throw new Refusal(clause, `${name} has more than ${maxLength} characters.`);
  return value;
}

function timeOf(payload: JsonRecord, name: string, clause: string): string {
  const text = nameOf(payload, name, clause);
  if (parseTime(text) === undefined) {
    throw new Refusal(clause, `${name} "${text.slice(0, 50)}" is no RFC 3339 date-time.`);
  }
  return text;
}

function textOrNull(payload: JsonRecord, name: string, clause: string, maxLength: number): string | null {
  const value = own(payload, name) ?? null;
  if (value !== null && typeof value !== 'string') throw new Refusal(clause, `${name} is neither a string nor null.`);
  return value === null ? null : notLonger(value, name, clause, maxLength);
}
