import type { AnsweredDocument, SeenDocument } from '../codecs/primitives/seen-document.ts';
import { UnreadableTargetError } from '../errors/unreadable-target-error.ts';
import type { DocumentSource } from './read-document.ts';

const MEBIBYTE = 1024 * 1024;
export const SMALL_BYTES = MEBIBYTE;
export const FEED_BYTES = 64 * MEBIBYTE;

/** Reads documents of one service, and knows how many more requests it allows. */
export interface DiffDeltaReader {
  readonly name: string;
  readonly isLive: boolean;
  /** Undefined while the service has not said it. */
  readonly requestsLeft: number | undefined;
  /**
   * Throws an {@link UnreadableTargetError} when the server cannot answer now: then nothing can be said of it. What it
   * answers for good, whatever that is, comes back.
   */
  read(url: URL, options?: { readonly etag?: string; readonly maxBodyBytes?: number }): Promise<SeenDocument>;
}

export function createDiffDeltaReader(source: Pick<DocumentSource, 'name' | 'live' | 'read'>): DiffDeltaReader {
  let requestsLeft: number | undefined;
  return {
    name: source.name,
    isLive: source.live,
    get requestsLeft() {
      return requestsLeft;
    },

    async read(url, { etag, maxBodyBytes = FEED_BYTES } = {}) {
      const condition = etag === undefined ? {} : { headers: { 'if-none-match': etag } };
      const document = await source.read(url.href, { ...condition, maxBodyBytes });
      if (document.kind === 'unread') {
        if (document.recovery === 'fix-input') return document;
        throw new UnreadableTargetError(source.name, document.failure, document.recovery, document.cause);
      }
      ensureAnswered(source.name, document);
      const left = document.headers?.['x-ratelimit-remaining'];
      if (left !== undefined && /^\d{1,12}$/.test(left)) requestsLeft = Number(left);
      return document;
    },
  };
}

function ensureAnswered(target: string, { where, status }: AnsweredDocument): void {
  if (status < 500 && status !== 429) return;
  throw new UnreadableTargetError(target, `${where} answers with status ${status}`, 'retry-later');
}
