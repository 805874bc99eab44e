import { TidingsError } from './tidings-error.ts';

/** The base URL given with `--site` cannot be the address of a published site. */
export class SiteRefusedError extends TidingsError {
  override readonly name = 'SiteRefusedError';
  readonly recovery = 'fix-config';
  readonly site: string;

  constructor(site: string, why: string) {
    super(`--site ${site} is refused: ${why}`);
    this.site = site;
  }
}
