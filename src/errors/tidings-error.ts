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

/** For what is done again anyway, and whose trouble is said elsewhere: a bug alone goes on. */
export function ignoreKnownError(error: unknown): void {
  if (!(error instanceof TidingsError)) throw error;
}
