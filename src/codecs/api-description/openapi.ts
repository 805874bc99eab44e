import { isRecord } from '../primitives/json-record.ts';
import type { DecodedDescription, Flaw, Operation, ResponseShape, SchemaNode } from './description.ts';
import { escapeStep, get, getObject, getText, getVersion } from './json-tree.ts';
import { addressesOf, followReference, jsonMedia, type OpenApiDocument, otherMedia } from './openapi-parts.ts';
import { requestNode } from './openapi-request.ts';
import { statesRequired } from './schema-fingerprint.ts';
import { createSchemaReader } from './schema-node.ts';

/** OpenAPI 3.0 and 3.1. Spec: https://spec.openapis.org/oas/v3.1.1.html */
const VERSIONS = /^3\.[01](?:\.|$)/;
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

export function decodeOpenApi(root: unknown): DecodedDescription {
  const told = get(root, 'openapi');
  if (!VERSIONS.test(String(told))) {
    return { ok: false, flaw: { place: '/openapi', reason: `OpenAPI ${String(told)} is not read, only 3.0 and 3.1` } };
  }
  const paths = get(root, 'paths');
  if (!isRecord(paths)) return { ok: false, flaw: { place: '/paths', reason: 'it describes no paths' } };
  const hasLoneReferences = /^3\.0(?:\.|$)/.test(String(told));
  const document = {
    root,
    readResponse: createSchemaReader(root, { leftOut: 'writeOnly', hasLoneReferences }),
    readRequest: createSchemaReader(root, { leftOut: 'readOnly', hasLoneReferences }),
  };
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    path.startsWith('x-') ? [] : operationsOf(path, item, document),
  );
  const version = getVersion(getObject(root, 'info'));
  return { ok: true, value: { format: 'openapi', ...(version !== undefined && { version }), operations } };
}

function operationsOf(path: string, raw: unknown, document: OpenApiDocument): Operation[] {
  const item = followReference(raw, `/paths/${escapeStep(path)}`, document.root);
  if ('reason' in item) return [flawed('*', path, item)];
  return METHODS.flatMap((method) => {
    const operation = get(item.value, method);
    if (operation === undefined) return [];
    return [operationOf({ method, path, item: item.value, operation, place: `${item.place}/${method}` }, document)];
  });
}

interface Described {
  readonly method: string;
  readonly path: string;
  readonly item: unknown;
  readonly operation: unknown;
  readonly place: string;
}

function operationOf({ method, path, item, operation, place }: Described, document: OpenApiDocument): Operation {
  if (!isRecord(operation)) return flawed(method, path, { place, reason: 'it is not an operation' });
  const request = requestNode({ path, item, operation, place }, document);
  if (request.is === 'opaque') return flawed(method, path, request);
  const responses = responsesOf(operation, place, document);
  if ('reason' in responses) return flawed(method, path, responses);
  const address = addressesOf(operation, item, document.root);
  const operationId = getText(operation, 'operationId');
  return {
    ...namesOf(method, path),
    ...(operationId !== undefined && { operationId }),
    responses: responses.map(({ name, node }) => ({ name, node })),
    request,
    traits: {
      ...(get(operation, 'deprecated') === true && { deprecated: ['true'] }),
      success: successesOf(operation),
      ...(address.length > 0 && { address }),
    },
    presence: () => (responses.some(({ schema }) => statesRequired(schema, document.root)) ? 'stated' : 'unstated'),
  };
}

interface ResponseSchema extends ResponseShape {
  readonly schema: unknown;
}

/** The bodies of successes, 200 first. Bodies that are not JSON can only be compared as a whole. `default` counts if no success is described. */
function responsesOf(
  operation: unknown,
  place: string,
  { root, readResponse }: OpenApiDocument,
): ResponseSchema[] | Flaw {
  const responses = getObject(operation, 'responses');
  const successes = successesOf(operation);
  const found: ResponseSchema[] = [];
  for (const status of successes.length > 0 ? successes : Object.keys(responses).filter(isDefault)) {
    const response = followReference(responses[status], `${place}/responses/${status}`, root);
    if ('reason' in response) return response;
    const content = get(response.value, 'content');
    const media = jsonMedia(content);
    const other = media === undefined ? otherMedia(content, `${response.place}/content`, root) : undefined;
    if (other !== undefined) found.push({ name: status, schema: undefined, node: other });
    if (media === undefined) continue;
    const schema = get(media.value, 'schema') ?? true;
    const at = `${response.place}/content/${escapeStep(media.type)}/schema`;
    found.push({ name: status, schema, node: readResponse(schema, at) });
  }
  return found;
}

function successesOf(operation: unknown): string[] {
  const statuses = Object.keys(getObject(operation, 'responses'));
  return statuses.filter((status) => /^2(?:\d\d|XX)$/i.test(status)).sort();
}

function isDefault(status: string): boolean {
  return status === 'default';
}

function flawed(method: string, path: string, { place, reason }: Flaw | (SchemaNode & Flaw)): Operation {
  return { ...namesOf(method, path), responses: [], traits: {}, presence: () => 'unstated', flaw: { place, reason } };
}

/** The name of a path parameter is only for people; callers never send it. */
function namesOf(method: string, path: string): Pick<Operation, 'endpointId' | 'protocol' | 'operation'> {
  const verb = method.toUpperCase();
  const plainPath = path.replaceAll(/\{[^{}]*\}/g, '{}');
  return { endpointId: `rest:${verb}:${plainPath}`, protocol: 'rest', operation: `${verb} ${path}` };
}
