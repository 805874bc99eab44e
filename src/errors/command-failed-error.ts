import { TidingsError } from './tidings-error.ts';

/** A command that gets each event has refused one. The event was not taken: it comes again, and none behind it comes before. */
export class CommandFailedError extends TidingsError {
  override readonly name = 'CommandFailedError';
  readonly recovery = 'retry-later';
  /** What the event is about. */
  readonly boundary: string;
  /** The exit code, or the signal that ended it. */
  readonly ended: number | string;

  constructor(boundary: string, ended: number | string) {
    const how = typeof ended === 'number' ? `ended with exit code ${ended}` : `was ended by ${ended}`;
    super(`The command of --exec ${how} for ${boundary}. The event was not taken and comes again.`);
    this.boundary = boundary;
    this.ended = ended;
  }
}
