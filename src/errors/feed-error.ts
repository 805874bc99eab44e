import { TidingsError } from './tidings-error.ts';

export interface FeedAnswer {
  readonly status?: number;
  /** How long the origin asked us to wait. */
  readonly retryAfterMs?: number;
}

/** A discovery document or feed is not valid. Nothing from it was used. */
export class FeedUnreadableError extends TidingsError {
  override readonly name = 'FeedUnreadableError';
  readonly recovery = 'retry-later';
  readonly url: string;
  /** The rest of the sentence that begins with the URL. */
  readonly what: string;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(url: string, what: string, { status, retryAfterMs }: FeedAnswer = {}) {
    super(`${url} ${what} Nothing of it was used.`);
    this.url = url;
    this.what = what;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}
