import { TidingsError } from './tidings-error.ts';

/** A package of ResourceSync that is no sound archive, or not safe to unpack. Nothing of it was written. */
export class DumpRefusedError extends TidingsError {
  override readonly name = 'DumpRefusedError';
  readonly recovery = 'fix-input';
  /** How it is called: the path of a file, or what the caller says. */
  readonly dump: string;
  /** What it is refused for: `ZIP-NAME`, `ZIP-BOMB`, `DUMP-MANIFEST`, … */
  readonly reason: string;

  constructor(dump: string, reason: string, message: string) {
    super(`${dump} is refused: ${message} Nothing of it was used.`);
    this.dump = dump;
    this.reason = reason;
  }
}
