import { HostPausedError } from '../errors/crawl-error.ts';
import { createHopAskers } from './asker.ts';
import type { HostPauses } from './host-pauses.ts';
import type { HttpClient, HttpResponse } from './http-client.ts';
import { retryAfterMs } from './response-headers.ts';

export interface BackOffOptions {
  readonly http: HttpClient;
  readonly pauses: HostPauses;
  readonly now: () => number;
}

/** AIWebIndex 2.0 §6.3: the pause if the origin names none. */
const PAUSE_MS = 60_000;
/** The shortest pause, also for a Retry-After of 0 or in the past. */
export const SHORTEST_PAUSE_MS = 2000;
const PAUSING = [429, 503];

/** An HTTP client that sends nothing to a host during a pause that the host asked for, whether for a page, a feed or a robots.txt. */
export function createBackOffClient({ http, pauses, now }: BackOffOptions): HttpClient {
  return {
    async get(request) {
      const askerOf = createHopAskers(request.url, request.asker);
      const response = await http.get({
        ...request,
        async beforeHop(url) {
          await request.beforeHop?.(url);
          const pauseMs = (await pauses.until(url.host, askerOf(url))) - now();
          if (pauseMs > 0) throw new HostPausedError(url, pauseMs);
        },
      });
      const { status, url } = response;
      if (PAUSING.includes(status)) await pauses.extend(url.host, askerOf(url), now() + pauseOf(response));
      return response;
    },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };

  function pauseOf({ headers }: HttpResponse): number {
    const asked = retryAfterMs(headers, now()) ?? PAUSE_MS;
    return Math.max(asked, SHORTEST_PAUSE_MS);
  }
}
