import { type Recovery, TidingsError } from './tidings-error.ts';

/** The pages of a site that is followed without a feed could not be read, or not all of them. What was read counts. */
export class SiteUnreadError extends TidingsError {
  override readonly name = 'SiteUnreadError';
  readonly recovery: Recovery;
  readonly site: string;

  constructor(site: string, message: string, recovery: Recovery = 'retry-later') {
    super(message);
    this.site = site;
    this.recovery = recovery;
  }
}
