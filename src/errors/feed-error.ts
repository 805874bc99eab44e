import { TidingsError } from './tidings-error.ts';

export interface FeedAnswer {
  readonly status?: number;
  /** How long the origin asked us to wait. */
  readonly retryAfterMs?: number;
}

/** Discovery or feed answered with something that is not one. Nothing of it was used. */
export class FeedUnreadableError extends TidingsError {
  override readonly name = 'FeedUnreadableError';
  readonly recovery = 'retry-later';
  readonly url: string;
  /** The rest of the sentence that begins with the URL. */
  readonly what: string;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(url: string, what: string, { status, retryAfterMs }: FeedAnswer = {}) {
    super(`${url} ${what} Nothing of it was used; it is read again next time.`);
    this.url = url;
    this.what = what;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The publisher speaks a version of AICF that we do not know (AICF-C2). */
export class FeedVersionError extends TidingsError {
  override readonly name = 'FeedVersionError';
  readonly recovery = 'fix-input';
  readonly url: string;
  readonly version: string;

  constructor(url: string, version: string) {
    super(`${url} is AICF ${JSON.stringify(version)}; this Tidings reads 0.1. Nothing was applied. Upgrade Tidings.`);
    this.url = url;
    this.version = version;
  }
}
