/** The digits of 2^64; no size has more. */
const MAX_DIGITS = 20;

/**
 * A size or an index in ASCII decimal, without sign and leading zeros; undefined for any other text. A number beyond 2^53 − 1 is
 * returned as infinity, never rounded.
 */
export function decodeCount(text: string): number | undefined {
  if (text.length > MAX_DIGITS || !/^(?:0|[1-9][0-9]*)$/.test(text)) return undefined;
  const count = Number(text);
  return Number.isSafeInteger(count) ? count : Number.POSITIVE_INFINITY;
}
