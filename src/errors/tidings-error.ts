/** What the caller should do next. Loops and exit codes branch on this, never on a message. */
export type Recovery = 'retry-later' | 'fix-input' | 'fix-config' | 'stop';

/**
 * Every error we throw on purpose. Anything else that surfaces is a bug.
 *
 * The message says what happened, why, and what to do about it.
 */
export abstract class TidingsError extends Error {
  abstract readonly recovery: Recovery;
}

/** For work that is repeated anyway and whose trouble is reported elsewhere: rethrows only bugs. */
export function ignoreKnownError(error: unknown): void {
  if (!(error instanceof TidingsError)) throw error;
}
