import type { MigrationDelta } from '../../src/codecs/agent-feed/wire.ts';

/** The type token of each path of a response. Array elements have their own index. */
export type PathTokens = ReadonlyMap<string, string>;

/** The token of a path that a delta adds: deltas do not state the types of new fields. */
export const UNTOLD = '?';

/**
 * Applies a delta to the paths of a response. `remove` and the old names of `rename` are pointers into the old response; all others are pointers into the new
 * one. Index 0 of a pointer means every element.
 */
export function applyDelta(paths: PathTokens, delta: MigrationDelta): PathTokens {
  const { add = [], remove = [], rename = {}, retype = {} } = delta;
  const moved = new Map<string, string>();
  for (const [path, token] of paths) {
    const target = movedPath(path, rename);
    const [renamedAt, removedAt] = [deepest(path, Object.keys(rename)), deepest(path, remove)];
    // A part of a renamed field may be removed, and a part of a removed field may be renamed.
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

/** The inverse delta. */
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

/** The number of steps of the longest pointer that names a path or one of its parents. */
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

/** As many steps of a path as the pointer has. */
function prefixOf(path: string, pointer: string): string {
  return path.split('/').slice(0, pointer.split('/').length).join('/');
}

/** The new path if its field, or a parent, is renamed. The deepest rename counts. */
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

/** The path in every existing element. Nothing is added below an absent path. */
function placesFor(paths: PathTokens, pointer: string): string[] {
  const at = pointer.lastIndexOf('/');
  const [parent, name] = [pointer.slice(0, at), pointer.slice(at + 1)];
  if (parent === '') return [pointer];
  const parents = [...paths.keys()].filter((path) => isMatch(path, parent) && paths.get(path) !== 'null');
  return parents.map((path) => `${path}/${name}`);
}
