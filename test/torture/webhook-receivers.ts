import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Child, startChild } from './harness.ts';
import type { JournalLine } from './webhook-judge.ts';

/** A process with endpoints that take everything. It is killed, and stands up again at the same address. */
export interface GoodReceiver extends AsyncDisposable {
  /** With a final slash. */
  readonly url: string;
  /** With SIGKILL; it answers again a while later. */
  killFor(ms: number): Promise<void>;
  /** All that it ever got, in order. */
  journal(): readonly JournalLine[];
}

export async function startGoodReceiver(folder: string, name: string, secretsFile: string): Promise<GoodReceiver> {
  const file = join(folder, `${name}.journal`);
  let port = '0';
  let child: Child;
  const start = async () => {
    child = startChild('webhook-receiver-child.mjs', [port, file, secretsFile]);
    process.once('exit', child.kill);
    port = (await firstLine(child)).slice('at '.length);
  };
  const end = async () => {
    child.kill();
    await child.ended;
    process.off('exit', child.kill);
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}/`,
    async killFor(ms) {
      await end();
      await pause(ms);
      await start();
    },
    journal: () => (existsSync(file) ? linesOf(readFileSync(file, 'utf8')) : []),
    [Symbol.asyncDispose]: end,
  };
}

/** How endpoints fail. All of them agree to be told, and then do this. */
export const FAILURES: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  hangs: () => {},
  breaks: (_, response) => void response.writeHead(500).end('no'),
  redirects: (_, response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
  resets: (request) => void request.socket.resetAndDestroy(),
  gone: (_, response) => void response.writeHead(410).end(),
};
export const SLOW_MS = 1500;

export interface BadReceiver extends AsyncDisposable {
  readonly url: string;
  /** What was asked of each failure, beside challenges. */
  readonly asked: ReadonlyMap<string, number>;
}

export async function startBadReceiver(): Promise<BadReceiver> {
  const asked = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const { type, data } = JSON.parse(await textOf(request)) as { type: string; data: { challenge?: string } };
    if (type === 'subscription.verify') return void response.end(data.challenge);
    const name = (request.url ?? '').slice(1);
    asked.set(name, (asked.get(name) ?? 0) + 1);
    if (name === 'slow') setTimeout(() => response.end(), SLOW_MS);
    else (FAILURES[name] ?? notFound)(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function notFound(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404).end();
}

/** A line that was cut by a kill was not answered either. */
function linesOf(text: string): JournalLine[] {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as JournalLine];
    } catch {
      return [];
    }
  });
}

async function firstLine(child: Child): Promise<string> {
  const ended = child.ended.then((how) => {
    throw new Error(`A receiver ended with ${how} before it answered.`);
  });
  ended.catch(() => {});
  for (;;) {
    const [line] = child.lines;
    if (line !== undefined) return line;
    await Promise.race([pause(5), ended]);
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
