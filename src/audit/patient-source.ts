import type { DocumentSource } from '../dialects/document-source.ts';
import { HostPausedError } from '../errors/crawl-error.ts';

export interface Patience {
  readonly wait: (ms: number) => Promise<void>;
  /** In total. A place that asks for more is left alone until the next audit. */
  readonly maxWaitMs: number;
  readonly onStatus: (line: string) => void;
}

/** The end of a window is still in it. */
const SLACK_MS = 100;

/** A place whose rate limits are waited out: an audit needs more requests than most places allow per minute. */
export function patientSource(source: DocumentSource, { wait, maxWaitMs, onStatus }: Patience): DocumentSource {
  let leftMs = maxWaitMs;
  let pause: Promise<void> | undefined;
  const waitOut = async (pauseMs: number) => {
    leftMs -= Math.max(pauseMs, 1);
    onStatus(`${source.name} asks for a pause of ${Math.ceil(pauseMs / 1000)} s`);
    await wait(pauseMs + SLACK_MS);
    pause = undefined;
  };
  return {
    ...source,
    async read(address, options) {
      for (;;) {
        await pause;
        const document = await source.read(address, options);
        const isRefused = document.kind === 'answered' && document.status === 429;
        // After a refusal, the next read says how long it lasts, without a request.
        const told = isRefused ? await source.read(address, options) : document;
        const cause = told.kind === 'unread' ? told.cause : undefined;
        if (!(cause instanceof HostPausedError) || cause.retryAfterMs > leftMs) return told;
        pause ??= waitOut(cause.retryAfterMs);
      }
    },
  };
}
