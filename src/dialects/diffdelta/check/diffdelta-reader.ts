import { KEY_HEADER } from '../../../codecs/diffdelta/wire.ts';
import type { AnsweredDocument, SeenDocument } from '../../../codecs/primitives/seen-document.ts';
import { UnreadableTargetError } from '../../../errors/unreadable-target-error.ts';
import { SHORTEST_PAUSE_MS } from '../../../fetch/back-off-client.ts';
import { retryAfterMs } from '../../../fetch/response-headers.ts';
import type { CheckParts } from '../../checker.ts';
import type { DocumentSource } from '../../document-source.ts';

const MEBIBYTE = 1024 * 1024;
export const SMALL_BYTES = MEBIBYTE;
export const FEED_BYTES = 64 * MEBIBYTE;

/** The window of usual rate limits, and a little more. */
const LONGEST_PAUSE_MS = 65_000;
const MAX_PAUSES = 5;
/** A timer that fires a moment early must not cost another pause. */
const GRACE_MS = 100;

export type CheckedSource = Pick<DocumentSource, 'name' | 'live' | 'url' | 'read'>;
export type DiffDeltaReaderParts = Pick<CheckParts, 'now' | 'wait' | 'onStatus' | 'apiKey'>;

/** Reads the documents of one service, and tracks how many more requests it allows. */
export interface DiffDeltaReader {
  readonly name: string;
  readonly isLive: boolean;
  /** Whether requests carry an API key of the user. */
  readonly hasKey: boolean;
  /** Undefined until the service states it. */
  readonly requestsLeft: number | undefined;
  /** False once the service asked for a long pause or gave no answer: more requests are useless now. */
  readonly isAnswering: boolean;
  /**
   * Throws an {@link UnreadableTargetError} if the server cannot answer now, so that nothing can be said about the document.
   * Returns any permanent answer. Waits out short pauses that the server asks for.
   */
  read(url: URL, options?: { readonly etag?: string; readonly maxBodyBytes?: number }): Promise<SeenDocument>;
}

export function createDiffDeltaReader(source: CheckedSource, parts: DiffDeltaReaderParts): DiffDeltaReader {
  const { now, wait, onStatus, apiKey } = parts;
  const key = apiKey === undefined ? {} : { secretHeaders: { [KEY_HEADER]: apiKey } };
  let requestsLeft: number | undefined;
  let isAnswering = true;
  let pauses = 0;
  return {
    name: source.name,
    isLive: source.live,
    hasKey: source.live && apiKey !== undefined,
    get requestsLeft() {
      return requestsLeft;
    },
    get isAnswering() {
      return isAnswering;
    },

    async read(url, { etag, maxBodyBytes = FEED_BYTES } = {}) {
      const condition = etag === undefined ? {} : { headers: { 'if-none-match': etag } };
      const ask = () => source.read(url.href, { ...condition, ...key, maxBodyBytes });
      let document = await ask();
      while (isLimited(document) && pauses < MAX_PAUSES) {
        const pauseMs = retryAfterMs(document.headers ?? {}, now());
        if (pauseMs === undefined || pauseMs > LONGEST_PAUSE_MS) break;
        pauses += 1;
        onStatus(`${url.host} asks for a pause of ${Math.ceil(pauseMs / 1000)} s (${pauses} of ${MAX_PAUSES})`);
        await wait(Math.max(pauseMs, SHORTEST_PAUSE_MS) + GRACE_MS);
        onStatus('');
        document = await ask();
      }
      if (document.kind === 'unread') {
        if (document.recovery === 'fix-input') return document;
        isAnswering = false;
        throw new UnreadableTargetError(source.name, document.failure, document.recovery, document.cause);
      }
      if (document.status === 429 || document.status >= 500) {
        isAnswering = document.status !== 429 && document.status !== 503;
        throw new UnreadableTargetError(source.name, refusalOf(document, now()), 'retry-later');
      }
      const left = document.headers?.['x-ratelimit-remaining'];
      if (left !== undefined && /^\d{1,12}$/.test(left)) requestsLeft = Number(left);
      return document;
    },
  };
}

function isLimited(document: SeenDocument): document is AnsweredDocument {
  return document.kind === 'answered' && document.status === 429;
}

function refusalOf({ where, status, headers = {} }: AnsweredDocument, nowMs: number): string {
  const pauseMs = retryAfterMs(headers, nowMs);
  const asking = pauseMs === undefined ? '' : ` and asks for a pause of ${Math.ceil(pauseMs / 1000)} s`;
  return `${where} answers with status ${status}${asking}`;
}
