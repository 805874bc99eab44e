import { Agent, type Dispatcher, request as send } from 'undici';
import { AddressRefusedError, BodyTooLargeError, RedirectRefusedError } from '../errors/fetch-error.ts';
import type { HttpClient, HttpHeaders, HttpRequest, HttpResponse } from '../fetch/http-client.ts';
import { createGuardedConnector, type GuardOptions, RefusedAddress } from './guarded-connector.ts';
import { type Patience, startPatience } from './patience.ts';
import { connectionFree, readBody } from './undici-body.ts';
import { connectionErrorOf } from './undici-errors.ts';

export interface HttpClientOptions extends GuardOptions {
  readonly userAgent: string;
  /** For a request that names none; 20 s unless said otherwise. */
  readonly deadlineMs?: number;
}

const DEFAULT_DEADLINE_MS = 20_000;
const DEFAULT_MAX_BODY_BYTES = 10 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];
/** What is left of an unwanted body is read up to here, so that the connection can be used again. */
const DRAIN_BYTES = 64 * 1024;

export function createUndiciHttpClient(options: HttpClientOptions): HttpClient {
  const closing = new AbortController();
  const agent = new Agent({
    connect: createGuardedConnector(options, closing.signal),
    // Our deadline covers both.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 32 * 1024,
  });
  return {
    get: (request) => exchange(agent, options, request),
    async [Symbol.asyncDispose]() {
      closing.abort();
      await agent.destroy();
    },
  };
}

async function exchange(agent: Agent, options: HttpClientOptions, request: HttpRequest): Promise<HttpResponse> {
  const patience = startPatience({
    deadlineMs: request.deadlineMs ?? options.deadlineMs ?? DEFAULT_DEADLINE_MS,
    signal: request.signal,
  });
  try {
    return await followRedirects(agent, options, { request, url: request.url, patience });
  } catch (error) {
    patience.end();
    throw error;
  }
}

async function followRedirects(agent: Agent, options: HttpClientOptions, start: Exchange): Promise<HttpResponse> {
  const { request, patience } = start;
  let { url } = start;
  const asked = new Set<string>();
  for (let redirects = 0; ; redirects += 1) {
    assertReadable(url);
    asked.add(url.href);
    await request.beforeHop?.(url);
    const answer = await ask(agent, options, { request, url, patience });
    const target = redirectTarget(answer, url);
    if (target === undefined) return respond(answer, { request, url, patience });

    await drain(answer, patience);
    if (asked.has(target.href)) throw new RedirectRefusedError(request.url, 'it redirects in a circle');
    if (redirects === MAX_REDIRECTS)
      throw new RedirectRefusedError(request.url, `it redirects over ${MAX_REDIRECTS} times`);
    if (url.protocol === 'https:' && target.protocol === 'http:' && !options.allowPrivate) {
      throw new RedirectRefusedError(request.url, `it redirects from https to ${target.href}`);
    }
    url = target;
  }
}

interface Exchange {
  readonly request: HttpRequest;
  readonly url: URL;
  readonly patience: Patience;
}

async function ask(agent: Agent, options: HttpClientOptions, exchange: Exchange): Promise<Dispatcher.ResponseData> {
  const { request, url, patience } = exchange;
  patience.resume();
  try {
    const sending = send(url, {
      dispatcher: agent,
      method: 'GET',
      headers: { 'accept-encoding': 'gzip, br, deflate', ...request.headers, 'user-agent': options.userAgent },
      signal: patience.signal,
    });
    // undici hears its signal only once there is a connection.
    const answer = await Promise.race([sending, rejectedOn(patience.signal)]);
    // Whoever reads the body meets its errors there; one that nobody reads may break unheard.
    answer.body.on('error', () => {});
    return answer;
  } catch (error) {
    const refused = refusedAddress(error);
    if (refused !== undefined) throw new AddressRefusedError(url, refused.address);
    throw patience.explain(url) ?? connectionErrorOf(url, error);
  } finally {
    patience.pause();
  }
}

function rejectedOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function respond(answer: Dispatcher.ResponseData, { request, url, patience }: Exchange): HttpResponse {
  const headers = joinHeaders(answer.headers);
  const maxBytes = request.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
  const announced = Number(headers['content-length'] ?? 0);
  return {
    url,
    status: answer.statusCode,
    headers,
    body: {
      async *[Symbol.asyncIterator]() {
        if (announced > maxBytes) {
          patience.end();
          answer.body.destroy();
          throw new BodyTooLargeError(url, `over ${maxBytes} bytes`);
        }
        yield* readBody(answer.body, { url, status: answer.statusCode, headers, maxBytes, patience });
      },
    },
    discard: () => drain(answer, patience).finally(() => patience.end()),
  };
}

async function drain(answer: Dispatcher.ResponseData, patience: Patience): Promise<void> {
  patience.resume();
  try {
    await answer.body.dump({ limit: DRAIN_BYTES });
    await connectionFree();
  } catch {
    // Nobody wants this body; the connection is closed and that is all.
    answer.body.destroy();
  } finally {
    patience.pause();
  }
}

/** A user name or password in a URL is refused rather than sent or dropped, and is not repeated in the message. */
function assertReadable(url: URL): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new RedirectRefusedError(url, `${url.protocol} is neither http nor https`);
  }
  if (url.username === '' && url.password === '') return;
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  throw new RedirectRefusedError(bare, 'its URL carries a user name or a password');
}

function redirectTarget(answer: Dispatcher.ResponseData, base: URL): URL | undefined {
  const location = [answer.headers.location].flat()[0];
  if (location === undefined || !REDIRECTS.includes(answer.statusCode)) return undefined;
  if (!URL.canParse(location, base.href)) throw new RedirectRefusedError(base, 'its redirect names no URL');
  const target = new URL(location, base);
  target.hash = '';
  return target;
}

function joinHeaders(headers: Dispatcher.ResponseData['headers']): HttpHeaders {
  const joined: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name.toLowerCase()] = [value].flat().join(', ');
  }
  return joined;
}

function refusedAddress(error: unknown): RefusedAddress | undefined {
  if (error instanceof RefusedAddress) return error;
  return error instanceof Error && error.cause !== undefined ? refusedAddress(error.cause) : undefined;
}
