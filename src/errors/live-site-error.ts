import { TidingsError } from './tidings-error.ts';

/** The live site did not say clearly whether it has a file of Tidings. Guessing could fork its history. */
export class LiveSiteError extends TidingsError {
  override readonly name = 'LiveSiteError';
  readonly recovery = 'retry-later';
  readonly url: URL;
  /** Whether it answered with an HTML page instead of the file. */
  readonly isPage: boolean;

  constructor(url: URL, what: string, remedy: string, { isPage = false }: { readonly isPage?: boolean } = {}) {
    super(`${url.href} ${what} Nothing was written. ${remedy}`);
    this.url = url;
    this.isPage = isPage;
  }
}
