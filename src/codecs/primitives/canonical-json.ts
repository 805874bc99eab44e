/**
 * One text for one value: keys in code point order, no white space, numbers as ECMAScript prints them.
 *
 *     {"10":1,"9":2,"a":[true,null,"é"]}
 *
 * Like RFC 8785, except that keys sort by code point and not by UTF-16 unit.
 */

import { compareCodePoints } from './code-points.ts';

const MAX_DEPTH = 1000;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Throws a TypeError for anything that JSON cannot express exactly: `undefined`, NaN, a lone surrogate, a Date, a cycle. */
export function canonicalJson(value: unknown): string {
  return encodeValue(value, 0);
}

function encodeValue(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw new TypeError(`The value is nested more than ${MAX_DEPTH} deep.`);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return encodeString(value);
  if (typeof value === 'number') return encodeNumber(value);
  if (Array.isArray(value)) return `[${Array.from(value, (item) => encodeValue(item, depth + 1)).join(',')}]`;
  if (typeof value === 'object') return encodeObject(value, depth);
  throw new TypeError(`JSON has no ${typeof value}.`);
}

/** Built as text, because an object would put integer-like keys first. */
function encodeObject(value: object, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw new TypeError('Only plain objects have a canonical form.');
  }
  const members = Object.entries(value).sort(([left], [right]) => compareCodePoints(left, right));
  return `{${members.map(([key, member]) => `${encodeString(key)}:${encodeValue(member, depth + 1)}`).join(',')}}`;
}

function encodeString(text: string): string {
  if (LONE_SURROGATE.test(text)) throw new TypeError('A string holds half of a surrogate pair.');
  return JSON.stringify(text);
}

function encodeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`JSON has no ${value}.`);
  return String(value);
}
