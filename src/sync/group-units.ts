/** A piece of text that is not split further, with its cost. */
export interface Unit {
  readonly text: string;
  readonly tokens: number;
}

/**
 * Combines neighbours into groups of about `target` tokens.
 *
 * A group begins at a unit whose hash is the smallest of all units that begin within half of `target` around it. So a border depends only on its
 * neighbourhood: an edit moves no border further away, which keeps the ids of other chunks. No group of several units is larger than `most`, if no
 * single unit is: a larger one is halved.
 */
export function groupUnits(
  units: readonly Unit[],
  { target, most }: { readonly target: number; readonly most: number },
): readonly (readonly Unit[])[] {
  const reach = Math.max(1, Math.floor(target / 2));
  const starts = startsOf(units);
  const total = starts[units.length] ?? 0;
  const hashes = units.map(({ text }) => cheapHash(text));
  const groups: (readonly Unit[])[] = [];
  let from = 0;
  for (let at = 1; at < units.length; at += 1) {
    const start = starts[at] ?? 0;
    const isAtEdge = start < reach || total - start < reach;
    if (isAtEdge || !isLeast(at, { hashes, starts, reach })) continue;
    groups.push(units.slice(from, at));
    from = at;
  }
  if (units.length > 0) groups.push(units.slice(from));
  return groups.flatMap((group) => halved(group, most));
}

/** Where each unit begins, and where the last one ends. */
function startsOf(units: readonly Unit[]): readonly number[] {
  const starts = [0];
  for (const { tokens } of units) starts.push((starts.at(-1) ?? 0) + tokens);
  return starts;
}

interface Neighbourhood {
  readonly hashes: readonly number[];
  readonly starts: readonly number[];
  readonly reach: number;
}

/** Of equal ones, the first counts. */
function isLeast(at: number, { hashes, starts, reach }: Neighbourhood): boolean {
  const [own = 0, start = 0] = [hashes[at], starts[at]];
  for (let before = at - 1; before >= 0 && start - (starts[before] ?? 0) < reach; before -= 1) {
    if ((hashes[before] ?? 0) <= own) return false;
  }
  for (let after = at + 1; after < hashes.length && (starts[after] ?? 0) - start < reach; after += 1) {
    if ((hashes[after] ?? 0) < own) return false;
  }
  return true;
}

function halved(group: readonly Unit[], most: number): readonly (readonly Unit[])[] {
  const starts = startsOf(group);
  const total = starts[group.length] ?? 0;
  if (total <= most || group.length === 1) return [group];
  const middle = starts.findIndex((start) => start >= total / 2);
  const at = Math.min(Math.max(middle, 1), group.length - 1);
  return [...halved(group.slice(0, at), most), ...halved(group.slice(at), most)];
}

/** FNV-1a over UTF-16 units, with the final mix of murmur3: texts that differ in one character get distant hashes. */
function cheapHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
