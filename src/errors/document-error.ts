import { FetchError } from './fetch-error.ts';
import { TidingsError } from './tidings-error.ts';

/** The page was fetched and has nothing in it that can be read. A document with no content would say that this is all. */
export class EmptyPageError extends FetchError {
  override readonly name = 'EmptyPageError';
  readonly recovery = 'fix-input';

  constructor(url: URL, advice: string) {
    super(url, `${url.href} has no readable content. ${advice}`);
  }
}

/** What was asked for cannot be a document: no URL of the web, or options that exclude each other. */
export class DocumentRefusedError extends TidingsError {
  override readonly name = 'DocumentRefusedError';
  readonly recovery = 'fix-config';
}
