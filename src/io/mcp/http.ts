import type { McpRequestContext } from '@modelcontextprotocol/server';
import type { HubRequest, HubResponse } from '../../hub/http/route.ts';
import type { McpService } from '../../mcp/mcp-service.ts';
import type { Notices } from '../../mcp/notices.ts';
import { loadMcpSdk } from './load-sdk.ts';
import { createMcpServer } from './server.ts';

export interface McpHttpParts {
  readonly service: McpService;
  readonly version: string;
  onProblem(error: unknown): void;
}

/** The protocol over HTTP: requests that were checked by their headers in, answers out. */
export interface McpHttp {
  answer(request: HubRequest): Promise<HubResponse>;
  publish(notices: Notices): void;
  /** Ends the open streams, each with its result. */
  close(): Promise<void>;
}

export const MCP_BODY_BYTES = 4 * 1024 * 1024;
const MOST_STREAMS = 1024;
const KEEP_ALIVE_MS = 15_000;
/** What the SDK learns about an owner of the hub's token; the token itself is not passed on. */
const ADMIN = { token: 'admin', clientId: 'admin', scopes: ['admin'] };
const BATCH = { code: -32600, message: 'One message is sent at a time: batches ended with revision 2025-06-18.' };
const NOT_JSON = { code: -32700, message: 'The body is not JSON in UTF-8.' };

export async function createMcpHttp({ service, version, onProblem }: McpHttpParts): Promise<McpHttp> {
  const sdk = await loadMcpSdk();
  const handler = sdk.createMcpHandler(
    ({ era, authInfo }: McpRequestContext) =>
      createMcpServer({ sdk, service, version }, { isAdmin: authInfo !== undefined, canNotify: era === 'modern' }),
    {
      legacy: 'stateless',
      maxSubscriptions: MOST_STREAMS,
      keepAliveMs: KEEP_ALIVE_MS,
      maxRequestBodySize: MCP_BODY_BYTES,
      onerror: onProblem,
    },
  );
  return {
    async answer(request) {
      const parsedBody = parsed(request.body);
      if (parsedBody === undefined) return refusal(NOT_JSON);
      if (Array.isArray(parsedBody)) return refusal(BATCH);
      const isLegacy = await sdk.isLegacyRequest(webRequest(request), parsedBody);
      // For an old client a lost connection does not mean cancel; for a new one it is the only way to cancel.
      const asked = webRequest(request, isLegacy ? undefined : request.signal);
      const answer = await handler.fetch(asked, { parsedBody, ...(request.isAdmin && { authInfo: ADMIN }) });
      return hubResponse(answer, isLegacy);
    },
    publish({ uris, isListChanged }) {
      for (const uri of uris) handler.notify.resourceUpdated(uri);
      if (isListChanged) handler.notify.resourcesChanged();
    },
    close: () => handler.close(),
  };
}

function parsed(body: unknown): unknown {
  if (!(body instanceof Uint8Array)) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Without the token: nothing after this needs it. */
function webRequest({ method, headers }: HubRequest, signal?: AbortSignal): Request {
  const passed = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && name !== 'authorization' && name !== 'cookie') passed.set(name, value);
  }
  return new Request('http://hub.invalid/mcp', { method, headers: passed, ...(signal !== undefined && { signal }) });
}

function hubResponse(answer: Response, isLegacy: boolean): HubResponse {
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => name !== 'connection'));
  const said = { status: answer.status, headers: { 'cache-control': 'no-store', ...headers } };
  return answer.body === null ? said : { ...said, body: bodyOf(answer.body, isLegacy) };
}

async function* bodyOf(body: ReadableStream<Uint8Array>, goesOnAlone: boolean): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isDone = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!isDone && goesOnAlone) void drain(reader);
    else if (!isDone) await reader.cancel();
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // Nobody waits for it.
  }
}

function refusal(error: { readonly code: number; readonly message: string }): HubResponse {
  return {
    status: 400,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify({ jsonrpc: '2.0', id: null, error }),
  };
}
