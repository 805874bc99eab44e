import { isRecord } from '../primitives/json-record.ts';
import type { DecodedDescription, Operation } from './description.ts';
import { get, getText, getVersion } from './json-tree.ts';
import { statesRequired } from './schema-fingerprint.ts';
import { createSchemaReader } from './schema-node.ts';

/** Keywords that show that an object is a schema. */
const MARKS = ['$schema', 'properties', 'type', 'items', '$ref', 'allOf', 'oneOf', 'anyOf', 'enum', 'const', '$defs'];

export function isJsonSchema(tree: unknown): boolean {
  if (!isRecord(tree) || !MARKS.some((mark) => get(tree, mark) !== undefined)) return false;
  const type = get(tree, 'type');
  // A document with data may also have a member of that name.
  const isType =
    type === undefined ||
    Array.isArray(type) ||
    /^(?:object|array|string|number|integer|boolean|null)$/.test(String(type));
  const properties = get(tree, 'properties');
  return isType && (properties === undefined || isRecord(properties));
}

/** A schema is one operation, and describes its response. */
export function decodeJsonSchema(tree: unknown): DecodedDescription {
  const id = getText(tree, '$id') ?? getText(tree, 'id');
  const title = getText(tree, 'title');
  const version = getVersion(tree);
  const name = title ?? id ?? 'root';
  const read = createSchemaReader(tree);
  const operation: Operation = {
    endpointId: `json-schema:${name.trim().toLowerCase().replaceAll(/\s+/g, '-')}`,
    protocol: 'json-schema',
    operation: name,
    responses: [{ name: 'schema', node: read(tree, '') }],
    traits: {},
    presence: () => (statesRequired(tree, tree) ? 'stated' : 'unstated'),
  };
  return {
    ok: true,
    value: { format: 'json-schema', ...(version !== undefined && { version }), operations: [operation] },
  };
}
