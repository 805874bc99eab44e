const SECOND_MS = 1000;
/** A change is in its document a moment after the time that it carries. */
const RECENT_MS = 2 * SECOND_MS;

/** The date of a document, in whole seconds. */
export interface DocumentDate {
  readonly ms: number | undefined;
  /** What readers are told. */
  readonly shownMs: number | undefined;
  /** Whether no other version will have this date. Until then it answers no condition. */
  readonly isSettled: boolean;
}

/** Of a document of whose date nothing is said. */
export const NO_DATE: DocumentDate = { ms: undefined, shownMs: undefined, isSettled: true };

/**
 * What can honestly be said about the date of a document.
 *
 * Another version may come within the same second. Until that is over the second before is shown, so that whoever asks
 * with this date learns of it later (RFC 9110 §8.8.2.2). Of a date that is still to come nothing is said (§8.8.2.1).
 */
export function dateOf(ms: number | undefined, nowMs: number): DocumentDate {
  if (ms === undefined) return NO_DATE;
  const second = Math.floor(ms / SECOND_MS) * SECOND_MS;
  if (nowMs < second) return { ms: undefined, shownMs: undefined, isSettled: false };
  const isSettled = nowMs >= ms + RECENT_MS;
  return { ms: second, shownMs: isSettled ? second : second - SECOND_MS, isSettled };
}
