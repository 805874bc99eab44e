import type { SchemaNode, ValueNode } from './description.ts';

/** Tells whether two types have the same shape, including their insides. Remembers its results. */
export type SameShape = (left: SchemaNode, right: SchemaNode) => boolean;

/** Beyond this number, pairs are not compared and count as different. */
const MAX_PAIRS = 2_000_000;

/** Two types to compare, and the pairs whose result depends on them. */
interface Pair {
  readonly left: ValueNode;
  readonly right: ValueNode;
  readonly above: Pair[];
  verdict: 'open' | 'same' | 'different';
}

/**
 * Recursive types are the same if no path into them shows a difference. So all reachable pairs are
 * compared one by one, a difference is passed on to the pairs that contain it, and the remaining pairs are the same.
 *
 * `isHasty` stops at the first difference: for types that are compared only once.
 */
export function createSameShape({ isHasty = false }: { readonly isHasty?: boolean } = {}): SameShape {
  const pairs = new Map<object, Map<object, Pair>>();
  let count = 0;
  return (left, right) => {
    const pair = pairOf(left, right);
    if (typeof pair === 'boolean') return pair;
    if (pair.verdict === 'open') explore(pair);
    return pair.verdict === 'same';
  };

  function explore(first: Pair): void {
    const reached = [first];
    // The list grows during the loop.
    for (const pair of reached) {
      if (pair.verdict !== 'open' || isLookedAt(pair, reached)) continue;
      markDifferent(pair);
      if (isHasty && first.verdict === 'different') {
        pairs.clear();
        return;
      }
    }
    for (const pair of reached) if (pair.verdict === 'open') pair.verdict = 'same';
  }

  /** Whether the two do not differ at the top level. Adds their insides to the list. */
  function isLookedAt(pair: Pair, reached: Pair[]): boolean {
    const inside = insidesOf(pair);
    if (inside === undefined || count > MAX_PAIRS) return false;
    for (const [left, right] of inside) {
      const inner = pairOf(left, right);
      if (inner === false) return false;
      if (inner === true || inner.verdict === 'same') continue;
      if (inner.verdict === 'different') return false;
      if (inner.above.length === 0 && inner !== reached[0]) reached.push(inner);
      inner.above.push(pair);
    }
    return true;
  }

  /** A result, if the top level decides it. */
  function pairOf(left: SchemaNode, right: SchemaNode): Pair | boolean {
    if (left.is === 'opaque' || right.is === 'opaque') return isSameText(left, right);
    if (left.token !== right.token || left.nullable !== right.nullable) return false;
    if ((left.token !== 'object' && left.token !== 'array') || left.core === right.core) return true;
    const known = pairs.get(left.core) ?? new Map<object, Pair>();
    pairs.set(left.core, known);
    const pair = known.get(right.core) ?? { left, right, above: [], verdict: 'open' };
    if (!known.has(right.core)) count += 1;
    known.set(right.core, pair);
    return pair;
  }
}

function markDifferent(first: Pair): void {
  const open = [first];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    if (pair.verdict === 'different') continue;
    pair.verdict = 'different';
    for (const above of pair.above) open.push(above);
  }
}

/** The inner pairs that must be the same. Undefined if the two do not have the same parts. */
function insidesOf({ left, right }: Pair): (readonly [SchemaNode, SchemaNode])[] | undefined {
  const [fields, others] = [left.fields(), right.fields()];
  if (fields.size !== others.size || !isSameSet(left.required(), right.required())) return undefined;
  const inside: (readonly [SchemaNode, SchemaNode])[] = [];
  for (const [name, node] of fields) {
    const other = others.get(name);
    if (other === undefined) return undefined;
    inside.push([node, other]);
  }
  for (const [mine, theirs] of [
    [left.items(), right.items()],
    [left.values(), right.values()],
  ] as const) {
    if ((mine === undefined) !== (theirs === undefined)) return undefined;
    if (mine !== undefined && theirs !== undefined) inside.push([mine, theirs]);
  }
  return inside;
}

function isSameText(left: SchemaNode, right: SchemaNode): boolean {
  if (left.is !== 'opaque' || right.is !== 'opaque') return false;
  const text = left.fingerprint();
  return text !== undefined && text === right.fingerprint();
}

function isSameSet(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...left].every((name) => right.has(name));
}
