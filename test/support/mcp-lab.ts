import { onTestFinished, vi } from 'vitest';
import { startHub } from '../../src/doors/hub.ts';
import { htmlPage, type TestFolder, temporaryFolder } from './site.ts';

export const SITE = 'https://docs.example/';
export const ADMIN = 'a-token-for-tests-only';
export const MODERN = '2026-07-28';
export const PATIENCE = { timeout: 30_000, interval: 25 };

/** The metadata of every request of 2026-07-28. */
export const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
};

export interface McpHub {
  readonly url: string;
  /** `…/mcp` */
  readonly mcp: string;
  /** The built site that it watches. */
  readonly site: TestFolder;
  readonly data: string;
  write(pages: Readonly<Record<string, string>>): void;
  close(): Promise<void>;
  /** Resolves when its log has this many changes. */
  hasChanges(count: number): Promise<void>;
}

/** A page of two sections. */
export function limitsPage(tiers: string): string {
  return htmlPage('Limits', [
    { id: 'tiers', heading: 'Tiers', text: tiers },
    { id: 'bursts', heading: 'Bursts', text: 'A burst may last for ten seconds and then has to end.' },
  ]);
}

/** A hub over a folder that is checked each second, with a page at `/limits.html` that has been read. */
export async function startMcpHub(settings: object = {}): Promise<McpHub> {
  const base = temporaryFolder();
  const site = temporaryFolder();
  site.write({ 'limits.html': limitsPage('There are three tiers of accounts.') });
  const sources = [{ id: 'docs', kind: 'folder' as const, path: site.path, site: SITE, intervalSeconds: 1 }];
  const hub = await startHub(
    { data: './data', port: 0, allowPrivate: true, cooldownMs: 0, sources, ...settings },
    { base: base.path, token: ADMIN },
  );
  onTestFinished(async () => {
    await hub.close();
    base[Symbol.dispose]();
    site[Symbol.dispose]();
  });
  const lab = {
    url: hub.url,
    mcp: `${hub.url}mcp`,
    site,
    data: `${base.path}/data`,
    write: (pages: Readonly<Record<string, string>>) => site.write(pages),
    close: () => hub.close(),
    async hasChanges(count: number) {
      await vi.waitFor(async () => {
        const answer = await fetch(`${hub.url}api/v1/changes?limit=1000`);
        const { changes } = (await answer.json()) as { changes: unknown[] };
        if (changes.length < count) throw new Error(`${changes.length} changes`);
      }, PATIENCE);
    },
  };
  await lab.hasChanges(1);
  return lab;
}

export interface RpcAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Every message of the body, whether JSON or a stream of events. */
  readonly messages: readonly RpcMessage[];
  /** The result of the answer. */
  readonly result: Readonly<Record<string, unknown>>;
  readonly error: RpcMessage['error'];
  readonly text: string;
}

export interface RpcMessage {
  readonly jsonrpc: string;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: Readonly<Record<string, unknown>>;
  };
}

export interface RpcRequest {
  readonly id?: string | number;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The headers that a request of 2026-07-28 needs. */
export function modernHeaders({ method, params = {} }: RpcRequest): Record<string, string> {
  const name = params.name ?? params.uri;
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
  };
}

export function modernBody({ id = 1, method, params = {} }: RpcRequest): object {
  return { jsonrpc: '2.0', id, method, params: { _meta: META, ...params } };
}

/** Sends a request like a client of 2026-07-28; `headers` and `body` replace the usual ones. */
export async function askModern(
  mcp: string,
  request: RpcRequest,
  { headers = {}, body }: { headers?: Readonly<Record<string, string | undefined>>; body?: unknown } = {},
): Promise<RpcAnswer> {
  return await postRpc(mcp, body ?? modernBody(request), { ...modernHeaders(request), ...headers });
}

/** Sends a request like a client of an older revision. */
export async function askLegacy(
  mcp: string,
  { id = 1, method, params = {} }: RpcRequest,
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<RpcAnswer> {
  return await postRpc(
    mcp,
    { jsonrpc: '2.0', id, method, params },
    {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...headers,
    },
  );
}

export async function postRpc(
  mcp: string,
  body: unknown,
  headers: Readonly<Record<string, string | undefined>>,
): Promise<RpcAnswer> {
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const answer = await fetch(mcp, {
    method: 'POST',
    headers: Object.fromEntries(given),
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  const messages = messagesOf(text, answer.headers.get('content-type') ?? '');
  const last = messages.findLast((message) => message.result !== undefined || message.error !== undefined);
  return {
    status: answer.status,
    headers: answer.headers,
    messages,
    text,
    result: last?.result ?? {},
    error: last?.error,
  };
}

function messagesOf(text: string, type: string): readonly RpcMessage[] {
  if (text === '') return [];
  if (!type.startsWith('text/event-stream')) return [JSON.parse(text)];
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data));
}

export interface EventStream {
  readonly messages: RpcMessage[];
  readonly headers: Headers;
  /** Everything received, including comments. */
  text(): string;
  /** Resolves when the server has ended it. */
  readonly ended: Promise<void>;
  cut(): void;
}

/** Opens `subscriptions/listen` and collects what arrives. */
export async function listen(mcp: string, id: string | number, notifications: object): Promise<EventStream> {
  const request = { id, method: 'subscriptions/listen', params: { notifications: { ...notifications } } };
  const stop = new AbortController();
  const answer = await fetch(mcp, {
    method: 'POST',
    headers: modernHeaders(request),
    body: JSON.stringify(modernBody(request)),
    signal: stop.signal,
  });
  const messages: RpcMessage[] = [];
  let text = '';
  const ended = (async () => {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const piece of answer.body ?? []) {
      text += decoder.decode(piece, { stream: true });
      rest = text;
      messages.splice(
        0,
        messages.length,
        ...messagesOf(rest.slice(0, rest.lastIndexOf('\n\n') + 2), 'text/event-stream'),
      );
    }
  })().catch(() => undefined);
  onTestFinished(() => stop.abort());
  return { messages, headers: answer.headers, text: () => text, ended, cut: () => stop.abort() };
}
