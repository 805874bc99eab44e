import type { VisitLimits } from '../../dialects/reader.ts';
import type { HttpClient } from '../../fetch/http-client.ts';
import type { VisitPorts } from './visit-ports.ts';

/** Limits the time that the reading of a feed takes, and aborts its requests at the end. */
export interface FeedDeadline extends Disposable {
  /** An HTTP client that ends with the deadline. What was read before is still passed on. */
  readonly http: HttpClient;
  readonly isOver: boolean;
  /** How many events were new so far. */
  readonly news: number;
  /** Events were passed on. */
  heard(events: number): void;
  /** Time spent writing does not count as silence of the feed. */
  spare<T>(work: () => Promise<T>): Promise<T>;
}

export function createFeedDeadline(
  { http, alarm, now }: Pick<VisitPorts, 'http' | 'alarm' | 'now'>,
  { idleMs, totalMs }: VisitLimits,
): FeedDeadline {
  const cut = new AbortController();
  const end = () => cut.abort();
  const cancelTotal = alarm(totalMs, end);
  let cancelIdle = () => {};
  let [leftMs, armedMs, news] = [idleMs, 0, 0];
  const arm = () => {
    cancelIdle();
    armedMs = now();
    if (!cut.signal.aborted) cancelIdle = alarm(leftMs, end);
  };
  arm();
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
      if (events > 0) leftMs = idleMs;
    },
    async spare(work) {
      cancelIdle();
      leftMs = Math.max(0, leftMs - Math.max(0, now() - armedMs));
      try {
        return await work();
      } finally {
        arm();
      }
    },
    [Symbol.dispose]() {
      cancelTotal();
      cancelIdle();
    },
  };
}
