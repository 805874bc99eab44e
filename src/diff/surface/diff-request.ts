import type { Flaw, Operation } from '../../codecs/api-description/description.ts';
import { valueNode } from '../../codecs/api-description/description.ts';
import { type Comparing, compareShapes } from './compare-shapes.ts';
import type { RequestDelta, TraitChange } from './surface-diff.ts';

export interface RequestDiff {
  /** Absent if nothing changed. */
  readonly delta?: RequestDelta;
  readonly flaw?: Flaw;
}

const NOTHING = valueNode({ token: 'object' });

export function diffRequests(before: Operation, after: Operation, memory: Omit<Comparing, 'mode'>): RequestDiff {
  const changes = compareShapes(before.request ?? NOTHING, after.request ?? NOTHING, {
    ...memory,
    mode: 'stated',
  });
  const { added, removed, retyped, presence, flaw } = changes;
  const must = [...added].filter(([, { certain }]) => certain).map(([path]) => path);
  const turned = (to: string) => [...presence].filter(([, change]) => change.to === to).map(([path]) => path);
  const delta: RequestDelta = {
    ...list('add', added.keys()),
    ...list('remove', removed.keys()),
    ...(retyped.size > 0 && { retype: Object.fromEntries(retyped) }),
    ...list('required', [...must, ...turned('required')]),
    ...list('optional', turned('optional')),
  };
  return { ...(Object.keys(delta).length > 0 && { delta }), ...(flaw !== undefined && { flaw }) };
}

/** Undefined if they are the same. */
export function diffTraits(before: Operation, after: Operation): Readonly<Record<string, TraitChange>> | undefined {
  const names = [...new Set([...Object.keys(before.traits), ...Object.keys(after.traits)])];
  const changes = names.flatMap((name): [string, TraitChange][] => {
    // A description without an address does not say that the API moved.
    const isTold = name !== 'address' || [before, after].every(({ traits }) => traits[name] !== undefined);
    if (!isTold) return [];
    const change = { from: before.traits[name] ?? [], to: after.traits[name] ?? [] };
    return change.from.join('\n') === change.to.join('\n') ? [] : [[name, change]];
  });
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

function list(key: string, paths: Iterable<string>): Record<string, readonly string[]> {
  const sorted = [...paths].sort();
  return sorted.length === 0 ? {} : { [key]: sorted };
}
