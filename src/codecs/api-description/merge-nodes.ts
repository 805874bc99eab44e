import { type Flaw, type NodeToken, type SchemaNode, type ValueNode, valueNode } from './description.ts';
import { createSameShape } from './same-shape.ts';

/** The type of a value that must fit both. Undefined if no token can express it. */
export function mergeNodes(left: SchemaNode, right: SchemaNode): SchemaNode | undefined {
  if (left.is === 'opaque') return right.is === 'value' && saysNothing(right) ? left : undefined;
  if (right.is === 'opaque') return saysNothing(left) ? right : undefined;
  if (saysNothing(left)) return right;
  if (saysNothing(right)) return left;
  const token = commonToken(left.token, right.token);
  if (token === undefined) return undefined;
  const nullable = [left, right].every((node) => node.nullable || node.token === 'any');
  return valueNode({
    token,
    nullable,
    fields: () => mergeFields(left, right),
    required: () => new Set([...left.required(), ...right.required()]),
    items: () => mergeParts(left.items(), right.items(), 'the elements of the array'),
    values: () => mergeParts(left.values(), right.values(), 'the values of the map'),
  });
}

/** The type of a value that fits one of them. Undefined if no token can express it. */
export function uniteNodes(members: readonly SchemaNode[]): SchemaNode | undefined {
  const nullable = members.some((node) => node.is === 'value' && (node.nullable || node.token === 'null'));
  const rest = members.filter((node) => node.is === 'opaque' || node.token !== 'null');
  const [first, ...others] = rest;
  if (first === undefined) return members[0];
  if (others.length === 0) return nullable && first.is === 'value' ? { ...first, nullable } : first;
  if (first.is === 'opaque') return undefined;
  // For example "one of these fields is present".
  if (rest.every((node) => node.is === 'value' && node.token === 'any')) return valueNode({ token: 'any' });
  const isSame = createSameShape({ isHasty: true });
  const bare = { ...first, nullable: false };
  if (!others.every((node) => node.is === 'value' && isSame(bare, { ...node, nullable: false }))) return undefined;
  return { ...first, nullable };
}

/** For example a description next to a reference. */
function saysNothing(node: ValueNode): boolean {
  return node.token === 'any' && node.required().size === 0;
}

function commonToken(left: NodeToken, right: NodeToken): NodeToken | undefined {
  if (left === 'any') return right;
  return right === 'any' || left === right ? left : undefined;
}

function mergeFields(left: ValueNode, right: ValueNode): ReadonlyMap<string, SchemaNode> {
  const merged = new Map(left.fields());
  for (const [name, node] of right.fields()) merged.set(name, mergeParts(merged.get(name), node, name) ?? node);
  return merged;
}

/** Pairs that were already merged: a type that contains itself would otherwise give new pairs without end. */
const merged = new WeakMap<SchemaNode, WeakMap<SchemaNode, SchemaNode>>();

function mergeParts(left: SchemaNode | undefined, right: SchemaNode | undefined, what: string): SchemaNode | undefined {
  if (left === undefined || right === undefined || left === right) return left ?? right;
  const known = merged.get(left) ?? new WeakMap<SchemaNode, SchemaNode>();
  merged.set(left, known);
  const node = known.get(right) ?? mergeNodes(left, right) ?? contradiction(what);
  known.set(right, node);
  return node;
}

function contradiction(what: string): SchemaNode {
  const flaw: Flaw = { place: what, reason: 'parts of an allOf describe it in ways that cannot be joined' };
  return { is: 'opaque', ...flaw, fingerprint: () => undefined };
}
