import { TidingsError } from './tidings-error.ts';

/** The live site did not say clearly whether it has a file of ours. Guessing could fork its history. */
export class LiveSiteError extends TidingsError {
  override readonly name = 'LiveSiteError';
  readonly recovery = 'retry-later';
  readonly url: URL;

  constructor(url: URL, what: string, remedy: string) {
    super(`${url.href} ${what} Nothing was written. ${remedy}`);
    this.url = url;
  }
}
