import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { listenOnFreshPort } from './fresh-port.ts';

/** A request as received. */
export interface AskedForm {
  readonly path: string;
  readonly method: string;
  readonly contentType: string;
  readonly body: string;
  readonly form: URLSearchParams;
}

interface Held {
  readonly callback: string;
  readonly topic: string;
  readonly secret: string | undefined;
}

export interface Delivery {
  /** 0: no answer. */
  readonly status: number;
  readonly body: string;
}

export interface FakeHub extends AsyncDisposable {
  readonly url: string;
  /** Requests of subscribers, oldest first. */
  readonly asked: AskedForm[];
  /** Confirmed subscriptions, by callback. */
  readonly held: Map<string, Held>;
  /** Its answer to a form. Default: 202. */
  answer: (form: AskedForm) => { readonly status: number; readonly location?: string; readonly body?: string };
  /** When it verifies the intent of the subscriber. */
  verifies: 'after' | 'before' | 'never';
  leaseSeconds: string | undefined;
  method: 'sha1' | 'sha256' | 'sha384' | 'sha512';
  /** Calls a callback as given. */
  ask(
    callback: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<Delivery & { readonly headers: Headers }>;
  /** Delivers to all subscribers of the topic. */
  publish(topic: string, body?: string): Promise<readonly Delivery[]>;
  deliver(callback: string, body: string, headers?: Readonly<Record<string, string>>): Promise<Delivery>;
}

/** A WebSub hub that does what a test says: the real protocol, and its lies. */
export async function startFakeHub(tls?: { readonly cert: string; readonly key: string }): Promise<FakeHub> {
  let settled = Promise.resolve();
  const listener = (request: IncomingMessage, response: import('node:http').ServerResponse) => {
    void (async () => {
      const asked = await readForm(request);
      hub.asked.push(asked);
      const { status, location, body = '' } = hub.answer(asked);
      const isTaken = status < 300;
      if (isTaken && hub.verifies === 'before') await verify(hub, asked.form);
      response.writeHead(status, location === undefined ? {} : { location }).end(body);
      if (isTaken && hub.verifies === 'after') settled = settled.then(() => verify(hub, asked.form));
    })();
  };
  const server: Server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  const port = await listenOnFreshPort(server);
  const hub: FakeHub = {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/hub`,
    asked: [],
    held: new Map(),
    answer: () => ({ status: 202 }),
    verifies: 'after',
    leaseSeconds: '864000',
    method: 'sha256',
    async ask(callback, parameters) {
      const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
      const answer = await fetch(`${callback}?${query.join('&')}`);
      return { status: answer.status, body: await answer.text(), headers: answer.headers };
    },
    publish: (topic, body = '<feed/>') =>
      Promise.all(
        [...hub.held.values()].filter((held) => held.topic === topic).map((held) => deliverTo(hub, held, body)),
      ),
    async deliver(callback, body, headers = {}) {
      const answer = await fetch(callback, { method: 'POST', body, headers, redirect: 'manual' }).catch(
        () => undefined,
      );
      return { status: answer?.status ?? 0, body: (await answer?.text()) ?? '' };
    },
    async [Symbol.asyncDispose]() {
      await settled;
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
  return hub;
}

async function readForm(request: IncomingMessage): Promise<AskedForm> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const body = Buffer.concat(pieces).toString('utf8');
  return {
    path: request.url ?? '',
    method: request.method ?? '',
    contentType: request.headers['content-type'] ?? '',
    body,
    form: new URLSearchParams(body),
  };
}

async function verify(hub: FakeHub, form: URLSearchParams): Promise<void> {
  const [mode = '', callback = '', topic = ''] = ['mode', 'callback', 'topic'].map(
    (name) => form.get(`hub.${name}`) ?? '',
  );
  const challenge = randomBytes(24).toString('base64url');
  const lease: Record<string, string> =
    mode === 'subscribe' && hub.leaseSeconds !== undefined ? { 'hub.lease_seconds': hub.leaseSeconds } : {};
  const answer = await hub
    .ask(callback, { 'hub.mode': mode, 'hub.topic': topic, 'hub.challenge': challenge, ...lease })
    .catch(() => undefined);
  if (answer?.status !== 200 || answer.body !== challenge) return;
  if (mode === 'unsubscribe') hub.held.delete(callback);
  else hub.held.set(callback, { callback, topic, secret: form.get('hub.secret') ?? undefined });
}

function deliverTo(hub: FakeHub, { callback, secret }: Held, body: string): Promise<Delivery> {
  const signed: Record<string, string> =
    secret === undefined ? {} : { 'x-hub-signature': signatureOf(hub.method, secret, body) };
  return hub.deliver(callback, body, { 'content-type': 'application/atom+xml', ...signed });
}

export function signatureOf(method: string, secret: string, body: string): string {
  return `${method}=${createHmac(method, secret).update(body).digest('hex')}`;
}
