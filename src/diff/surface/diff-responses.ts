import type { Flaw, Operation, Presence, SchemaNode } from '../../codecs/api-description/description.ts';
import { valueNode } from '../../codecs/api-description/description.ts';
import {
  type AddedPath,
  type Comparing,
  compareShapes,
  findNode,
  type ShapeChanges,
  type ShapePlace,
} from './compare-shapes.ts';
import { suggestRenames } from './suggest-renames.ts';
import type { Suggestion, SurfaceMigration } from './surface-diff.ts';

export interface ResponseDiff {
  readonly migration: SurfaceMigration;
  readonly suggestions: readonly Suggestion[];
  /** The stated old pointers that match. */
  readonly renamed: readonly string[];
  readonly flaw?: Flaw;
}

/** From the old pointer to the new one, as a person states it. */
export type Renames = Readonly<Record<string, string>>;

/** What a person states, and what is cached about both descriptions. */
export interface Stated extends Omit<Comparing, 'mode'> {
  readonly renames: Renames;
}

const NOTHING = valueNode({ token: 'object' });

/** A success response without a body counts as one without fields. */
export function diffResponses(before: Operation, after: Operation, { renames, ...memory }: Stated): ResponseDiff {
  const comparing: Comparing = { mode: modeOf(before, after), ...memory };
  const [old, ...olds] = before.responses;
  const [now, ...nows] = after.responses;
  const first = diffNodes(old?.node ?? NOTHING, now?.node ?? NOTHING, comparing, renames);
  if (first.flaw !== undefined) return first;
  for (const { name, node } of nows) {
    const earlier = olds.find((each) => each.name === name);
    const other = earlier && diffNodes(earlier.node, node, comparing, renames);
    if (other?.flaw !== undefined) return { ...first, flaw: other.flaw };
    // A delta describes one response. If there are several, it must be true for each.
    const isAlike = other === undefined || JSON.stringify(other.migration) === JSON.stringify(first.migration);
    const reason = `the answers with status ${now?.name} and ${name} changed differently`;
    if (!isAlike) return { ...first, flaw: { place: after.operation, reason } };
  }
  return first;
}

function modeOf(before: Operation, after: Operation): Presence {
  const modes = [before.presence(), after.presence()];
  return (['selected', 'stated'] as const).find((mode) => modes.includes(mode)) ?? 'unstated';
}

function diffNodes(old: SchemaNode, now: SchemaNode, comparing: Comparing, renames: Renames): ResponseDiff {
  const { mode } = comparing;
  const plain = compareShapes(old, now, comparing);
  const fitting = Object.entries(renames).flatMap(([from, to]) => {
    const source = findNode(old, from, mode);
    const target = findNode(now, to, mode);
    const isGone = hasPathAbove(plain.removed, from) && source !== undefined;
    return isGone && hasPathAbove(plain.added, to) && target !== undefined ? [{ from, to, source, target }] : [];
  });
  const parts = [plain, ...fitting.map((rename) => insideRenamed(rename, comparing))];
  const taken = new Set(fitting.flatMap(({ from, to }) => [`old ${from}`, `new ${to}`]));
  const added = parts.flatMap((part) => [...part.added]).filter(([path]) => !taken.has(`new ${path}`));
  const removed = parts.flatMap((part) => [...part.removed]).filter(([path]) => !taken.has(`old ${path}`));
  const changes = { ...plain, added: new Map(added), removed: new Map(removed) };
  const flaw = parts.find((part) => part.flaw !== undefined)?.flaw;
  return {
    migration: migrationOf(changes, parts, new Map(fitting.map(({ from, to }) => [from, to]))),
    suggestions: suggestRenames(changes),
    renamed: fitting.map(({ from }) => from),
    ...(flaw !== undefined && { flaw }),
  };
}

interface Renamed {
  readonly from: string;
  readonly to: string;
  readonly source: AddedPath;
  readonly target: AddedPath;
}

/** What else changed in a renamed field. */
function insideRenamed({ from, to, source, target }: Renamed, comparing: Comparing): ShapeChanges {
  const at: ShapePlace = { oldPath: from, newPath: to, certain: target.certain };
  return compareShapes(source.node, target.node, comparing, at);
}

function hasPathAbove(paths: ReadonlyMap<string, unknown>, pointer: string): boolean {
  for (let path = pointer; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) if (paths.has(path)) return true;
  return false;
}

function migrationOf(
  { added, removed }: ShapeChanges,
  parts: readonly ShapeChanges[],
  rename: ReadonlyMap<string, string>,
): SurfaceMigration {
  const certain = [...added].filter(([, path]) => path.certain).map(([path]) => path);
  const optional = [...added].filter(([, path]) => !path.certain).map(([path]) => path);
  return {
    ...(certain.length > 0 && { add: certain.sort() }),
    ...(removed.size > 0 && { remove: [...removed.keys()].sort() }),
    ...record('rename', rename),
    ...record('retype', joined(parts, 'retyped')),
    ...(optional.length > 0 && { addOptional: optional.sort() }),
    ...record('presence', joined(parts, 'presence')),
    ...record('recursive', joined(parts, 'recursive')),
  };
}

function joined<Key extends 'retyped' | 'presence' | 'recursive'>(parts: readonly ShapeChanges[], key: Key) {
  return new Map(parts.flatMap((part): [string, unknown][] => [...part[key]]));
}

/** Sorted, and without a prototype key that an assignment could reach. */
function record(key: string, entries: ReadonlyMap<string, unknown>): Record<string, unknown> {
  if (entries.size === 0) return {};
  return { [key]: Object.fromEntries([...entries].sort(([left], [right]) => (left < right ? -1 : 1))) };
}
