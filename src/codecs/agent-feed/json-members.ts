import { findJsonFlaw } from '../primitives/json-flaw.ts';
import { accept, type Result, refuse } from '../primitives/result.ts';

const MAX_DEPTH = 200;

/** The position of the value of a member of the outermost object. */
interface MemberPlace {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** The members of a foreign JSON object. Duplicate keys are refused, and so is anything that is not an object. */
export function decodeJsonObject(text: string): Result<Readonly<Record<string, unknown>>> {
  const flaw = findJsonFlaw(text, MAX_DEPTH);
  if (flaw !== undefined) {
    return refuse('AF-SN1', flaw.is === 'deep' ? 'It is nested too deep.' : `It has "${flaw.at}" twice.`);
  }
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('AF-SN1', 'It is no JSON object.');
  return accept(value as Readonly<Record<string, unknown>>);
}

/** Sets some members in a JSON text. All other bytes stay, including the digits of numbers and the layout. */
export function setJsonMembers(text: string, members: Readonly<Record<string, unknown>>): string {
  return Object.entries(members).reduce((done, [key, value]) => setMember(done, key, value), text);
}

/** The texts of the values in an array member. A single value counts as an array of one; without such a member there are none. */
export function jsonItems(text: string, key: string): readonly string[] {
  return arrayOf(text, key)?.items ?? [];
}

/** One of {@link jsonItems}, which keeps its bytes, or a new value. */
export type JsonItem = { readonly text: string } | { readonly value: unknown };

/** Sets the values of an array member in a JSON text. */
export function setJsonItems(text: string, key: string, items: readonly JsonItem[]): string {
  const list = arrayOf(text, key);
  if (list === undefined)
    return setMember(
      text,
      key,
      items.flatMap((item) => ('value' in item ? [item.value] : [])),
    );
  const { start, end, gap, tail } = list;
  const margin = gap.slice(gap.lastIndexOf('\n') + 1);
  const written = items.map((item) => {
    if ('text' in item) return item.text;
    if (!gap.includes('\n')) return JSON.stringify(item.value);
    return JSON.stringify(item.value, null, 2).replaceAll('\n', `\n${margin}`);
  });
  const inside = written.length === 0 ? '' : `${gap}${written.join(`,${gap || list.space}`)}${tail}`;
  return `${text.slice(0, start)}[${inside}]${text.slice(end)}`;
}

interface ArrayPlace {
  readonly start: number;
  readonly end: number;
  readonly items: readonly string[];
  /** The white space before the first value, after a comma on the same line, and after the last value. */
  readonly gap: string;
  readonly space: string;
  readonly tail: string;
}

function arrayOf(text: string, key: string): ArrayPlace | undefined {
  const place = memberPlaces(text).find((one) => one.key === key);
  if (place === undefined) return undefined;
  const { start, end } = place;
  if (text[start] !== '[') return { start, end, items: [text.slice(start, end)], gap: '', space: ' ', tail: '' };
  const items: string[] = [];
  const first = skip(text, start + 1, /\s/);
  let last = start + 1;
  for (let at = first; text[at] !== ']' && at < end; at = skip(text, last, /[\s,]/)) {
    last = endOfValue(text, at, /[\s,\]]/);
    items.push(text.slice(at, last));
  }
  const isEmpty = items.length === 0;
  const gap = isEmpty ? '' : text.slice(start + 1, first);
  const tail = isEmpty ? '' : text.slice(last, end - 1);
  const space = /^,( ?)/.exec(text.slice(start + 1 + gap.length + (items[0]?.length ?? 0)))?.[1] ?? ' ';
  return { start, end, items, gap, space, tail };
}

function setMember(text: string, key: string, value: unknown): string {
  const places = memberPlaces(text);
  const indent = /^\s*\{\s*?\n([ \t]+)"/.exec(text)?.[1];
  const json = indent === undefined ? JSON.stringify(value) : JSON.stringify(value, null, indent);
  const written = json.replaceAll('\n', `\n${indent}`);
  const known = places.find((place) => place.key === key);
  if (known !== undefined) return text.slice(0, known.start) + written + text.slice(known.end);

  const last = places.at(-1);
  const at = last?.end ?? text.indexOf('{') + 1;
  const before = last === undefined ? '' : ',';
  const gap = indent === undefined ? '' : `\n${indent}`;
  return `${text.slice(0, at)}${before}${gap}${JSON.stringify(key)}:${indent === undefined ? '' : ' '}${written}${text.slice(at)}`;
}

/** Expects a text that is known to be an object. */
function memberPlaces(text: string): MemberPlace[] {
  const places: MemberPlace[] = [];
  let at = text.indexOf('{') + 1;
  for (;;) {
    at = skip(text, at, /[\s,]/);
    if (text[at] !== '"') return places;
    const keyEnd = endOfString(text, at);
    const key: unknown = JSON.parse(text.slice(at, keyEnd));
    const start = skip(text, keyEnd, /[\s:]/);
    const end = endOfValue(text, start);
    places.push({ key: String(key), start, end });
    at = end;
  }
}

function skip(text: string, from: number, what: RegExp): number {
  let at = from;
  while (at < text.length && what.test(text.charAt(at))) at += 1;
  return at;
}

function endOfValue(text: string, start: number, behind = /[\s,}]/): number {
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const sign = text.charAt(at);
    if (depth === 0 && at > start && behind.test(sign)) return at;
    if (sign === '"') {
      at = endOfString(text, at);
    } else {
      if (sign === '{' || sign === '[') depth += 1;
      if (sign === '}' || sign === ']') depth -= 1;
      at += 1;
    }
    if (depth === 0 && /["}\]]/.test(sign)) return at;
  }
  return text.length;
}

/** The position after the closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
