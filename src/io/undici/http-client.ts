import { isUtf8 } from 'node:buffer';
import { Agent, type Dispatcher, request as send } from 'undici';
import { canParseUrl } from '../../codecs/primitives/can-parse-url.ts';
import {
  AddressRefusedError,
  BodyTooLargeError,
  DigestMismatchError,
  RedirectRefusedError,
} from '../../errors/fetch-error.ts';
import type { HttpClient, HttpHeaders, HttpPoster, HttpRequest, HttpResponse } from '../../fetch/http-client.ts';
import type { RequestSigner, UnsignedRequest } from '../../fetch/request-signer.ts';
import { connectionFree, readBody } from './body.ts';
import { type DigestedResponse, digestSeen, watchDigest } from './digest-watch.ts';
import { connectionErrorOf } from './errors.ts';
import { type ExchangeTimer, startExchangeTimer } from './exchange-timer.ts';
import type { GuardOptions } from './guard-options.ts';
import { createGuardedConnector, RefusedAddress } from './guarded-connector.ts';
import { createSurplusWatch, type SurplusWatch } from './surplus.ts';

export interface HttpClientOptions extends GuardOptions {
  readonly userAgent: string;
  /** Signs what is asked for. Absent: requests go unsigned. */
  readonly signer?: RequestSigner | undefined;
  /** For a request that names none; 20 s unless said otherwise. */
  readonly deadlineMs?: number;
}

const DEFAULT_DEADLINE_MS = 20_000;
const DEFAULT_MAX_BODY_BYTES = 10 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];
/** What is left of an unwanted body is read up to here, so that the connection can be used again. */
const DRAIN_BYTES = 64 * 1024;

export function createUndiciHttpClient(options: HttpClientOptions): HttpClient & HttpPoster {
  const closing = new AbortController();
  const surplus = createSurplusWatch();
  const agent = new Agent({
    connect: surplus.around(createGuardedConnector(options, closing.signal)),
    // Our deadline covers both.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 32 * 1024,
  });
  const client = { ...options, agent, surplus };
  return {
    get: (request) => exchange(client, request, (start) => followRedirects(client, start)),
    post: ({ body, method = 'POST', ...request }) =>
      exchange(client, request, (start) => askOnce(client, { ...start, sent: { method, body } })),
    async [Symbol.asyncDispose]() {
      closing.abort();
      await agent.destroy();
    },
  };
}

interface OpenClient extends HttpClientOptions {
  readonly agent: Agent;
  readonly surplus: SurplusWatch;
}

async function exchange(
  client: OpenClient,
  request: HttpRequest,
  answerTo: (start: Exchange) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const timer = startExchangeTimer({
    deadlineMs: request.deadlineMs ?? client.deadlineMs ?? DEFAULT_DEADLINE_MS,
    signal: request.signal,
  });
  try {
    return await answerTo({ request, url: request.url, timer });
  } catch (error) {
    timer.end();
    throw error;
  }
}

async function followRedirects(client: OpenClient, start: Exchange): Promise<HttpResponse> {
  const { request, timer } = start;
  let { url } = start;
  const asked = new Set<string>();
  const redirects: number[] = [];
  for (;;) {
    assertReadable(url);
    asked.add(url.href);
    await request.beforeHop?.(url);
    const hasSurplus = surplusFromNow(client, url);
    const answer = await ask(client, { request, url, timer });
    const target = redirectTarget(answer, url);
    if (target === undefined) return verified(client, answer, { request, url, redirects, timer, hasSurplus });

    await drain(answer, timer);
    if (asked.has(target.href)) throw new RedirectRefusedError(request.url, 'it redirects in a circle');
    if (redirects.length === MAX_REDIRECTS)
      throw new RedirectRefusedError(request.url, `it redirects over ${MAX_REDIRECTS} times`);
    if (url.protocol === 'https:' && target.protocol === 'http:' && !client.allowPrivate) {
      throw new RedirectRefusedError(request.url, `it redirects from https to ${target.href}`);
    }
    redirects.push(answer.statusCode);
    url = target;
  }
}

/** The answer, where its bytes have the digest that it names; else that to the same request once more. */
async function verified(
  client: OpenClient,
  answer: Dispatcher.ResponseData,
  answered: Answered,
): Promise<HttpResponse> {
  const { request, url } = answered;
  const first = await digestSeen(respond(answer, answered));
  if (first !== 'mismatch') return first;
  // Whoever compresses on the way is not asked to: the bytes are then those that were digested.
  const plain = { ...request, headers: { ...request.headers, 'accept-encoding': 'identity' } };
  return await exchange(client, plain, async ({ timer }) => {
    const again = { ...answered, request: plain, timer, hasSurplus: surplusFromNow(client, url) };
    const second = await ask(client, again);
    const seen = redirectTarget(second, url) === undefined ? await digestSeen(respond(second, again)) : 'mismatch';
    if (seen === 'mismatch') throw new DigestMismatchError(url);
    return { ...seen, wasAltered: true };
  });
}

async function askOnce(client: OpenClient, exchange: Exchange): Promise<HttpResponse> {
  assertReadable(exchange.url);
  const hasSurplus = surplusFromNow(client, exchange.url);
  return respond(await ask(client, exchange), { ...exchange, redirects: [], hasSurplus });
}

function surplusFromNow({ surplus }: OpenClient, url: URL): () => boolean {
  const before = surplus.timesSeen(url);
  return () => surplus.timesSeen(url) > before;
}

interface Exchange {
  readonly request: HttpRequest;
  readonly url: URL;
  readonly timer: ExchangeTimer;
  /** Absent where something is only asked for. */
  readonly sent?: { readonly method: 'POST' | 'PUT'; readonly body: string | Uint8Array };
}

/** Once, and a second time if the answer asks for a signature that can be made. */
async function ask(client: OpenClient, exchange: Exchange): Promise<Dispatcher.ResponseData> {
  const { signer } = client;
  if (signer === undefined) return askWith(client, exchange, {});
  const unsigned: UnsignedRequest = { method: exchange.sent?.method ?? 'GET', url: exchange.url };
  const answer = await askWith(client, exchange, signer.fieldsFor(unsigned));
  const [acceptSignature] = [answer.headers['accept-signature']].flat();
  const signature = signer.answerTo(unsigned, { status: answer.statusCode, acceptSignature });
  if (signature === undefined) return answer;
  await drain(answer, exchange.timer);
  return askWith(client, exchange, signature);
}

async function askWith(
  client: OpenClient,
  { request, url, timer, sent }: Exchange,
  signature: Readonly<Record<string, string>>,
): Promise<Dispatcher.ResponseData> {
  timer.resume();
  try {
    const sending = send(url, {
      dispatcher: client.agent,
      ...(sent ?? { method: 'GET' }),
      headers: {
        'accept-encoding': 'gzip, br, deflate',
        ...request.headers,
        ...(url.origin === request.url.origin && request.secretHeaders),
        'user-agent': client.userAgent,
        ...signature,
      },
      signal: timer.signal,
    });
    // undici hears its signal only once there is a connection.
    const answer = await Promise.race([sending, rejectedOn(timer.signal)]);
    // Whoever reads the body meets its errors there; one that nobody reads may break unheard.
    answer.body.on('error', () => {});
    return answer;
  } catch (error) {
    const refused = refusedAddress(error);
    if (refused !== undefined) throw new AddressRefusedError(url, refused.address);
    throw timer.explain(url) ?? connectionErrorOf(url, error);
  } finally {
    timer.pause();
  }
}

function rejectedOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

interface Answered extends Exchange {
  readonly redirects: readonly number[];
  readonly hasSurplus: () => boolean;
}

function respond(answer: Dispatcher.ResponseData, answered: Answered): DigestedResponse {
  const { request, url, redirects, timer, hasSurplus } = answered;
  const headers = joinHeaders(answer.headers);
  const maxBytes = request.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
  const announced = Number(headers['content-length'] ?? 0);
  const wire = { bytes: 0 };
  const digest = watchDigest(answer.statusCode, headers);
  return {
    url,
    ...(redirects.length > 0 && { redirects }),
    status: answer.statusCode,
    headers,
    body: {
      async *[Symbol.asyncIterator]() {
        if (announced > maxBytes) {
          timer.end();
          answer.body.destroy();
          throw new BodyTooLargeError(url, `over ${maxBytes} bytes`);
        }
        const rules = { url, status: answer.statusCode, headers, maxBytes, timer, wire, hasSurplus };
        yield* readBody(answer.body, { ...rules, onWire: digest?.see });
      },
    },
    ...(digest !== undefined && { digest }),
    wireBytes: () => wire.bytes,
    discard: () => drain(answer, timer).finally(() => timer.end()),
  };
}

async function drain(answer: Dispatcher.ResponseData, timer: ExchangeTimer): Promise<void> {
  timer.resume();
  try {
    await answer.body.dump({ limit: DRAIN_BYTES });
    await connectionFree();
  } catch {
    // Nobody wants this body; the connection is closed and that is all.
    answer.body.destroy();
  } finally {
    timer.pause();
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
  const header = [answer.headers.location].flat()[0];
  if (header === undefined || !REDIRECTS.includes(answer.statusCode)) return undefined;
  const location = utf8Of(header);
  if (!canParseUrl(location, base.href)) throw new RedirectRefusedError(base, 'its redirect names no URL');
  const target = new URL(location, base);
  target.hash = '';
  return target;
}

/** undici reads headers as Latin-1, but an unescaped path is written in UTF-8. Anything that is not UTF-8 stays as it was read. */
function utf8Of(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) && bytes.toString('latin1') === header ? bytes.toString('utf8') : header;
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
