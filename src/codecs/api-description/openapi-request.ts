import { isRecord } from '../primitives/json-record.ts';
import { type SchemaNode, valueNode } from './description.ts';
import { get, getList, getObject, getText } from './json-tree.ts';
import { followReference, jsonMedia, type OpenApiDocument, otherMedia } from './openapi-parts.ts';

interface Described {
  readonly path: string;
  readonly item: unknown;
  readonly operation: unknown;
  readonly place: string;
}

interface Part {
  readonly node: SchemaNode;
  readonly required: boolean;
}

type Parts = Map<string, Part>;

/**
 * The request as one object: `/query/limit`, `/header/x-request-id`, `/path/1` (by position), `/body/…`. Opaque if a part
 * of it cannot be found.
 */
export function requestNode(described: Described, document: OpenApiDocument): SchemaNode {
  // All four are always present, so that a new parameter shows up alone.
  const places = new Map<string, Parts>(['path', 'query', 'header', 'cookie'].map((where) => [where, new Map()]));
  const parameters = [
    ...getList(described.item, 'parameters').map((raw, index) => ({ raw, at: `parameters/${index}` })),
    // Parameters of the operation replace those of its path.
    ...getList(described.operation, 'parameters').map((raw, index) => ({ raw, at: `parameters/${index}` })),
  ];
  for (const { raw, at } of parameters) {
    const found = followReference(raw, `${described.place}/${at}`, document.root);
    if ('reason' in found) return { is: 'opaque', ...found, fingerprint: () => undefined };
    const name = getText(found.value, 'name');
    const where = getText(found.value, 'in');
    if (name === undefined || where === undefined) continue;
    const parts: Parts = places.get(where) ?? new Map();
    const schema = get(found.value, 'schema') ?? get(jsonMedia(get(found.value, 'content'))?.value, 'schema') ?? true;
    const required = where === 'path' || get(found.value, 'required') === true;
    parts.set(keyOf(where, name, described.path), {
      node: document.readRequest(schema, `${found.place}/schema`),
      required,
    });
    places.set(where, parts);
  }
  const members: Parts = new Map();
  for (const [where, parts] of places) members.set(where, { node: objectOf(parts), required: true });
  const body = bodyOf(described, document);
  if (body?.node.is === 'opaque' && body.node.fingerprint() === undefined) return body.node;
  if (body !== undefined) members.set('body', body);
  return objectOf(members);
}

function bodyOf({ operation, place }: Described, { root, readRequest }: OpenApiDocument): Part | undefined {
  const raw = get(operation, 'requestBody');
  if (raw === undefined) return undefined;
  const found = followReference(raw, `${place}/requestBody`, root);
  if ('reason' in found) return { node: { is: 'opaque', ...found, fingerprint: () => undefined }, required: true };
  const content = getObject(found.value, 'content');
  const media = jsonMedia(content) ?? formMedia(content);
  const node =
    media === undefined
      ? (otherMedia(content, `${found.place}/content`, root) ?? valueNode({ token: 'any' }))
      : readRequest(get(media.value, 'schema') ?? true, `${found.place}/content`);
  return { node, required: get(found.value, 'required') === true };
}

/** Forms have schemas too. */
function formMedia(content: unknown): { readonly value: unknown } | undefined {
  const value = get(content, 'application/x-www-form-urlencoded') ?? get(content, 'multipart/form-data');
  return isRecord(value) ? { value } : undefined;
}

function keyOf(where: string, name: string, path: string): string {
  if (where === 'header') return name.toLowerCase();
  if (where !== 'path') return name;
  const position = [...path.matchAll(/\{([^{}]*)\}/g)].findIndex(([, each]) => each === name);
  return position === -1 ? name : String(position + 1);
}

function objectOf(parts: Parts): SchemaNode {
  return valueNode({
    token: 'object',
    fields: () => new Map([...parts].map(([name, { node }]) => [name, node])),
    required: () => new Set([...parts].filter(([, { required }]) => required).map(([name]) => name)),
  });
}
