/**
 * Whether a URL may be fetched according to the robots.txt of its origin, which is requested once and kept for a while.
 *
 * Spec: https://www.rfc-editor.org/rfc/rfc9309#section-2.3
 */

import { parseRobots, type Robots } from '../codecs/robots/robots.ts';
import { MAX_ROBOTS_BYTES } from '../codecs/robots/robots-text.ts';
import type { SaidUsage } from '../codecs/robots/usage-lines.ts';
import { HostPausedError } from '../errors/crawl-error.ts';
import { AddressRefusedError, ConnectionError, DeadlineError, FetchError } from '../errors/fetch-error.ts';
import { type Asker, boundBy, EVERYBODY } from './asker.ts';
import type { HttpClient, HttpHeaders, HttpResponse } from './http-client.ts';
import { maxAgeMs, retryAfterMs } from './response-headers.ts';

export interface RobotsAccessOptions {
  readonly http: HttpClient;
  readonly now: () => number;
  /** The name before the `/` of our User-Agent. */
  readonly productToken: string;
  /** Whether a host is in our own network; a failure keeps us away from such a host only briefly. Default: none is. */
  readonly isPrivate?: (hostname: string) => Promise<boolean>;
  /** The maximum number of stored origins; the least recently used one is dropped first. */
  readonly maxOrigins?: number;
}

export interface FetchPermission {
  readonly allowed: boolean;
  /** The reason of the answer, for people. */
  readonly reason: string;
  /** The pause that the site asks for between requests. It may raise ours, never lower it. */
  readonly crawlDelayMs?: number;
  /** Present if there was no usable answer: the robots.txt is requested again after this time. */
  readonly retryAfterMs?: number;
  /** Present if the status of the robots.txt says nothing about the rules. */
  readonly status?: number;
  /** Present if the host did not answer at all: a request for the page would fail in the same way. */
  readonly cause?: FetchError;
}

export interface RobotsAccess {
  /** Fails only if the HTTP client throws something other than a {@link FetchError}: then nothing is stored. */
  mayFetch(url: URL, asker?: Asker): Promise<FetchPermission>;
  /** The `Sitemap:` lines of an origin; empty if its robots.txt cannot be read. */
  sitemapsOf(origin: URL, asker?: Asker): Promise<readonly string[]>;
  /** What the robots.txt of its origin says about the use of a page; empty if it cannot be read. */
  usageOf(url: URL, asker?: Asker): Promise<RobotsUsage>;
  /** Forgets unreadable robots.txt files that keep this asker from a host, so that they are requested again. */
  forgetFailures(asker: Asker): void;
}

export interface RobotsUsage {
  readonly said: readonly SaidUsage[];
  /** Licence files that say more. */
  readonly licenses: readonly string[];
  /** Nothing is known because there was no answer. */
  readonly isUnread?: true;
}

/** What one origin said. */
type Answer =
  | { readonly kind: 'rules'; readonly robots: Robots; readonly untilMs: number }
  | { readonly kind: 'none'; readonly status: number; readonly untilMs: number }
  | ({ readonly kind: 'unknown'; readonly untilMs: number } & Unread);

interface Unread {
  readonly why: string;
  readonly status?: number;
  readonly cause?: FetchError;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** The shortest time that an answer is used, even one without rules. RFC 9309 names no time. */
const SHORTEST_MS = 5 * 60 * 1000;
/** The pause after a host did not answer at all. */
const UNANSWERED_MS = 60 * 1000;
/** The pause after a failure of a host in our own network. */
const PRIVATE_PAUSE_MS = 1000;
const MAX_ORIGINS = 1000;
const TOO_MANY_REQUESTS = 429;
/** Failures that a page of the same origin would have as well. */
const NO_ANSWER = [ConnectionError, AddressRefusedError, DeadlineError];

export function createRobotsAccess(options: RobotsAccessOptions): RobotsAccess {
  const { now, productToken, maxOrigins = MAX_ORIGINS } = options;
  const answers = new Map<string, Answer>();
  const underWay = new Map<string, Promise<Answer>>();

  /** Rules apply to all askers; a failure only to those whom it binds. */
  const answerOf = async (origin: string, asker: Asker | undefined): Promise<Answer> => {
    const bound = boundBy(new URL(origin).host, asker);
    for (const key of new Set([keyOf(origin, EVERYBODY), keyOf(origin, bound)])) {
      const known = answers.get(key);
      if (known === undefined || known.untilMs <= now()) continue;
      remember(key, known);
      return known;
    }
    return underWay.get(keyOf(origin, bound)) ?? begin(origin, bound, asker);
  };
  const begin = (origin: string, bound: string, asker: Asker | undefined): Promise<Answer> => {
    const key = keyOf(origin, bound);
    const asking = ask(origin, asker, options)
      .then((answer) => {
        remember(answer.kind === 'unknown' ? key : keyOf(origin, EVERYBODY), answer);
        return answer;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, asking);
    return asking;
  };
  /** A map keeps the order of insertion, so the first key is the least recently used one. */
  const remember = (key: string, answer: Answer): void => {
    answers.delete(key);
    answers.set(key, answer);
    const [oldest] = answers.keys();
    if (answers.size > maxOrigins && oldest !== undefined) answers.delete(oldest);
  };

  return {
    async mayFetch(url, asker) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:') {
        return { allowed: false, reason: `${url.protocol} is neither http nor https` };
      }
      // RFC 9309 §2.2.2: the robots.txt itself is always allowed.
      if (url.pathname === '/robots.txt' && url.search === '') return { allowed: true, reason: 'it is the robots.txt' };
      return permission(await answerOf(url.origin, asker), { url, productToken, nowMs: now() });
    },
    async sitemapsOf({ origin }, asker) {
      const answer = await answerOf(origin, asker);
      return answer.kind === 'rules' ? answer.robots.sitemaps : [];
    },
    usageOf: async (url, asker) => usageIn(await answerOf(url.origin, asker), url, productToken),
    forgetFailures(asker) {
      for (const [key, { kind }] of answers) {
        const [origin = '', bound = EVERYBODY] = key.split(' ');
        const isOurs = bound === EVERYBODY ? asker.isOwn(new URL(origin).host) : bound === asker.name;
        if (kind === 'unknown' && isOurs) answers.delete(key);
      }
    },
  };
}

function usageIn(answer: Answer, url: URL, productToken: string): RobotsUsage {
  if (answer.kind !== 'rules') return { said: [], licenses: [], ...(answer.kind === 'unknown' && { isUnread: true }) };
  const { robots } = answer;
  return { said: robots.usageOf(productToken, url), licenses: robots.licenses };
}

/** An origin contains no space. */
function keyOf(origin: string, bound: string): string {
  return `${origin} ${bound}`;
}

interface Question {
  readonly url: URL;
  readonly productToken: string;
  readonly nowMs: number;
}

/** RFC 9309 §2.3.1: without a robots.txt everything is allowed; if it is unknown whether one exists, nothing is. */
function permission(answer: Answer, { url, productToken, nowMs }: Question): FetchPermission {
  switch (answer.kind) {
    case 'none':
      return { allowed: true, reason: `${url.host} has no robots.txt (${answer.status})` };
    case 'unknown':
      return {
        allowed: false,
        reason: `the robots.txt of ${url.host} cannot be read: ${answer.why}`,
        retryAfterMs: Math.max(0, answer.untilMs - nowMs),
        ...(answer.status !== undefined && { status: answer.status }),
        ...(answer.cause !== undefined && { cause: answer.cause }),
      };
    case 'rules': {
      const allowed = answer.robots.allows(productToken, url);
      const crawlDelayMs = answer.robots.crawlDelayMs(productToken);
      const verb = allowed ? 'allows' : 'forbids';
      return {
        allowed,
        reason: `the robots.txt of ${url.host} ${verb} ${url.pathname} for ${productToken}`,
        ...(crawlDelayMs !== undefined && { crawlDelayMs }),
      };
    }
  }
}

async function ask(
  origin: string,
  asker: Asker | undefined,
  { http, now, isPrivate }: RobotsAccessOptions,
): Promise<Answer> {
  const unread = async (why: Unread, askedMs = 0): Promise<Answer> => {
    const publicMs = why.cause === undefined ? SHORTEST_MS : UNANSWERED_MS;
    const shortestMs = (await isPrivate?.(new URL(origin).hostname)) ? PRIVATE_PAUSE_MS : publicMs;
    return { kind: 'unknown', ...why, untilMs: now() + Math.min(Math.max(askedMs, shortestMs), DAY_MS) };
  };
  try {
    // The client treats a body over its limit as a failure. Here a long body is truncated, so only our limit applies.
    const response = await http.get({
      url: new URL('/robots.txt', origin),
      maxBodyBytes: Number.MAX_SAFE_INTEGER,
      ...(asker !== undefined && { asker }),
    });
    const { status, headers } = response;
    if (status >= 200 && status < 300) {
      const robots = parseRobots(await readStart(response));
      return { kind: 'rules', robots, untilMs: now() + lifetimeMs(headers) };
    }
    await response.discard();
    // RFC 9309 §2.3.1.3: 4xx means that there is no robots.txt. A 429 says nothing about the rules.
    if (status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS) {
      return { kind: 'none', status, untilMs: now() + lifetimeMs(headers) };
    }
    return await unread({ why: `status ${status}`, status }, retryAfterMs(headers, now()));
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    const { message: why } = error;
    if (error instanceof HostPausedError) {
      return { kind: 'unknown', why, cause: error, untilMs: now() + error.retryAfterMs };
    }
    return await unread({ why, ...(NO_ANSWER.some((kind) => error instanceof kind) && { cause: error }) });
  }
}

/** One byte more than is parsed shows the parser that the file was truncated. */
async function readStart(response: HttpResponse): Promise<Uint8Array> {
  const start = new Uint8Array(MAX_ROBOTS_BYTES + 1);
  let length = 0;
  for await (const piece of response.body) {
    const part = piece.subarray(0, start.length - length);
    start.set(part, length);
    length += part.length;
    if (length === start.length) break;
  }
  return start.subarray(0, length);
}

/** RFC 9309 §2.4: as Cache-Control says, but at most a day. A host that forbids caching is asked now and then. */
function lifetimeMs(headers: HttpHeaders): number {
  const uncached = /(?:^|[\s,])(?:no-cache|no-store|max-age\s*=\s*"?0+(?!\d))/i.test(headers['cache-control'] ?? '');
  const asked = uncached ? SHORTEST_MS : (maxAgeMs(headers) ?? DAY_MS);
  return Math.min(Math.max(asked, SHORTEST_MS), DAY_MS);
}
