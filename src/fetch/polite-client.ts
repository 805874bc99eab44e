import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { HostBusyError, HostPausedError, RobotsDeniedError } from '../errors/crawl-error.ts';
import { abortable } from './abortable.ts';
import { type Asker, createHopAskers } from './asker.ts';
import type { HostMemory } from './host-memory.ts';
import type { HostPauses } from './host-pauses.ts';
import { createHostTurns, type Turn, type TurnRequest } from './host-turns.ts';
import type { HttpClient, HttpRequest, HttpResponse } from './http-client.ts';
import { preferHttps, rememberHttps } from './https-preference.ts';
import type { RobotsAccess } from './robots-access.ts';

export interface PoliteRequest extends HttpRequest {
  /** The longest wait for a turn; a longer pause is a {@link HostPausedError} at once. Default 15 s. */
  readonly maxWaitMs?: number;
  /** All other callers of this host go first; a request that has begun gives up for them with a {@link HostBusyError}. */
  readonly yields?: boolean;
}

/**
 * Requests pages and sitemaps: as robots.txt allows, one at a time per host, with a pause after each, and not at all during a pause that an origin
 * asked for. The same rules apply to each hop of a redirect.
 *
 * The turn of a host ends with the body: read it to its end or call `discard`.
 */
export interface PoliteClient {
  /** Throws a {@link RobotsDeniedError}, a {@link HostPausedError}, or what {@link HttpClient} throws. Any status is a response. */
  get(request: PoliteRequest): Promise<HttpResponse>;
  /** The sitemaps that the robots.txt of this origin names; empty if it cannot be read. */
  sitemapsOf(origin: URL, asker?: Asker): Promise<readonly URL[]>;
}

export interface PoliteClientOptions {
  /** A client that backs off: see back-off-client.ts. */
  readonly http: HttpClient;
  readonly robots: RobotsAccess;
  readonly memory: HostMemory;
  readonly pauses: HostPauses;
  readonly now: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** The pause after each fetch. A value below 2 s applies only to private addresses. */
  readonly cooldownMs?: number;
  /** Whether a host is in our own network. */
  readonly isPrivate: (hostname: string) => Promise<boolean>;
}

type Patience = Omit<TurnRequest, 'gapMs' | 'pausedUntil'>;

/** AIWebIndex 2.0 §6.2. */
export const COOLDOWN_MS = 2000;
const MAX_WAIT_MS = 15_000;

export function createPoliteClient(options: PoliteClientOptions): PoliteClient {
  const { http, robots, memory, pauses, now, cooldownMs = COOLDOWN_MS, isPrivate } = options;
  const turns = createHostTurns(options);

  const gapMs = async ({ hostname }: URL, crawlDelayMs = 0): Promise<number> => {
    const isLow = cooldownMs < COOLDOWN_MS && !(await isPrivate(hostname));
    return Math.max(isLow ? COOLDOWN_MS : cooldownMs, crawlDelayMs);
  };

  /** Checks robots.txt first: a forbidden page is not waited for. */
  const askLeave = async (url: URL, asker: Asker | undefined, request: Patience): Promise<Turn> => {
    const permission = await abortable(robots.mayFetch(url, asker), url, request.signal);
    if (!permission.allowed) throw permission.cause ?? new RobotsDeniedError(url, permission.reason, permission);
    const pausedUntil = () => pauses.until(url.host, asker);
    return await turns.take(url, { ...request, pausedUntil, gapMs: await gapMs(url, permission.crawlDelayMs) });
  };

  return {
    async get({ maxWaitMs = MAX_WAIT_MS, yields = false, ...request }) {
      const wanted = new AbortController();
      const { signal: own = new AbortController().signal } = request;
      const signal = yields ? AbortSignal.any([own, wanted.signal]) : own;
      const url = await preferHttps(request.url, memory, now());
      const askerOf = createHopAskers(url, request.asker);
      let turn: Turn | undefined;
      try {
        const response = await http.get({
          ...request,
          ...(yields && { signal }),
          url,
          async beforeHop(hop) {
            await turn?.end();
            turn = undefined;
            // If the caller refuses a host, its robots.txt is not requested either.
            await request.beforeHop?.(hop);
            turn = await askLeave(hop, askerOf(hop), { signal, maxWaitMs, yields });
            turn.wanted.addEventListener('abort', () => wanted.abort(), { once: true });
          },
        });
        await rememberHttps(url, response, { memory, nowMs: now() });
        return withTurn(response, turn);
      } catch (error) {
        await turn?.end();
        throw wanted.signal.aborted ? new HostBusyError(url, { hasBegun: true }) : error;
      }
    },

    async sitemapsOf(origin, asker) {
      const named = await robots.sitemapsOf(origin, asker);
      return named.filter((text) => canParseUrl(text)).map((text) => new URL(text));
    },
  };
}

/** The turn lasts until the body was read, failed, or was discarded. */
function withTurn(response: HttpResponse, turn: Turn | undefined): HttpResponse {
  if (turn === undefined) return response;
  return {
    ...response,
    body: {
      async *[Symbol.asyncIterator]() {
        try {
          yield* response.body;
        } catch (error) {
          throw turn.wanted.aborted ? new HostBusyError(response.url, { hasBegun: true }) : error;
        } finally {
          await turn.end();
        }
      },
    },
    discard: () => response.discard().finally(() => turn.end()),
  };
}
