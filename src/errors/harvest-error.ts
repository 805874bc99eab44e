import { TidingsError } from './tidings-error.ts';

/** A document of ResourceSync could not be used: it is gone, is not what it should be, or leads to another site. */
export class HarvestError extends TidingsError {
  override readonly name = 'HarvestError';
  readonly recovery = 'retry-later';
  readonly url: string;
  /** The clause that it breaks, or `HTTP-` and a status. */
  readonly code: string;

  constructor(url: string, code: string, what: string, cause?: unknown) {
    super(`${url}: ${what} Nothing of its collection was used.`, { cause });
    this.url = url;
    this.code = code;
  }
}
