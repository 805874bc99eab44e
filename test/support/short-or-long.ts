/** `npm run test:long` repeats the files that name {@link shortOrLong}, with the long figure; `npm test` uses the short one. */
export const IS_LONG = process.env.TIDINGS_TESTS === 'long';

/**
 * A number of runs, pages or rounds: small enough for every change, or large enough to find rare faults.
 *
 * @example
 * fc.assert(property, { numRuns: shortOrLong(50, 1000) });
 */
export function shortOrLong<T>(short: T, long: T): T {
  return IS_LONG ? long : short;
}
