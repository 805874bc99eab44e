import { HostPausedError } from '../errors/crawl-error.ts';
import type { HostMemory } from './host-memory.ts';
import type { HttpClient, HttpResponse } from './http-client.ts';
import { retryAfterMs } from './response-headers.ts';

export interface BackOffOptions {
  readonly http: HttpClient;
  readonly memory: HostMemory;
  readonly now: () => number;
}

/** AIWebIndex 2.0 §6.3: the pause where the origin names none. */
const PAUSE_MS = 60_000;
/** A Retry-After of 0 or of the past still asks for some peace. */
export const SHORTEST_PAUSE_MS = 2000;
/** Beyond this a moment is no date any more. */
const LONGEST_PAUSE_MS = 10 * 365 * 24 * 3600_000;
const PAUSING = [429, 503];

/**
 * An HTTP client that leaves an origin in peace as long as it asked for, whatever is to be read from it: a page, a feed
 * or a robots.txt. An origin is a host with its port; http and https of one host are one.
 */
export function createBackOffClient({ http, memory, now }: BackOffOptions): HttpClient {
  return {
    async get(request) {
      const response = await http.get({
        ...request,
        async beforeHop(url) {
          await request.beforeHop?.(url);
          const pauseMs = (await memory.until('pause', url.host)) - now();
          if (pauseMs > 0) throw new HostPausedError(url, pauseMs);
        },
      });
      if (PAUSING.includes(response.status)) await memory.extend('pause', response.url.host, now() + pauseOf(response));
      return response;
    },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };

  function pauseOf({ headers }: HttpResponse): number {
    const asked = retryAfterMs(headers, now()) ?? PAUSE_MS;
    return Math.min(Math.max(asked, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
  }
}
