import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished, vi } from 'vitest';
import { CACHE } from './cli.ts';
import { META, PATIENCE, type RpcMessage, type RpcRequest } from './mcp-lab.ts';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** `tidings mcp`, started like a client does. */
export interface McpChild {
  readonly process: ChildProcessWithoutNullStreams;
  /** Every line of stdout. */
  readonly lines: string[];
  readonly stderr: () => string;
  /** All messages so far. */
  messages(): readonly RpcMessage[];
  write(text: string): void;
  send(message: object): void;
  /** Sends a request of 2026-07-28 and waits for its answer. */
  ask(request: RpcRequest): Promise<RpcMessage>;
  /** The same for an older revision. */
  askOld(request: RpcRequest): Promise<RpcMessage>;
  answerTo(id: string | number): Promise<RpcMessage>;
  /** The exit code, after stdin was closed or the process ended. */
  readonly ended: Promise<number | null>;
}

export function startMcp(args: readonly string[], env: Readonly<Record<string, string>> = {}): McpChild {
  const child = spawn(process.execPath, [MAIN, 'mcp', ...args], {
    env: { PATH: process.env.PATH, TIDINGS_CACHE: CACHE, ...env },
  });
  const lines: string[] = [];
  let rest = '';
  let stderr = '';
  let count = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.on('error', () => undefined);
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const send = (message: object) => void child.stdin.write(`${JSON.stringify(message)}\n`);
  const messages = (): RpcMessage[] => lines.map((line) => JSON.parse(line));
  const answerTo = (id: string | number) =>
    vi.waitFor(() => {
      const found = messages().find((message) => message.id === id && message.method === undefined);
      if (found === undefined) throw new Error(`no answer to ${id}; stderr: ${stderr}`);
      return found;
    }, PATIENCE);
  const nextId = (id: RpcRequest['id']) => {
    count += 1;
    return id ?? `call-${count}`;
  };
  return {
    process: child,
    lines,
    stderr: () => stderr,
    messages,
    write: (text) => void child.stdin.write(text),
    send,
    async ask({ id: given, method, params = {} }) {
      const id = nextId(given);
      send({ jsonrpc: '2.0', id, method, params: { _meta: META, ...params } });
      return await answerTo(id);
    },
    async askOld({ id: given, method, params = {} }) {
      const id = nextId(given);
      send({ jsonrpc: '2.0', id, method, params });
      return await answerTo(id);
    },
    answerTo,
    ended,
  };
}

export function toolCall(name: string, args: object = {}): RpcRequest & { readonly params: Record<string, unknown> } {
  return { method: 'tools/call', params: { name, arguments: args } };
}

export function initialize(protocolVersion: string): RpcRequest {
  const clientInfo = { name: 'a-test', version: '1' };
  return { method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo } };
}
