import { TidingsError } from './tidings-error.ts';

/** A document of ResourceSync could not be used: it is gone, is not what it should be, or leads to another site. */
export class HarvestError extends TidingsError {
  override readonly name = 'HarvestError';
  readonly recovery = 'retry-later';
  readonly url: string;
  /** The clause that it breaks, or `HTTP-` and a status. */
  readonly code: string;

  constructor(url: string, code: string, what: string, cause?: unknown) {
    super(`${url}: ${what} Nothing of its collection was used; it is read again next time.`, { cause });
    this.url = url;
    this.code = code;
  }
}

/** A file that should become a feed is somebody else's. */
export class FeedForeignError extends TidingsError {
  override readonly name = 'FeedForeignError';
  readonly recovery = 'fix-input';
  readonly path: string;

  constructor(path: string, what: string) {
    super(`${path} is left as it is: ${what} Move it away, or choose another --out.`);
    this.path = path;
  }
}
