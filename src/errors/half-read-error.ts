import { TidingsError } from './tidings-error.ts';

/** So much of a source could not be read that nobody may call it checked. What could be read counts all the same. */
export class HalfReadError extends TidingsError {
  override readonly name = 'HalfReadError';
  readonly recovery = 'retry-later';
  readonly unread: number;
  readonly pages: number;

  constructor(unread: number, pages: number, reason: string) {
    super(`${unread} of ${pages} pages could not be read: ${reason}`);
    this.unread = unread;
    this.pages = pages;
  }
}
