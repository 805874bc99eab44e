import { TidingsError } from './tidings-error.ts';

interface Corruption {
  /** Counts from 1; undefined if no single line is the cause. */
  readonly line?: number | undefined;
  readonly cause?: unknown;
}

/** A file of Tidings has content that Tidings does not write. It is never repaired by guessing, and never overwritten. */
export class StateCorruptError extends TidingsError {
  override readonly name = 'StateCorruptError';
  readonly recovery = 'fix-input';
  readonly file: string;
  readonly line: number | undefined;

  constructor(file: string, what: string, remedy: string, { line, cause }: Corruption = {}) {
    super(`${file}${line === undefined ? '' : `:${line}`}: ${what} Nothing was written. ${remedy}`, { cause });
    this.file = file;
    this.line = line;
  }
}
