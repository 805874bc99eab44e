const SECOND_MS = 1000;
/** A change appears in its document a moment after its own time. */
const RECENT_MS = 2 * SECOND_MS;

/** The date of a document, in whole seconds. */
export interface DocumentDate {
  readonly ms: number | undefined;
  /** The date shown to readers. */
  readonly shownMs: number | undefined;
  /** Whether no other version can have this date. Until then it is not used for conditions. */
  readonly isSettled: boolean;
}

/** For a document without a date. */
export const NO_DATE: DocumentDate = { ms: undefined, shownMs: undefined, isSettled: true };

/**
 * What can safely be said about the date of a document.
 *
 * Another version may come within the same second. Until that has passed, the second before is shown, so that a client that asks with this date still learns
 * of the new version (RFC 9110 §8.8.2.2). A date in the future is not shown (§8.8.2.1).
 */
export function dateOf(ms: number | undefined, nowMs: number): DocumentDate {
  if (ms === undefined) return NO_DATE;
  const second = Math.floor(ms / SECOND_MS) * SECOND_MS;
  if (nowMs < second) return { ms: undefined, shownMs: undefined, isSettled: false };
  const isSettled = nowMs >= ms + RECENT_MS;
  return { ms: second, shownMs: isSettled ? second : second - SECOND_MS, isSettled };
}
