import { isRecord } from '../primitives/json-record.ts';
import type { Flaw, SchemaNode } from './description.ts';
import { findLocal, get, getList, getObject, getText } from './json-tree.ts';
import { schemaFingerprintOf } from './schema-fingerprint.ts';
import type { SchemaReader } from './schema-node.ts';

const JSON_TYPE = /^application\/json$|[/+]json$/;

/** What the readers of one document share. */
export interface OpenApiDocument {
  readonly root: unknown;
  /** For responses and for requests: they differ in fields marked as write-only or read-only. */
  readonly readResponse: SchemaReader;
  readonly readRequest: SchemaReader;
}

/**
 * Follows a chain of references to its value, and gives its place. A path item, a response, a
 * parameter or a body may be a reference.
 */
export function followReference(
  value: unknown,
  place: string,
  root: unknown,
): { readonly value: unknown; readonly place: string } | Flaw {
  let at = { value, place };
  for (let hops = 0; isRecord(at.value) && at.value.$ref !== undefined; hops += 1) {
    const reference = String(at.value.$ref);
    const found = findLocal(root, reference);
    if (found === undefined || hops === 20)
      return { place: at.place, reason: `its $ref "${reference}" cannot be followed` };
    at = { value: found.value, place: reference.slice(1) };
  }
  return at;
}

/** The JSON media type of a request or response; the plainest type is preferred. */
export function jsonMedia(content: unknown): { readonly type: string; readonly value: unknown } | undefined {
  if (!isRecord(content)) return undefined;
  const types = Object.keys(content).map((type) => ({ type, plain: (type.split(';')[0] ?? '').trim().toLowerCase() }));
  const chosen =
    types.find(({ plain }) => plain === 'application/json') ??
    types.find(({ plain }) => JSON_TYPE.test(plain)) ??
    types.find(({ plain }) => plain === '*/*' || plain === 'application/*');
  return chosen && { type: chosen.type, value: content[chosen.type] };
}

/** A body that is not JSON: no pointer leads into it. Undefined if there is none. */
export function otherMedia(content: unknown, place: string, root: unknown): SchemaNode | undefined {
  const types = isRecord(content) ? Object.keys(content) : [];
  if (types.length === 0) return undefined;
  const reason = `it is ${types.join(' or ')}, which is not JSON, and no delta tells what changes there`;
  return { is: 'opaque', place, reason, fingerprint: () => schemaFingerprintOf(content, root) };
}

/** Where an operation is served: its own servers, else those of its path, else those of the document. */
export function addressesOf(operation: unknown, item: unknown, root: unknown): string[] {
  const servers = [operation, item, root].map((holder) => getList(holder, 'servers')).find((list) => list.length > 0);
  const urls = (servers ?? []).flatMap((server) => {
    const url = getText(server, 'url');
    const variables = getObject(server, 'variables');
    return url === undefined
      ? []
      : [url.replaceAll(/\{([^{}]*)\}/g, (whole, name: string) => getText(get(variables, name), 'default') ?? whole)];
  });
  return [...new Set(urls)].sort();
}
