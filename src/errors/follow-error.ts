import { TidingsError } from './tidings-error.ts';

/** Some events wait for their page. A later poll delivers them; after five tries they are delivered with `contentError`. */
export class EventsWithheldError extends TidingsError {
  override readonly name = 'EventsWithheldError';
  readonly recovery = 'retry-later';
  readonly source: string;
  readonly count: number;
  /** Why the first of them waits. */
  readonly reason: string;

  constructor(source: string, count: number, reason: string) {
    const events = count === 1 ? '1 event waits for its page' : `${count} events wait for their pages`;
    super(`${source}: ${events} (${reason}). Follow again to get ${count === 1 ? 'it' : 'them'}.`);
    this.source = source;
    this.count = count;
    this.reason = reason;
  }
}

/** Several sources could not be read completely. */
export class FollowIncompleteError extends TidingsError {
  override readonly name = 'FollowIncompleteError';
  readonly recovery = 'retry-later';
  readonly errors: readonly TidingsError[];

  constructor(errors: readonly TidingsError[]) {
    super(
      `${errors.length} sources could not be followed to their end: ${errors.map(({ message }) => message).join(' | ')}`,
    );
    this.errors = errors;
  }
}
