import { TidingsError } from './tidings-error.ts';

/** A ResourceSync document could not be used: it is missing, invalid, or leads to another site. */
export class HarvestError extends TidingsError {
  override readonly name = 'HarvestError';
  readonly recovery = 'retry-later';
  readonly url: string;
  /** The broken clause, or `HTTP-` and a status. */
  readonly code: string;

  constructor(url: string, code: string, what: string, cause?: unknown) {
    super(`${url}: ${what} Nothing of its collection was used.`, { cause });
    this.url = url;
    this.code = code;
  }
}
