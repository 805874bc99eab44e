import { findJsonFlaw } from '../primitives/json-flaw.ts';
import { isRecord, type JsonRecord } from '../primitives/json-record.ts';
import { accept, type Issue, type Result, refuse } from '../primitives/result.ts';
import { withoutZero } from './cursor.ts';
import type { Cursor } from './wire.ts';

/** Far deeper than any feed; more depth would exhaust the stack of code that walks it. */
const MAX_DEPTH = 200;
/** Foreign cursors are opaque, but nobody needs a long one. */
const MAX_CURSOR_LENGTH = 512;
const MAX_ISSUES = 100;
const MAX_SHOWN = 80;

/** A document of DiffDelta as one JSON object without `__proto__` keys, or why it is not one. */
export function readObject(text: string): Result<JsonRecord> {
  if (typeof text !== 'string') return refuse('DD-R1', 'The document is not JSON text.');
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const flaw = findJsonFlaw(json, MAX_DEPTH);
  if (flaw?.is === 'deep') return refuse('DD-R1', `The document is nested more than ${MAX_DEPTH} deep.`);
  if (flaw !== undefined) return refuse('DD-R1', `The document has ${valueInMessage(flaw.at)} twice.`);
  const value = parse(json);
  if (value === undefined) return refuse('DD-R1', 'The document is not JSON.');
  return isRecord(value) ? accept(value) : refuse('DD-R1', 'The document is not a JSON object.');
}

/** A text that UTF-8 can represent; undefined for anything else. */
export function wellFormedText(value: unknown): string | undefined {
  return typeof value === 'string' && value.isWellFormed() ? value : undefined;
}

/** Like {@link wellFormedText}, and not empty. */
export function filledText(value: unknown): string | undefined {
  return value === '' ? undefined : wellFormedText(value);
}

/** The names in a list, without values that are not names. */
export function filledTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.flatMap((each) => filledText(each) ?? []) : [];
}

/** An interval in seconds; undefined for anything but a positive finite number. */
export function secondsOf(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : undefined;
}

export function booleanOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** A cursor in any form that a server uses; the zero cursor becomes null (DD-C6). Undefined for a value that cannot be a cursor. */
export function cursorIn(value: unknown): Cursor | undefined {
  if (value === null) return null;
  const cursor = filledText(value);
  return cursor === undefined || cursor.length > MAX_CURSOR_LENGTH ? undefined : withoutZero(cursor);
}

/** An object without the members that are undefined. */
export function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> };
export function given(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined));
}

/** Notes a fault of a document that is still read. The number of notes is limited, so a hostile document cannot add many. */
export function note(issues: Issue[], clause: string, message: string): void {
  if (issues.length < MAX_ISSUES) issues.push({ clause, message });
}

/** A foreign value for a message: short, and on one line. */
export function valueInMessage(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  return value.length > MAX_SHOWN ? `${JSON.stringify(value.slice(0, MAX_SHOWN))}…` : JSON.stringify(value);
}

function parse(json: string): unknown {
  try {
    return /__proto__|\\u005f/i.test(json) ? JSON.parse(json, withoutPrototype) : JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Code that copies the object by assignment would set the prototype from such a member. */
function withoutPrototype(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}
