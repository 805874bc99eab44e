import type { VisitLimits } from '../../dialects/reader.ts';
import type { HttpClient } from '../../fetch/http-client.ts';
import type { VisitPorts } from './visit-ports.ts';

/** Watches over the time that the reading of a feed takes, and cuts its exchanges off when there is none left. */
export interface FeedDeadline extends Disposable {
  /** An HTTP client that ends with the deadline. What was read before is still handed on. */
  readonly http: HttpClient;
  readonly isOver: boolean;
  /** How many events were new so far. */
  readonly news: number;
  /** Events were handed on. */
  heard(events: number): void;
}

export function createFeedDeadline(
  { http, alarm }: Pick<VisitPorts, 'http' | 'alarm'>,
  { idleMs, totalMs }: VisitLimits,
): FeedDeadline {
  const cut = new AbortController();
  const end = () => cut.abort();
  const cancelTotal = alarm(totalMs, end);
  let cancelIdle = alarm(idleMs, end);
  let news = 0;
  return {
    http: {
      get: (request) =>
        http.get({
          ...request,
          signal: request.signal === undefined ? cut.signal : AbortSignal.any([request.signal, cut.signal]),
        }),
      [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
    },
    get isOver() {
      return cut.signal.aborted;
    },
    get news() {
      return news;
    },
    heard(events) {
      news += events;
      if (events === 0 || cut.signal.aborted) return;
      cancelIdle();
      cancelIdle = alarm(idleMs, end);
    },
    [Symbol.dispose]() {
      cancelTotal();
      cancelIdle();
    },
  };
}
