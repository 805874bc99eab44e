import { TidingsError } from './tidings-error.ts';

/** A hub that follows itself would tell its own changes anew for ever. Nothing was read. */
export class OwnFeedError extends TidingsError {
  override readonly name = 'OwnFeedError';
  readonly recovery = 'fix-config';
  readonly url: URL;

  constructor(url: URL) {
    super(`${url.href}: this is the hub's own feed, which would repeat itself for ever. Name the sources themselves.`);
    this.url = url;
  }
}
