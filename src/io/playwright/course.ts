import { FetchAbortedError } from '../../errors/fetch-error.ts';
import { RenderError } from '../../errors/render-error.ts';
import type { TidingsError } from '../../errors/tidings-error.ts';

export interface CourseOptions {
  readonly url: URL;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Aborted when the renderer is closed. */
  readonly closing: AbortSignal;
  /** Calls back once after `ms`, unless cancelled before. */
  readonly alarm: (ms: number, callback: () => void) => () => void;
}

/** One render, from its beginning to its end or to the first thing that goes wrong. */
export interface Course {
  readonly url: URL;
  /** Rejects with the first thing that goes wrong, and never resolves. */
  readonly failed: Promise<never>;
  /** Aborted at the end, whichever it is. */
  readonly over: AbortSignal;
  fail(error: TidingsError): void;
  /** How long it is until this share of the deadline has passed. */
  msUntil(share: number): number;
  end(): void;
}

export function startCourse({ url, deadlineMs, signal, closing, alarm }: CourseOptions): Course {
  const startedAt = performance.now();
  const over = new AbortController();
  let fail = (_: TidingsError) => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => {});

  const expire = () => fail(new RenderError(url, `it did not come to rest within ${deadlineMs / 1000} s`));
  const stop = () => fail(new FetchAbortedError(url, signal?.reason));
  const close = () => fail(new RenderError(url, 'the renderer was closed'));
  const cancelExpiry = alarm(deadlineMs, expire);
  if (signal?.aborted) stop();
  if (closing.aborted) close();
  signal?.addEventListener('abort', stop, { once: true });
  closing.addEventListener('abort', close, { once: true });

  return {
    url,
    failed,
    over: over.signal,
    fail,
    msUntil: (share) => Math.max(0, startedAt + share * deadlineMs - performance.now()),
    end() {
      over.abort();
      cancelExpiry();
      signal?.removeEventListener('abort', stop);
      closing.removeEventListener('abort', close);
    },
  };
}
