import { TidingsError } from './tidings-error.ts';

/** A published archive is not there, or not as it was written. What was served once must stay, so nothing goes on without it. */
export class ArchiveUnreadError extends TidingsError {
  override readonly name = 'ArchiveUnreadError';
  readonly recovery = 'fix-input';
  readonly place: string;

  constructor(place: string, what: string) {
    super(
      `${place} ${what} No feed was written. Put the file back as it was published; one that is missing is also taken from the site ` +
        'that --previous names. Or move the archive and diff folders away: then all are made again from the log.',
    );
    this.place = place;
  }
}
