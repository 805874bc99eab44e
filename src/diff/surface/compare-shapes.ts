import type { Retype } from '../../codecs/agent-feed/wire.ts';
import type { Flaw, Presence, SchemaNode, ValueNode } from '../../codecs/api-description/description.ts';
import type { SameShape } from '../../codecs/api-description/same-shape.ts';
import type { PathCounter } from './count-paths.ts';

/** The differences between two shapes. Pointers name elements of arrays by index 0; of new or removed parts only the top is named. */
export interface ShapeChanges {
  /** By pointers into the new shape. */
  readonly added: ReadonlyMap<string, AddedPath>;
  /** By pointers into the old shape. */
  readonly removed: ReadonlyMap<string, RemovedPath>;
  readonly retyped: ReadonlyMap<string, Retype>;
  readonly presence: ReadonlyMap<string, PresenceChange>;
  /** Where a changed type contains itself: below the first pointer, the changes below the second apply again. */
  readonly recursive: ReadonlyMap<string, string>;
  /** Why the list is incomplete. */
  readonly flaw?: Flaw;
}

interface RemovedPath {
  readonly node: SchemaNode;
  /** Whether its parent always had it. */
  readonly required: boolean;
}

export interface AddedPath extends RemovedPath {
  /** Whether every value of the shape has it. */
  readonly certain: boolean;
}

export interface PresenceChange {
  readonly from: 'required' | 'optional';
  readonly to: 'required' | 'optional';
}

export interface ShapePlace {
  readonly oldPath: string;
  readonly newPath: string;
  /** Whether every value has the part at this place. */
  readonly certain: boolean;
}

const MAX_DEPTH = 64;
export const MAX_STEPS = 3000;
/** A longer delta helps nobody. */
const MAX_CHANGES = 1000;

const TOO_MANY = `it changes in more than ${MAX_CHANGES} places, or ${MAX_DEPTH} levels deep; that is no migration but another API, to be announced as one`;

const ROOT: ShapePlace = { oldPath: '', newPath: '', certain: true };

export interface Comparing {
  readonly mode: Presence;
  /** One for all comparisons of two descriptions: it caches. */
  readonly isSame: SameShape;
  /** One for all comparisons of two descriptions, too. */
  readonly countPaths: PathCounter;
}

/**
 * Lists every changed path. If there are too many, as in types that contain each other in many ways, a pair of types is listed once, and `recursive`
 * says where it occurs again.
 */
export function compareShapes(
  before: SchemaNode,
  after: SchemaNode,
  comparing: Comparing,
  at: ShapePlace = ROOT,
): ShapeChanges {
  const sparing = () => new PathComparison(comparing, true).run(before, after, at);
  if (comparing.countPaths(before, after) > MAX_STEPS) return sparing();
  const whole = new PathComparison(comparing, false).run(before, after, at);
  return whole.isCut ? sparing() : whole;
}

/** One walk over a pair of shapes. */
class PathComparison {
  readonly #added = new Map<string, AddedPath>();
  readonly #removed = new Map<string, RemovedPath>();
  readonly #retyped = new Map<string, Retype>();
  readonly #presence = new Map<string, PresenceChange>();
  readonly #recursive = new Map<string, string>();
  readonly #told = new Map<object, Map<object, string>>();
  /** Waiting pairs. Grows during the walk. */
  readonly #open: Task[] = [];
  readonly #mode: Presence;
  readonly #isSame: SameShape;
  readonly #isSparing: boolean;
  #flaw: Flaw | undefined;

  constructor({ mode, isSame }: Comparing, isSparing: boolean) {
    this.#mode = mode;
    this.#isSame = isSame;
    this.#isSparing = isSparing;
  }

  run(before: SchemaNode, after: SchemaNode, at: ShapePlace): ShapeChanges & { readonly isCut: boolean } {
    let isCut = false;
    this.#compare(before, after, { ...at, certain: at.certain && !mayBeNull(after, this.#mode) }, []);
    // Short paths first.
    for (const { old, now, place, above } of this.#open) {
      const changes = this.#added.size + this.#removed.size + this.#retyped.size + this.#recursive.size;
      isCut = above.length > MAX_DEPTH || this.#open.length > MAX_STEPS || changes > MAX_CHANGES;
      if (isCut) this.#give(place.newPath, TOO_MANY);
      if (this.#flaw !== undefined) break;
      this.#compareValues(old, now, place, above);
    }
    return {
      added: this.#added,
      removed: this.#removed,
      retyped: this.#retyped,
      presence: this.#presence,
      recursive: this.#recursive,
      isCut,
      ...(this.#flaw !== undefined && { flaw: this.#flaw }),
    };
  }

  #compare(old: SchemaNode, now: SchemaNode, place: ShapePlace, above: readonly Ancestor[]): void {
    if (this.#isSame(old, now)) return;
    if (old.is === 'opaque') this.#give(old.place, `${old.reason} (old, at ${nameOf(place.oldPath)})`);
    else if (now.is === 'opaque') this.#give(now.place, `${now.reason} (new, at ${nameOf(place.newPath)})`);
    else if (old.token !== 'any' && now.token !== 'any') this.#open.push({ old, now, place, above });
    else if (old.token !== now.token) {
      this.#give(place.newPath, `its type is told in the ${old.token === 'any' ? 'new' : 'old'} description only`);
    }
  }

  #compareValues(old: ValueNode, now: ValueNode, place: ShapePlace, above: readonly Ancestor[]): void {
    const [from, to] = [tokenOf(old), tokenOf(now)];
    if (from !== to) this.#retyped.set(place.newPath, { from, to });
    if (from !== to && place.newPath === '')
      this.#give('', `the whole answer was ${from} and is ${to}, and no delta says that`);
    const isHolder = holdsAny(old) || holdsAny(now);
    const again = this.#isSparing && isHolder ? this.#told.get(old.core)?.get(now.core) : pathAbove(above, old, now);
    if (again !== undefined) {
      this.#recursive.set(place.newPath, again);
      return;
    }
    this.#told.set(old.core, (this.#told.get(old.core) ?? new Map()).set(now.core, place.newPath));
    const path: readonly Ancestor[] = [...above, [old.core, now.core, place.newPath]];
    if (old.token !== now.token) {
      for (const inside of insideOf(old)) this.#remove(old, inside, place);
      for (const inside of insideOf(now)) this.#add(now, inside, place);
      return;
    }
    if (now.token === 'object') this.#compareFields(old, now, place, path);
    if (now.token === 'array') this.#compareElements(old, now, place, path);
  }

  #compareFields(old: ValueNode, now: ValueNode, place: ShapePlace, path: readonly Ancestor[]): void {
    const fields = old.fields();
    for (const [name, node] of fields) {
      if (!now.fields().has(name)) this.#remove(old, fieldOf(name, node), place);
    }
    for (const [name, node] of now.fields()) {
      const earlier = fields.get(name);
      const field = fieldOf(name, node);
      if (earlier === undefined) this.#add(now, field, place);
      else {
        this.#comparePresence(old.required().has(name), now.required().has(name), `${place.newPath}/${field.step}`);
        this.#compare(earlier, node, this.#below(now, field, place), path);
      }
    }
    this.#compareMapValues(old.values(), now.values(), place);
  }

  #compareElements(old: ValueNode, now: ValueNode, place: ShapePlace, path: readonly Ancestor[]): void {
    const [earlier, node] = [old.items(), now.items()];
    if (earlier === undefined && node === undefined) return;
    if (earlier === undefined || node === undefined) {
      const which = earlier === undefined ? 'new' : 'old';
      this.#give(`${place.newPath}/0`, `the elements of the array are told in the ${which} description only`);
    } else this.#compare(earlier, node, this.#below(now, { step: '0', node }, place), path);
  }

  /** No pointer can name values under unknown keys. */
  #compareMapValues(old: SchemaNode | undefined, now: SchemaNode | undefined, place: ShapePlace): void {
    if (old === undefined || now === undefined || this.#isSame(old, now)) return;
    this.#give(place.newPath, 'the values of a map changed, and no JSON Pointer names them');
  }

  #comparePresence(was: boolean, is: boolean, path: string): void {
    if (was !== is) this.#presence.set(path, { from: was ? 'required' : 'optional', to: is ? 'required' : 'optional' });
  }

  #remove(parent: ValueNode, { step, node, name }: Inside, place: ShapePlace): void {
    this.#removed.set(`${place.oldPath}/${step}`, { node, required: isCertain(parent, name, this.#mode) });
  }

  #add(parent: ValueNode, { step, node, name }: Inside, place: ShapePlace): void {
    const required = isCertain(parent, name, this.#mode);
    // If the caller chooses the fields, a response has a new one only if it was requested.
    const certain = place.certain && required && this.#mode !== 'selected';
    this.#added.set(`${place.newPath}/${step}`, { node, required, certain });
  }

  #below(parent: ValueNode, { step, node, name }: Inside, place: ShapePlace): ShapePlace {
    const certain = place.certain && isCertain(parent, name, this.#mode) && !mayBeNull(node, this.#mode);
    return { oldPath: `${place.oldPath}/${step}`, newPath: `${place.newPath}/${step}`, certain };
  }

  #give(place: string, reason: string): void {
    this.#flaw ??= { place, reason };
  }
}

interface Task {
  readonly old: ValueNode;
  readonly now: ValueNode;
  readonly place: ShapePlace;
  readonly above: readonly Ancestor[];
}

function pathAbove(above: readonly Ancestor[], old: ValueNode, now: ValueNode): string | undefined {
  return above.find(([oldCore, newCore]) => oldCore === old.core && newCore === now.core)?.[2];
}

/** The cores of a pair of types, and their new pointer. */
type Ancestor = readonly [object, object, string];

/** The node at a pointer of a shape. Undefined if there is none. */
export function findNode(root: SchemaNode, pointer: string, mode: Presence): AddedPath | undefined {
  let found: AddedPath = { node: root, required: true, certain: !mayBeNull(root, mode) };
  for (const step of pointer.split('/').slice(1)) {
    const { node: parent } = found;
    if (parent.is === 'opaque') return undefined;
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const isElement = parent.token === 'array' && /^\d+$/.test(step);
    const node = isElement ? parent.items() : parent.fields().get(name);
    if (node === undefined) return undefined;
    const required = isCertain(parent, isElement ? undefined : name, mode);
    found = { node, required, certain: found.certain && !mayBeNull(parent, mode) && required };
  }
  return found;
}

/** In the words of agent-feed §26. */
function tokenOf({ token, nullable }: ValueNode): string {
  return nullable && token !== 'null' && token !== 'any' ? `nullable<${token}>` : token;
}

/** Elements exist in every non-empty array: nothing more is required of them. */
function isCertain(parent: ValueNode, name: string | undefined, mode: Presence): boolean {
  return name === undefined || mode === 'unstated' || parent.required().has(name);
}

/** In GraphQL nearly everything may be null; that alone makes no field uncertain. */
function mayBeNull(node: SchemaNode, mode: Presence): boolean {
  return mode !== 'selected' && node.is === 'value' && node.nullable;
}

interface Inside {
  readonly step: string;
  readonly node: SchemaNode;
  /** Of a field. */
  readonly name?: string;
}

function holdsAny(node: ValueNode): boolean {
  return node.token === 'object' ? node.fields().size > 0 : node.token === 'array' && node.items() !== undefined;
}

function fieldOf(name: string, node: SchemaNode): Inside & { readonly name: string } {
  return { step: escapeStep(name), node, name };
}

function insideOf(node: ValueNode): Inside[] {
  if (node.token === 'object') {
    return [...node.fields()].map(([name, field]) => fieldOf(name, field));
  }
  const items = node.token === 'array' ? node.items() : undefined;
  return items === undefined ? [] : [{ step: '0', node: items }];
}

function escapeStep(name: string): string {
  return /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
}

function nameOf(path: string): string {
  return path === '' ? 'the root' : path;
}
