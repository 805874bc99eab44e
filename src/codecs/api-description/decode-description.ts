import { groupBy } from '../primitives/group-by.ts';
import { isRecord } from '../primitives/json-record.ts';
import { decodeA2aCard, isA2aCard } from './a2a.ts';
import type { DecodedDescription, Operation } from './description.ts';
import { decodeJsonSchema, isJsonSchema } from './json-schema.ts';
import { get, getText } from './json-tree.ts';
import { decodeMcpTools, isMcp } from './mcp.ts';
import { decodeOpenApi } from './openapi.ts';
import { parseTree } from './parse-tree.ts';

export const MAX_DESCRIPTION_BYTES = 10 * 1024 * 1024;

/** The beginning of the first definition in a GraphQL schema, after comments and descriptions. */
const GRAPHQL =
  /^(?:extend\s+)?(?:(?:type|interface|input|enum|union|scalar)\s+[_A-Za-z]\w*|schema\s*[@{]|directive\s*@)/;
const PREAMBLE = /[\s,\ufeff]+|#[^\n]*|"[^"\n]+"|"(?!"")"/y;
const BLOCK = '"""';

/** Detects the format from the text, not from a file name. */
export async function decodeDescription(text: string): Promise<DecodedDescription> {
  if (text.length > MAX_DESCRIPTION_BYTES) return refused('', `it is over ${MAX_DESCRIPTION_BYTES} characters long`);
  if (text.trim() === '') return refused('', 'it is empty');
  if (isGraphql(text)) {
    // Loaded on demand: it costs as much as everything else together.
    const { decodeGraphql } = await import('./graphql.ts');
    return checked(decodeGraphql(text));
  }
  const parsed = await parseTree(text);
  if (!parsed.ok) return refused('', parsed.reason);
  return checked(decodeTree(parsed.tree));
}

function decodeTree(tree: unknown): DecodedDescription {
  if (get(tree, 'openapi') !== undefined) return decodeOpenApi(tree);
  if (get(tree, 'swagger') !== undefined) {
    return refused('/swagger', 'Swagger 2.0 is not read; convert it to OpenAPI 3 first');
  }
  if (get(tree, '__schema') !== undefined || get(get(tree, 'data'), '__schema') !== undefined) {
    return refused('/__schema', 'it is the result of an introspection; print it as a schema (SDL) first');
  }
  if (getText(tree, 'asyncapi') !== undefined) return refused('/asyncapi', 'AsyncAPI is not read');
  if (isMcp(tree)) return decodeMcpTools(tree);
  if (isA2aCard(tree)) return decodeA2aCard(tree);
  if (isJsonSchema(tree)) return decodeJsonSchema(tree);
  const what = isRecord(tree) ? `has the keys ${Object.keys(tree).slice(0, 5).join(', ') || '(none)'}` : 'is no object';
  const known =
    'OpenAPI 3.0 or 3.1, JSON Schema, an MCP tools/list result or server card, an A2A agent card, GraphQL SDL';
  return refused('', `it ${what}, and is none of these: ${known}`);
}

/** Merges operations with the same id into one with a flaw: they could not be distinguished. */
function checked(decoded: DecodedDescription): DecodedDescription {
  if (!decoded.ok) return decoded;
  const groups = groupBy(decoded.value.operations, ({ endpointId }) => endpointId);
  const operations = [...groups.values()].flatMap(([first, second]): Operation[] => {
    if (first === undefined || second === undefined) return first === undefined ? [] : [first];
    const reason = `it stands there twice, as ${first.operation} and as ${second.operation}`;
    return [{ ...first, flaw: { place: first.endpointId, reason } }];
  });
  return { ok: true, value: { ...decoded.value, operations } };
}

function isGraphql(text: string): boolean {
  let at = 0;
  for (;;) {
    PREAMBLE.lastIndex = at;
    const skipped = text.startsWith(BLOCK, at) ? blockLength(text, at) : (PREAMBLE.exec(text)?.[0].length ?? 0);
    if (skipped === 0) return GRAPHQL.test(text.slice(at, at + 300));
    at += skipped;
  }
}

function blockLength(text: string, start: number): number {
  const end = text.indexOf(BLOCK, start + BLOCK.length);
  return end === -1 ? text.length - start : end + BLOCK.length - start;
}

function refused(place: string, reason: string): DecodedDescription {
  return { ok: false, flaw: { place, reason } };
}
