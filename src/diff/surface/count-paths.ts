import type { SchemaNode, ValueNode } from '../../codecs/api-description/description.ts';
import type { SameShape } from '../../codecs/api-description/same-shape.ts';

/** A lower bound for the number of paths that differ below two types. Caches each pair: many operations reach the same types. */
export type PathCounter = (old: SchemaNode, now: SchemaNode) => number;

/** Deeper types count as one: the count is a lower bound anyway. */
const MAX_DEPTH = 200;

/** Counts up to `limit`. A type that contains itself counts once on the way down. */
export function createPathCounter(isSame: SameShape, limit: number): PathCounter {
  const known = new Map<object, Map<object, number>>();
  return (old, now) => count(old, now, 0);

  function count(old: SchemaNode, now: SchemaNode, depth: number): number {
    if (old.is === 'opaque' || now.is === 'opaque' || old.token !== now.token || depth === MAX_DEPTH) return 1;
    const counts = known.get(old.core) ?? new Map<object, number>();
    known.set(old.core, counts);
    const before = counts.get(now.core);
    if (before !== undefined) return before;
    counts.set(now.core, 1);
    let total = 1;
    for (const [earlier, node] of changedInside(old, now)) {
      total += count(earlier, node, depth + 1);
      if (total > limit) break;
    }
    counts.set(now.core, total);
    return total;
  }

  function* changedInside(old: ValueNode, now: ValueNode): Generator<readonly [SchemaNode, SchemaNode]> {
    const fields = old.fields();
    for (const [name, node] of now.fields()) {
      const earlier = fields.get(name);
      if (earlier !== undefined && !isSame(earlier, node)) yield [earlier, node];
    }
    const [earlier, node] = [old.items(), now.items()];
    if (earlier !== undefined && node !== undefined && !isSame(earlier, node)) yield [earlier, node];
  }
}
