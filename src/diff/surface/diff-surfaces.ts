import type { Description, Flaw, Operation } from '../../codecs/api-description/description.ts';
import { createSameShape } from '../../codecs/api-description/same-shape.ts';
import { MAX_STEPS } from './compare-shapes.ts';
import { createPathCounter } from './count-paths.ts';
import { diffRequests, diffTraits } from './diff-request.ts';
import { diffResponses, type Renames, type Stated } from './diff-responses.ts';
import { isBreaking } from './is-breaking.ts';
import type { OperationDiff, Suggestion, SurfaceDiff, SurfaceMigration } from './surface-diff.ts';

export interface SurfaceComparison {
  readonly diff: SurfaceDiff;
  /** Old pointers of stated renames that match no operation. */
  readonly unfit: readonly string[];
}

/** Compares operations with the same id. A description with a single schema is compared with the other one, whatever its name. */
export function compareSurfaces(before: Description, after: Description, renames: Renames = {}): SurfaceComparison {
  const isSame = createSameShape();
  const stated: Stated = { renames, isSame, countPaths: createPathCounter(isSame, MAX_STEPS) };
  const fitting = new Set<string>();
  const olds = new Map(before.operations.map((operation) => [operation.endpointId, operation]));
  const isPair = before.format === 'json-schema' && after.format === 'json-schema';
  const taken = new Set<string>();
  const kept = after.operations.map((now): OperationDiff => {
    const old = olds.get(now.endpointId) ?? (isPair ? before.operations[0] : undefined);
    if (old === undefined) return added(now);
    taken.add(old.endpointId);
    const { renamed, ...diff } = diffOperation(old, now, stated);
    for (const from of renamed) fitting.add(from);
    return diff;
  });
  const gone = before.operations.filter(({ endpointId }) => !taken.has(endpointId)).map(removed);
  return {
    diff: { format: after.format, operations: [...kept, ...gone], versions: versionsOf(before, after) },
    unfit: Object.keys(renames).filter((from) => !fitting.has(from)),
  };
}

function diffOperation(old: Operation, now: Operation, stated: Stated): OperationDiff & { renamed: readonly string[] } {
  const names = namesOf({ ...now, endpointId: old.endpointId });
  const flaw = old.flaw ?? now.flaw;
  if (flaw !== undefined) return { ...incomparable(names, flaw), renamed: [] };
  const responses = diffResponses(old, now, stated);
  const request = diffRequests(old, now, stated);
  const traits = diffTraits(old, now);
  const { renamed } = responses;
  const isEnding = traits?.deprecated?.to.includes('true') === true;
  const suggestions: readonly Suggestion[] = [
    ...responses.suggestions,
    ...(traits?.address === undefined ? [] : [{ is: 'announce' as const, endpointId: old.endpointId }]),
    ...(isEnding ? [{ is: 'deprecate' as const, endpointId: old.endpointId }] : []),
  ];
  const problem = responses.flaw ?? (request.flaw && { ...request.flaw, reason: `${request.flaw.reason} (request)` });
  if (problem !== undefined) return { ...incomparable(names, problem), renamed };
  const migration: SurfaceMigration = {
    ...responses.migration,
    ...(request.delta !== undefined && { request: request.delta }),
    ...(traits !== undefined && { traits }),
  };
  if (Object.keys(migration).length === 0) return { ...names, status: 'same', suggestions, breaking: false, renamed };
  return { ...names, status: 'changed', migration, suggestions, breaking: isBreaking(migration), renamed };
}

/** It is then unknown whether it is breaking, so it counts as breaking. */
function incomparable(names: Names, { place, reason }: Flaw): OperationDiff {
  const where = place === '' ? '' : `${place}: `;
  return { ...names, status: 'incomparable', suggestions: [], reason: `${where}${reason}`, breaking: true };
}

function added(operation: Operation): OperationDiff {
  const { endpointId, flaw } = operation;
  if (flaw !== undefined) return incomparable(namesOf(operation), flaw);
  const suggestions = [{ is: 'announce', endpointId }] as const;
  return { ...namesOf(operation), status: 'added', suggestions, breaking: false };
}

function removed(operation: Operation): OperationDiff {
  const { endpointId } = operation;
  const suggestions = [{ is: 'deprecate', endpointId }] as const;
  return { ...namesOf(operation), status: 'removed', suggestions, breaking: true };
}

type Names = Pick<OperationDiff, 'endpointId' | 'protocol' | 'operation' | 'operationId'>;

function namesOf({ endpointId, protocol, operation, operationId }: Operation): Names {
  return { endpointId, protocol, operation, ...(operationId !== undefined && { operationId }) };
}

function versionsOf({ version: old }: Description, { version: now }: Description): SurfaceDiff['versions'] {
  return { ...(old !== undefined && { old }), ...(now !== undefined && { new: now }) };
}
