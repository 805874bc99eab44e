import { canParseUrl } from '../primitives/can-parse-url.ts';

/**
 * Matches most addresses: a host of names, the last of which has only letters and so is no number, followed by printable ASCII. All
 * of these are valid URLs. Asking the platform takes ten times as long, and a large document has hundreds of thousands.
 */
const PLAIN = /^https?:\/\/(?:[a-z0-9-]{1,63}\.)+[a-z]{2,63}(?:\/[!-~]*)?$/;

export function isAbsoluteUrl(text: string): boolean {
  return (PLAIN.test(text) && !text.includes('xn--')) || canParseUrl(text);
}

export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && isAbsoluteUrl(text);
}

/** The sitemap protocol requires fewer characters than this. */
export const MAX_LOC_LENGTH = 2048;

/** Whether a document can have an entry for this address. */
export function isLoc(text: string): boolean {
  return text.length < MAX_LOC_LENGTH && isHttpUrl(text) && !/\s/.test(text) && text.isWellFormed();
}
