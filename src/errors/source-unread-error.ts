import { TidingsError } from './tidings-error.ts';

/** What answers in place of a source is not what can be watched: nothing of it says anything. Nothing was changed. */
export class SourceUnreadError extends TidingsError {
  override readonly name = 'SourceUnreadError';
  readonly recovery = 'retry-later';
  readonly place: string;

  constructor(place: string, why: string) {
    super(`Nothing of ${place} could be read. ${why}`);
    this.place = place;
  }
}
