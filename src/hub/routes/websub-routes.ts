import { decodeHubRequest, HUB_FORM_TYPE, type SubscriptionRequest } from '../../codecs/websub/hub-request.ts';
import { hubUrlKey } from '../../codecs/websub/hub-url.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import { tidingsProblem } from '../http/api-problems.ts';
import type { HubRequest, HubResponse, Route } from '../http/route.ts';
import { clientOfAddress } from '../keys/client-address.ts';
import type { RateLimiter } from '../keys/rate-limiter.ts';
import { WEBSUB_HUB_PATH } from '../push/websub/endpoint.ts';
import { websubId } from '../push/websub/subscribers.ts';
import type { WebSubHub } from '../push/websub/websub-hub.ts';

export interface WebSubRouteParts {
  readonly hub: Pick<WebSubHub, 'request' | 'subscribers'>;
  /** Whether a path of the hub is a topic. */
  readonly isTopic: (path: string) => boolean;
  /** The length of a topic; undefined if it cannot be read now. */
  readonly sizeOf: (path: string, signal: AbortSignal) => Promise<number | undefined>;
  /** Has the source of this page or feed checked; false if there is none. */
  readonly ping: (url: URL) => Promise<boolean>;
  /** With a final slash. */
  readonly baseUrl: () => string;
  /** All addresses of this hub, each with a final slash. */
  readonly ownAddresses: () => readonly string[];
  /** Another hub that takes subscriptions in its place. */
  readonly successor?: string | undefined;
  readonly limits: WebSubLimits;
  /** Two limiters: for the clients that send requests, and for the hosts that are verified in return. */
  readonly clients: RateLimiter;
  readonly callbackHosts: RateLimiter;
}

export interface WebSubLimits {
  readonly subscriptions: number;
  readonly subscriptionsPerHost: number;
  /** Per client, and per host of callbacks. */
  readonly requestsPerMinute: number;
  readonly documentBytes: number;
}

/** Enough for some hundred URLs, under both parameter names. */
const BODY_BYTES = 1024 * 1024;

/** `/hub`: subscribes to a feed, or reports that something has changed. */
export function websubRoutes(parts: WebSubRouteParts): Route[] {
  return [
    {
      method: 'POST',
      path: `/${WEBSUB_HUB_PATH}`,
      access: 'open',
      summary:
        'WebSub (W3C): subscribe to a feed of this hub, unsubscribe, or announce a change (hub.mode=publish). The body is a form.',
      wantsBytes: true,
      bodyBytes: BODY_BYTES,
      responses: {
        202: 'Accepted. A subscription is active once its callback has confirmed it.',
        308: 'Another hub accepts the subscriptions.',
        400: 'The form is invalid; the text says why.',
        403: 'The hub refuses this; the text says why.',
        404: 'The topic is neither a feed of this hub nor watched by it.',
        415: 'The body is not a form.',
        429: 'Too many requests from this client, or for callbacks on this host; see Retry-After.',
        503: 'The hub cannot accept this now.',
      },
      answer: { mediaType: 'text/plain' },
      handle: (request) => answer(request, parts),
    },
  ];
}

async function answer(request: HubRequest, parts: WebSubRouteParts): Promise<HubResponse> {
  const { successor, clients, limits } = parts;
  if (successor !== undefined) return says(308, 'Another hub takes subscriptions now.', { location: successor });
  const mediaType = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== HUB_FORM_TYPE)
    return says(415, `Send a form as ${HUB_FORM_TYPE}, not ${mediaType ? 'another type' : 'without a type'}.`);
  const { isAllowed, leftMs } = clients.take(clientOfAddress(request.clientIp), limits.requestsPerMinute);
  if (!isAllowed) return tooMany(`This client may ask ${limits.requestsPerMinute} times a minute, and has.`, leftMs);
  const decoded = decodeHubRequest(request.body instanceof Uint8Array ? request.body : new Uint8Array(0));
  if (!decoded.ok) return says(400, decoded.issues[0].message);
  try {
    if (decoded.value.mode === 'publish') return await publish(decoded.value.urls, parts);
    return await subscribe(decoded.value, request.signal, parts);
  } catch (error) {
    if (!(error instanceof TidingsError)) throw error;
    const { status, headers } = tidingsProblem(error);
    const later = headers['retry-after'];
    const text = status === 503 ? 'The hub cannot take it now. Ask again later.' : 'The hub could not do it.';
    return { ...says(status, text, later === undefined ? {} : { 'retry-after': later }), error };
  }
}

async function subscribe(
  wish: SubscriptionRequest,
  signal: AbortSignal,
  parts: WebSubRouteParts,
): Promise<HubResponse> {
  const { hub, limits, baseUrl } = parts;
  const path = pathOf(wish.topic, baseUrl());
  const known = hub.subscribers.get(websubId(wish.topic, wish.callback));
  if (path === undefined || !parts.isTopic(path)) {
    // A subscription to a former topic can still be ended.
    if (wish.mode === 'unsubscribe' && known !== undefined) {
      await hub.request(known.path, wish);
      return TAKEN;
    }
    return says(
      404,
      `hub.topic is no feed of this hub. Subscribe to what rel=self of one names; all of them are below ${baseUrl()}.`,
    );
  }
  const refusal = callbackRefusal(wish, parts) ?? (known === undefined ? countRefusal(wish, parts) : undefined);
  if (refusal !== undefined) return refusal;
  if (wish.mode === 'subscribe' && known?.active === undefined) {
    const bytes = await parts.sizeOf(path, signal);
    if (bytes === undefined) return says(503, 'The feed cannot be read now. Ask again later.', { 'retry-after': '30' });
    if (bytes > limits.documentBytes) {
      return says(
        403,
        `The feed has ${bytes} bytes, and this hub delivers up to ${limits.documentBytes}. Read it, or the part that is new, from its address.`,
      );
    }
  }
  await hub.request(path, wish);
  return TAKEN;
}

function callbackRefusal({ callback }: SubscriptionRequest, { ownAddresses, callbackHosts, limits }: WebSubRouteParts) {
  const url = new URL(callback);
  const isOwn = ownAddresses().some((own) => url.href.startsWith(own) || `${url.href}/` === own);
  if (isOwn) return says(403, 'hub.callback leads to this hub itself.');
  const { isAllowed, leftMs } = callbackHosts.take(url.host, limits.requestsPerMinute);
  if (isAllowed) return undefined;
  return tooMany(`Callbacks of one host are asked ${limits.requestsPerMinute} times a minute, and were.`, leftMs);
}

function countRefusal({ callback, mode }: SubscriptionRequest, { hub: { subscribers }, limits }: WebSubRouteParts) {
  if (mode === 'unsubscribe') return undefined;
  if (subscribers.size >= limits.subscriptions) {
    return says(503, 'This hub has as many subscriptions as it takes.', { 'retry-after': '3600' });
  }
  if (subscribers.at(new URL(callback).host) < limits.subscriptionsPerHost) return undefined;
  return says(403, `One host has ${limits.subscriptionsPerHost} callbacks at most.`);
}

/** Each URL is a feed of the hub, which needs no ping, or leads to a source, which is then checked. */
async function publish(urls: readonly string[], { ping, isTopic, baseUrl }: WebSubRouteParts): Promise<HubResponse> {
  const unknown: string[] = [];
  for (const url of urls) {
    const path = pathOf(url, baseUrl());
    const isKnown = path === undefined ? await ping(new URL(url)) : isTopic(path);
    if (!isKnown) unknown.push(url);
  }
  const count = urls.length - unknown.length;
  const rest = unknown.map((url) => `\nNot watched here: ${url}`).join('');
  if (count === 0) return says(404, `Nothing of it is a feed of this hub, or watched by it.${rest}`);
  return says(202, `${count} of ${urls.length} taken. What has changed is told once the hub has seen it.${rest}`);
}

/** Relative to the hub; undefined for URLs elsewhere. */
function pathOf(topic: string, baseUrl: string): string | undefined {
  const [key, base] = [hubUrlKey(topic), hubUrlKey(baseUrl)];
  return key !== undefined && base !== undefined && key.startsWith(base) ? key.slice(base.length) : undefined;
}

function tooMany(text: string, leftMs: number): HubResponse {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000));
  return says(429, `${text} Ask again in ${seconds} s.`, { 'retry-after': String(seconds) });
}

/** For the developer of the other side, as text that no browser treats as a page. */
function says(status: number, text: string, headers: Readonly<Record<string, string>> = {}): HubResponse {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body: `${text}\n`,
  };
}

const TAKEN = says(202, 'It counts once the callback has confirmed it.');
