import { type Recovery, TidingsError } from './tidings-error.ts';

/** A file of a provable log that is not what its checkpoint says. Nothing that it holds was believed. */
export class TileError extends TidingsError {
  override readonly name = 'TileError';
  readonly recovery: Recovery;
  /** Where the files are. */
  readonly log: string;
  /** Below the prefix of the log. Several where they are wrong together, and nothing tells which of them. */
  readonly paths: readonly string[];
  readonly reason: string;
  /** There is no such file. That may be the fault of a cache, and proves nothing. */
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
