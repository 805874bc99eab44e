import { type Recovery, TidingsError } from './tidings-error.ts';

/** A file of a provable log does not match its checkpoint. Nothing in it was trusted. */
export class TileError extends TidingsError {
  override readonly name = 'TileError';
  readonly recovery: Recovery;
  /** Where the files are. */
  readonly log: string;
  /** Below the prefix of the log. Several paths if they do not match together and it is unknown which one is wrong. */
  readonly paths: readonly string[];
  readonly reason: string;
  /** The file does not exist. A cache may be the cause, so this proves nothing. */
  readonly isMissing: boolean;

  constructor(log: string, paths: readonly string[], fault: { readonly reason: string; readonly isMissing?: boolean }) {
    const isMissing = fault.isMissing ?? false;
    super(`${paths.join(', ')} of ${log}: ${fault.reason}${isMissing ? ' Try again later.' : ''}`);
    this.log = log;
    this.paths = paths;
    this.reason = fault.reason;
    this.isMissing = isMissing;
    this.recovery = isMissing ? 'retry-later' : 'stop';
  }
}
