import { isRecord } from '../primitives/json-record.ts';
import type { DecodedDescription, Flaw, Operation } from './description.ts';
import { get, getObject, getText, getVersion } from './json-tree.ts';
import { statesRequired } from './schema-fingerprint.ts';
import { createSchemaReader } from './schema-node.ts';

/**
 * The tools of an MCP server: the result of `tools/list`, with or without its JSON-RPC envelope, or a server card that lists
 * them. The response of a tool is its `structuredContent`; pointers begin there.
 *
 * Spec: https://modelcontextprotocol.io/specification/2025-06-18/server/tools
 */
export function isMcp(tree: unknown): boolean {
  if (Array.isArray(tree)) return tree.length > 0 && tree.every(isTool);
  const list = listOf(tree);
  if (get(list, 'skills') !== undefined) return false;
  if (get(list, 'serverInfo') !== undefined || get(list, 'protocolVersion') !== undefined) {
    return get(list, 'properties') === undefined;
  }
  const tools = get(list, 'tools');
  return Array.isArray(tools) && get(list, 'properties') === undefined && tools.every(isRecord);
}

export function decodeMcpTools(tree: unknown): DecodedDescription {
  const list = listOf(tree);
  const tools = Array.isArray(tree) ? tree : get(list, 'tools');
  if (!Array.isArray(tools) || !tools.every(isRecord)) {
    return refused('/tools', 'it does not list its tools; give the result of tools/list');
  }
  if (get(list, 'nextCursor') !== undefined && get(list, 'nextCursor') !== null) {
    return refused('/nextCursor', 'it is one page of a list; give all pages as one');
  }
  const version = getVersion(getObject(list, 'serverInfo')) ?? getVersion(list);
  const operations = tools.map((tool, index) => operationOf(tool, `${Array.isArray(tree) ? '' : '/tools'}/${index}`));
  return { ok: true, value: { format: 'mcp', ...(version !== undefined && { version }), operations } };
}

function operationOf(tool: unknown, place: string): Operation {
  const name = getText(tool, 'name');
  const output = get(tool, 'outputSchema');
  const input = get(tool, 'inputSchema');
  const flaw: Flaw | undefined = name === undefined || name === '' ? { place, reason: 'it has no name' } : undefined;
  // Each schema is a separate document: its references start at its own root.
  return {
    endpointId: `mcp:${name ?? place}`,
    protocol: 'mcp',
    operation: name ?? place,
    responses: output === undefined ? [] : [{ name: 'structuredContent', node: read(output, 'outputSchema') }],
    ...(input !== undefined && { request: read(input, 'inputSchema') }),
    traits: {},
    presence: () => (statesRequired(output, output) ? 'stated' : 'unstated'),
    ...(flaw !== undefined && { flaw }),
  };

  function read(schema: unknown, part: string) {
    return createSchemaReader(schema)(schema, `${place}/${part}`);
  }
}

function listOf(tree: unknown): unknown {
  return get(tree, 'jsonrpc') === undefined ? tree : get(tree, 'result');
}

function isTool(value: unknown): boolean {
  return isRecord(value) && typeof value.name === 'string' && isRecord(value.inputSchema);
}

function refused(place: string, reason: string): DecodedDescription {
  return { ok: false, flaw: { place, reason } };
}
