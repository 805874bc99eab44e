import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { ReceivedBody } from './received-body.ts';

/** A webhook as received. */
export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: ReceivedBody;
}

export interface WebhookReceiver {
  /** With a final slash. */
  readonly url: string;
  readonly received: ReceivedWebhook[];
  /** Without those about the subscription itself. */
  events(): ReceivedWebhook[];
}

type Answer = (webhook: ReceivedWebhook, response: ServerResponse) => void;

/** A real endpoint on loopback. It answers challenges correctly, and everything else as the test says. */
export async function startWebhookReceiver(answer: Answer = (_, response) => response.end()): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const webhook = { path: request.url ?? '', headers, text, body: JSON.parse(text) };
    received.push(webhook);
    const challenge = webhook.body.data?.challenge;
    if (webhook.body.type === 'subscription.verify' && webhook.path !== '/own') response.end(challenge);
    else answer(webhook, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    received,
    events: () => received.filter(({ body }) => !body.type.startsWith('subscription.')),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
