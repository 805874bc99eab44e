import { TidingsError } from './tidings-error.ts';

interface HalfRead {
  readonly what?: 'pages' | 'feeds';
  readonly retryAfterMs?: number | undefined;
}

/** So much of a source could not be read that nobody may call it checked. What could be read counts all the same. */
export class HalfReadError extends TidingsError {
  override readonly name = 'HalfReadError';
  readonly recovery = 'retry-later';
  readonly unread: number;
  /** Of how many: of pages, or of the feeds of a service. */
  readonly all: number;
  /** How long the origin asked us to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(unread: number, all: number, reason: string, { what = 'pages', retryAfterMs }: HalfRead = {}) {
    super(`${unread} of ${all} ${what} could not be read: ${reason}`);
    this.unread = unread;
    this.all = all;
    this.retryAfterMs = retryAfterMs;
  }
}
