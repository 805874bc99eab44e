import { type Recovery, TidingsError } from './tidings-error.ts';

/** A statement about a surface that may not be signed as it was given. Nothing was written. */
export class SurfaceRefusedError extends TidingsError {
  override readonly name = 'SurfaceRefusedError';
  readonly recovery: Recovery;
  /** What is to be mended, such as `sunset` or the path of a file. */
  readonly subject: string;

  constructor(subject: string, why: string, recovery: 'fix-input' | 'fix-config' = 'fix-config') {
    super(`${subject}: ${why} Nothing was signed or written.`);
    this.subject = subject;
    this.recovery = recovery;
  }
}

/** A file with signing keys that cannot be used or made. What it holds is never part of the message. */
export class KeyFileError extends TidingsError {
  override readonly name = 'KeyFileError';
  readonly recovery = 'fix-config';
  readonly file: string;

  constructor(file: string, what: string) {
    super(`${file}: ${what}`);
    this.file = file;
  }
}
