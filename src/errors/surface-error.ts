import { type Recovery, TidingsError } from './tidings-error.ts';

/** A statement about a surface that must not be signed as given. Nothing was written. */
export class SurfaceRefusedError extends TidingsError {
  override readonly name = 'SurfaceRefusedError';
  readonly recovery: Recovery;
  /** What to fix, such as `sunset` or the path of a file. */
  readonly subject: string;

  constructor(subject: string, why: string, recovery: 'fix-input' | 'fix-config' = 'fix-config') {
    super(`${subject}: ${why} Nothing was signed or written.`);
    this.subject = subject;
    this.recovery = recovery;
  }
}

/** A file with signing keys that cannot be used or made. The message never contains its content. */
export class KeyFileError extends TidingsError {
  override readonly name = 'KeyFileError';
  readonly recovery = 'fix-config';
  readonly file: string;

  constructor(file: string, what: string) {
    super(`${file}: ${what}`);
    this.file = file;
  }
}
