import { TidingsError } from './tidings-error.ts';

/** A command that receives each event has refused one. The event counts as not delivered: it is delivered again, before any later event. */
export class CommandFailedError extends TidingsError {
  override readonly name = 'CommandFailedError';
  readonly recovery = 'retry-later';
  /** The page or section of the event. */
  readonly boundary: string;
  /** The exit code or the signal that ended the command. */
  readonly ended: number | string;

  constructor(boundary: string, ended: number | string) {
    const how = typeof ended === 'number' ? `ended with exit code ${ended}` : `was ended by ${ended}`;
    super(`The command of --exec ${how} for ${boundary}. The event was not taken and comes again.`);
    this.boundary = boundary;
    this.ended = ended;
  }
}
