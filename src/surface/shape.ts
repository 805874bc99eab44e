import { isPlainToken, type TypeToken, unwrap } from './type-token.ts';

/** The type of each value in a response, by its JSON Pointer (RFC 6901). The response itself is under ''. */
export type Shape = ReadonlyMap<string, TypeToken>;

/** A deeper or larger response is only examined up to this limit. */
const MAX_DEPTH = 64;
const MAX_PATHS = 100_000;
const ELEMENT = /^(?:\d+|[-*])$/;

/**
 * The shape of a decoded response.
 *
 * @example
 * shapeOf({ total: 12, items: ['a'] }).get('/items/0'); // 'string'
 */
export function shapeOf(response: unknown): Shape {
  const shape = new Map<string, TypeToken>([['', tokenOf(response)]]);
  walk(response, '', 0);
  return shape;

  /** Visits all fields of an object before their contents: a large field does not hide its neighbours. */
  function walk(value: unknown, path: string, depth: number): void {
    if (depth === MAX_DEPTH || typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const [index, member] of value.entries()) {
        if (!put(`${path}/${index}`, member)) return;
        walk(member, `${path}/${index}`, depth + 1);
      }
      return;
    }
    const members = Object.entries(value).map(([key, member]) => [`${path}/${escapeKey(key)}`, member] as const);
    for (const [at, member] of members) if (!put(at, member)) return;
    for (const [at, member] of members) walk(member, at, depth + 1);
  }

  function put(path: string, value: unknown): boolean {
    if (shape.size >= MAX_PATHS) return false;
    shape.set(path, tokenOf(value));
    return true;
  }
}

/**
 * Reads a shape written as `{"/currency": "string"}`. Undefined for any other value.
 *
 * It may name only the leaves: their parents are added. `nullable<T>` counts as T, and `integer` as a number.
 *
 * @example
 * readShape({ '/price/amount': 'number' })?.get('/price'); // 'object'
 */
export function readShape(value: unknown): Shape | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  if (entries.length === 0) return undefined;
  const shape = new Map<string, TypeToken>();
  for (const [path, written] of entries) {
    const plain = typeof written === 'string' ? unwrap(written).plain : '';
    const token = plain === 'integer' ? 'number' : plain;
    if (!/^(?:\/|$)/.test(path) || !isPlainToken(token)) return undefined;
    if (path.split('/', MAX_DEPTH + 2).length > MAX_DEPTH + 1) continue;
    for (const [parent, kind] of missingParents(shape, path)) shape.set(parent, kind);
    shape.set(path, token);
  }
  return shape;
}

/** From the top down. A parent of elements is an array, any other parent an object. */
function missingParents(shape: Shape, path: string): readonly (readonly [string, TypeToken])[] {
  const missing: (readonly [string, TypeToken])[] = [];
  let inner = path;
  for (let at = path.lastIndexOf('/'); at !== -1; at = inner.lastIndexOf('/')) {
    const parent = inner.slice(0, at);
    if (shape.has(parent)) break;
    missing.push([parent, ELEMENT.test(inner.slice(at + 1)) ? 'array' : 'object']);
    inner = parent;
  }
  return missing.reverse();
}

/** The types at each place of a shape, where all elements of an array are one place. */
export interface ShapeIndex {
  readonly places: ReadonlyMap<string, ReadonlySet<TypeToken>>;
  /** Whether there may be more than was examined. */
  readonly isCut: boolean;
}

export function indexShape(shape: Shape): ShapeIndex {
  const places = new Map<string, Set<TypeToken>>();
  /** Where each container stands, by its pointer. */
  const placeOf = new Map<string, string>();
  for (const [path, token] of shape) {
    const slash = path.lastIndexOf('/');
    const parent = path.slice(0, Math.max(slash, 0));
    const key = path.slice(slash + 1);
    const isElement = shape.get(parent) === 'array' && ELEMENT.test(key);
    const place = path === '' ? '' : `${placeOf.get(parent) ?? parent}/${isElement ? '*' : key}`;
    if (token === 'object' || token === 'array') placeOf.set(path, place);
    const tokens = places.get(place);
    if (tokens === undefined) places.set(place, new Set([token]));
    else tokens.add(token);
  }
  return { places, isCut: shape.size >= MAX_PATHS };
}

/**
 * The types at a pointer of a delta. All elements of an array count as one, however the pointer names them (`0`, `-` or `*`): the place exists if one
 * of them has it. Nothing is known below an empty array, beyond the limits, and for an invalid pointer.
 */
export function tokensAt(
  { places, isCut }: ShapeIndex,
  pointer: string,
): readonly TypeToken[] | 'absent' | 'unknowable' {
  const [root, ...segments] = pointer.split('/', MAX_DEPTH + 2);
  if (root !== '' || segments.length > MAX_DEPTH) return 'unknowable';
  let at: readonly string[] = [''];
  for (const segment of segments) {
    const next = [...new Set(at.flatMap((place) => stepsInto(places, place, segment)))];
    if (next.length === 0) return isCut || at.every((place) => isEmptyArray(places, place)) ? 'unknowable' : 'absent';
    at = next;
  }
  const tokens = at.flatMap((place) => [...(places.get(place) ?? [])]);
  if (tokens.length > 0) return tokens;
  return isCut ? 'unknowable' : 'absent';
}

function stepsInto(places: ShapeIndex['places'], place: string, segment: string): readonly string[] {
  const named = [`${place}/${segment}`];
  if (ELEMENT.test(segment) && places.get(place)?.has('array')) named.push(`${place}/*`);
  return named.filter((next) => places.has(next));
}

function isEmptyArray(places: ShapeIndex['places'], place: string): boolean {
  return places.get(place)?.has('array') === true && !places.has(`${place}/*`);
}

/** One name for all elements of an array, so that pointers to different elements compare equal. */
export function plainPath(pointer: string): string {
  return pointer.replaceAll(/(?<=\/)(?:\d+|[-*])(?=\/|$)/g, '*');
}

/** From the nearest to the top. For a pointer deeper than any shape, only those that a shape may have. */
export function parentsOf(pointer: string): string[] {
  const parents: string[] = [];
  for (let at = pointer.indexOf('/', 1); at > 0 && parents.length < MAX_DEPTH; at = pointer.indexOf('/', at + 1)) {
    parents.push(pointer.slice(0, at));
  }
  return parents.reverse();
}

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function tokenOf(value: unknown): TypeToken {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}
