import { expect } from 'vitest';
import type { MigrationDelta } from '../../src/codecs/agent-feed/wire.ts';
import { shapeOf } from '../../src/surface/shape.ts';
import { applyDelta, invertDelta, type PathTokens, UNTOLD } from './apply-delta.ts';

/** The paths of an answer, each array element with its own index. */
export function pathsOf(answer: unknown): PathTokens {
  return new Map(shapeOf(answer));
}

/**
 * A delta leads from the paths of an old answer to those of a new one, and its inverse leads back. A delta does not state what is below a new path; optional
 * paths are ignored.
 */
export function expectLaw(delta: MigrationDelta, old: PathTokens, now: PathTokens): void {
  const { add = [], remove = [] } = delta;
  const addOptional = (delta.addOptional ?? []) as readonly string[];
  const told = (paths: PathTokens, tops: readonly string[]) => plain(paths, tops, addOptional);
  expect(told(applyDelta(old, delta), add), 'forwards').toEqual(told(now, add));
  expect(told(applyDelta(now, invertDelta(delta)), remove), 'backwards').toEqual(told(old, remove));
}

/** One line per path, all elements of an array as one. */
function plain(paths: PathTokens, tops: readonly string[], left: readonly string[]): string[] {
  const tokens = new Map<string, string>();
  for (const [path, token] of paths) {
    const name = path.replaceAll(/\/\d+(?=\/|$)/g, '/0');
    if (tops.some((top) => name.startsWith(`${top}/`))) continue;
    if (left.some((top) => name === top || name.startsWith(`${top}/`))) continue;
    const isNew = tops.includes(name);
    // A value tells more about a type than null.
    const before = tokens.get(name);
    tokens.set(name, isNew ? UNTOLD : before === undefined || before === 'null' ? token : before);
  }
  return [...tokens].map(([path, token]) => `${path} ${token}`).sort();
}
