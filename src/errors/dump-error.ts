import { TidingsError } from './tidings-error.ts';

/** A ResourceSync package that is not a valid archive or not safe to unpack. Nothing from it was written. */
export class DumpRefusedError extends TidingsError {
  override readonly name = 'DumpRefusedError';
  readonly recovery = 'fix-input';
  /** Its name: the path of a file, or a name that the caller gives. */
  readonly dump: string;
  /** Why it is refused: `ZIP-NAME`, `ZIP-BOMB`, `DUMP-MANIFEST`, … */
  readonly reason: string;

  constructor(dump: string, reason: string, message: string) {
    super(`${dump} is refused: ${message} Nothing of it was used.`);
    this.dump = dump;
    this.reason = reason;
  }
}
