import { HubAnswerError } from '../../errors/hub-answer-error.ts';
import { McpRequestError } from '../../errors/mcp-request-error.ts';
import type { McpService, ToolResult } from '../../mcp/mcp-service.ts';
import type { ListedResources, ResourceContents } from '../../mcp/resources.ts';
import type { ToolDefinition } from '../../mcp/tool.ts';
import type { ToolObject } from '../../mcp/tool-json.ts';
import type { HubClient } from '../undici/hub-client.ts';

const REVISION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'tidings', version: '1' },
};
const DEADLINE_MS = 50_000;
const INVALID_PARAMS = -32602;
const NOWHERE = [404, 405, 501];

/** The service of a hub that runs elsewhere: every request is passed on to its `/mcp`, and answered as that answers. */
export function createRemoteService(client: HubClient, hub: string): McpService {
  let id = 0;
  const ask = async (method: string, params: ToolObject, name?: string, signal?: AbortSignal): Promise<ToolObject> => {
    id += 1;
    const body = { jsonrpc: '2.0', id, method, params: { ...params, _meta: META } };
    const answer = await client
      .ask({
        method: 'POST',
        path: 'mcp',
        body,
        deadlineMs: DEADLINE_MS,
        headers: {
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': REVISION,
          'mcp-method': method,
          ...(name !== undefined && { 'mcp-name': headerValue(name) }),
        },
        ...(signal !== undefined && { signal }),
      })
      .catch(explained);
    return resultOf(answer);
  };
  const explained = (error: unknown): never => {
    if (!(error instanceof HubAnswerError) || !NOWHERE.includes(error.status)) throw error;
    const detail =
      'It has no /mcp. Install @modelcontextprotocol/server beside that hub, or use a hub of this version.';
    throw new HubAnswerError(hub, error.status, { detail });
  };
  return {
    tools: async () => (await ask('tools/list', {})).tools as unknown as readonly ToolDefinition[],
    async call(name, args, { signal }) {
      const { structuredContent, content, isError } = await ask('tools/call', { name, arguments: args }, name, signal);
      const result = { structuredContent, content, ...(isError === true && { isError }) };
      return result as unknown as ToolResult;
    },
    async listResources(cursor, signal) {
      const params = cursor === undefined ? {} : { cursor };
      return (await ask('resources/list', params, undefined, signal)) as unknown as ListedResources;
    },
    async readResource(uri, signal) {
      const { contents } = await ask('resources/read', { uri }, uri, signal);
      const [first] = Array.isArray(contents) ? contents : [];
      return first as unknown as ResourceContents;
    },
  };
}

/** What answers in place of a hub may be anything. */
function resultOf(answer: unknown): ToolObject {
  const { result, error } = (answer ?? {}) as { readonly result?: unknown; readonly error?: RpcError };
  if (typeof result === 'object' && result !== null) return result as ToolObject;
  const { code, message = '', data } = error ?? {};
  if (code !== INVALID_PARAMS) throw new Error(`The hub answered with a JSON-RPC error ${code}.`);
  const uri = data?.uri;
  if (typeof uri === 'string') throw new McpRequestError('unknown-resource', message, uri);
  throw new McpRequestError('bad-cursor', message);
}

interface RpcError {
  readonly code?: number;
  readonly message?: string;
  readonly data?: { readonly uri?: unknown };
}

/** Outside of plain ASCII a name travels in base64. */
function headerValue(name: string): string {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(name) && !name.startsWith('=?')
    ? name
    : `=?base64?${Buffer.from(name).toString('base64')}?=`;
}
