import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { listenOnFreshPort } from './fresh-port.ts';
import { createStripeAccount, errorBody, randomName, type StripeAccount } from './stripe-account.ts';

/** Faults of the API, once per entry in the queue. `hang` never answers; `lost` does the work, then breaks the connection. */
export type StripeTrouble =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | Buffer }
  | 'hang'
  | 'reset'
  | 'lost';

export interface StripeRequest {
  readonly method: string;
  /** With its query, as received. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly form: Readonly<Record<string, string>>;
}

export interface StripeEvent {
  readonly id: string;
  readonly object: 'event';
  readonly type: string;
  readonly created: number;
  readonly data: { readonly object: unknown };
}

export interface Signing {
  /** Epoch milliseconds. Default: now. */
  readonly atMs?: number;
  readonly secret?: string;
}

/** One Stripe account in test mode, over HTTP. */
export interface StripeServer extends AsyncDisposable, Omit<StripeAccount, 'answer' | 'complete'> {
  /** `http://127.0.0.1:<port>/`, or `https://localhost:<port>/` */
  readonly url: URL;
  /** Requests to the API, oldest first, without those of the buyer. */
  readonly requests: readonly StripeRequest[];
  /** How many queued troubles a request of the API has met. */
  readonly troublesMet: number;
  /** The next requests of the API meet these, one each. */
  fail(...troubles: StripeTrouble[]): void;
  /** A buyer in a browser pays on the session's page. Resolves to where the browser is sent next. */
  pay(checkout: URL): Promise<URL>;
  /** Sets the status of a subscription. Returns the event that Stripe sends. */
  change(subscription: string, status: string): StripeEvent;
  event(type: string, object: unknown): StripeEvent;
  /** The header `Stripe-Signature` for these bytes. */
  sign(body: string, signing?: Signing): string;
  /** Sends an event like Stripe, once. */
  deliver(event: StripeEvent, to: URL, signing?: Signing): Promise<{ readonly status: number; readonly text: string }>;
}

/**
 * A real HTTP server with the part of Stripe's API that a checkout needs: https://docs.stripe.com/api. It has an account with one secret key and one webhook
 * secret, both of test mode, stores what is created in it, and answers errors in Stripe's format.
 */
export async function startStripeServer(tls?: { readonly key: string; readonly cert: string }): Promise<StripeServer> {
  const requests: StripeRequest[] = [];
  const troubles: StripeTrouble[] = [];
  let troublesMet = 0;

  const listener = (request: IncomingMessage, response: ServerResponse) => {
    void readBody(request).then((body) => {
      const path = request.url ?? '/';
      if (path.startsWith('/pay/')) return answerBuyer(request.method ?? '', path.slice('/pay/'.length), response);
      answerApi(request, body, response);
    });
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  const port = await listenOnFreshPort(server);
  const url = new URL(tls === undefined ? `http://127.0.0.1:${port}/` : `https://localhost:${port}/`);
  const { answer: answerTo, complete, ...account } = createStripeAccount(new URL('/pay/', url));

  function answerApi(request: IncomingMessage, body: string, response: ServerResponse): void {
    const { method = '', url: path = '/', headers } = request;
    requests.push({ method, path, headers, form: Object.fromEntries(new URLSearchParams(body)) });
    const trouble = troubles.shift();
    if (trouble !== undefined) troublesMet += 1;
    if (trouble === 'hang') return;
    if (trouble === 'reset') return void request.socket.resetAndDestroy();
    if (trouble !== undefined && trouble !== 'lost') {
      const usual = JSON.stringify(errorBody('api_error', 'Something is wrong on our side.'));
      response.writeHead(trouble.status, { 'content-type': 'application/json', ...trouble.headers });
      return void response.end(trouble.body ?? usual);
    }
    const answer = answerTo({ method, path, headers, body });
    if (trouble === 'lost') return void request.socket.resetAndDestroy();
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      'request-id': `req_${randomName()}`,
      ...answer.headers,
    });
    response.end(JSON.stringify(answer.body, null, 2));
  }

  /** The page that Stripe hosts. */
  function answerBuyer(method: string, id: string, response: ServerResponse): void {
    const session = account.sessions.get(id);
    if (session === undefined) return void response.writeHead(404).end();
    if (method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      return void response.end(
        `<!doctype html><title>Test checkout</title><form method="post"><button>Pay</button></form>`,
      );
    }
    complete(session);
    const next = session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', id);
    response.writeHead(303, { location: next }).end();
  }

  const event = (type: string, object: unknown): StripeEvent => ({
    id: `evt_${randomName()}`,
    object: 'event',
    type,
    created: Math.floor(Date.now() / 1000),
    data: { object },
  });
  const sign = (body: string, { atMs = Date.now(), secret = account.webhookSecret }: Signing = {}) => {
    const seconds = Math.floor(atMs / 1000);
    return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
  };

  return {
    ...account,
    url,
    requests,
    get troublesMet() {
      return troublesMet;
    },
    fail: (...more) => void troubles.push(...more),
    async pay(checkout) {
      const response = await fetch(checkout, { method: 'POST', redirect: 'manual' });
      await response.arrayBuffer();
      return new URL(response.headers.get('location') ?? '', checkout);
    },
    change(id, status) {
      const subscription = account.subscriptions.get(id);
      if (subscription === undefined) throw new Error(`there is no subscription ${id}`);
      subscription.status = status;
      return event(`customer.subscription.${status === 'canceled' ? 'deleted' : 'updated'}`, { ...subscription });
    },
    event,
    sign,
    async deliver(sent, to, signing) {
      const body = JSON.stringify(sent, null, 2);
      const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': sign(body, signing) };
      const response = await fetch(to, { method: 'POST', headers, body, redirect: 'manual' });
      return { status: response.status, text: await response.text() };
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
