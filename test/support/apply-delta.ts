import type { MigrationDelta } from '../../src/codecs/agent-feed/wire.ts';

/** The type token of each path of a response. Elements of arrays stand under their own numbers. */
export type PathTokens = ReadonlyMap<string, string>;

/** The token of a path that a delta adds: deltas do not tell the types of what is new. */
export const UNTOLD = '?';

/**
 * What the paths of a response become. `remove` and the old names of `rename` are pointers into the old response; all
 * others are pointers into the new one. Index 0 of a pointer stands for every element.
 */
export function applyDelta(paths: PathTokens, delta: MigrationDelta): PathTokens {
  const { add = [], remove = [], rename = {}, retype = {} } = delta;
  const moved = new Map<string, string>();
  for (const [path, token] of paths) {
    const target = movedPath(path, rename);
    const [renamedAt, removedAt] = [deepest(path, Object.keys(rename)), deepest(path, remove)];
    // Of a field that has another name a part may be gone, and of one that is gone a part may have another name.
    if (removedAt > renamedAt) continue;
    moved.set(target ?? path, token);
  }
  for (const [path, token] of moved) {
    const change = Object.entries(retype).find(([pointer]) => isMatch(path, pointer));
    if (change !== undefined) moved.set(path, retyped(token, change[1].to));
  }
  for (const pointer of [...add].sort()) for (const path of placesFor(moved, pointer)) moved.set(path, UNTOLD);
  return moved;
}

/** The delta that leads back. */
export function invertDelta({ add = [], remove = [], rename = {}, retype = {} }: MigrationDelta): MigrationDelta {
  const back = Object.fromEntries(Object.entries(rename).map(([from, to]) => [to, from]));
  return {
    add: [...remove],
    remove: [...add],
    rename: back,
    retype: Object.fromEntries(
      Object.entries(retype).map(([path, { from, to }]) => [movedPath(path, back) ?? path, { from: to, to: from }]),
    ),
  };
}

/** How many steps the longest pointer has that names a path or one above it. */
function deepest(path: string, pointers: readonly string[]): number {
  const fitting = pointers.filter((pointer) => isMatch(prefixOf(path, pointer), pointer));
  return Math.max(0, ...fitting.map((pointer) => pointer.split('/').length));
}

function isMatch(path: string, pointer: string): boolean {
  const steps = path.split('/');
  const wanted = pointer.split('/');
  return steps.length === wanted.length && wanted.every((step, at) => step === steps[at] || isElement(step, steps[at]));
}

function isElement(wanted: string, step: string | undefined): boolean {
  return wanted === '0' && step !== undefined && /^\d+$/.test(step);
}

/** As many steps of a path as a pointer has. */
function prefixOf(path: string, pointer: string): string {
  return path.split('/').slice(0, pointer.split('/').length).join('/');
}

/** Where a path is when its field, or one above it, has another name. The deepest rename counts. */
function movedPath(path: string, rename: Readonly<Record<string, string>>): string | undefined {
  const fitting = Object.entries(rename).filter(([from]) => isMatch(prefixOf(path, from), from));
  const [from, to] = fitting.sort(([left], [right]) => right.length - left.length)[0] ?? [];
  if (from === undefined || to === undefined) return undefined;
  const steps = path.split('/');
  const head = to.split('/').map((step, at) => (isElement(step, steps[at]) ? steps[at] : step));
  return [...head, ...steps.slice(from.split('/').length)].join('/');
}

function retyped(token: string, to: string): string {
  const inner = /^nullable<(.*)>$/.exec(to)?.[1];
  return inner !== undefined && token === 'null' ? token : (inner ?? to);
}

/** The path in every element that there is. What stands below a path that is absent is not added. */
function placesFor(paths: PathTokens, pointer: string): string[] {
  const at = pointer.lastIndexOf('/');
  const [parent, name] = [pointer.slice(0, at), pointer.slice(at + 1)];
  if (parent === '') return [pointer];
  const parents = [...paths.keys()].filter((path) => isMatch(path, parent) && paths.get(path) !== 'null');
  return parents.map((path) => `${path}/${name}`);
}
