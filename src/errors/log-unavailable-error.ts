import { TidingsError } from './tidings-error.ts';

/** The place of the log cannot be used now: permissions, a read-only disk, a failing one. Nothing of the log is lost by it. */
export class LogUnavailableError extends TidingsError {
  override readonly name = 'LogUnavailableError';
  readonly recovery = 'retry-later';
  readonly file: string;

  constructor(file: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `Cannot use ${file}: ${reason}. Check that the folder exists, is writable and on a healthy disk, then run again.`,
      { cause },
    );
    this.file = file;
  }
}
