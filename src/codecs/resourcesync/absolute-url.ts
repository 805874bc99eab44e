import { canParseUrl } from '../primitives/can-parse-url.ts';

/**
 * What most addresses look like: a host of names, whose last one is of letters and so no number, and printable ASCII behind it.
 * All of them are URLs; asking the platform takes ten times as long, and a large document has hundreds of thousands.
 */
const PLAIN = /^https?:\/\/(?:[a-z0-9-]{1,63}\.)+[a-z]{2,63}(?:\/[!-~]*)?$/;

export function isAbsoluteUrl(text: string): boolean {
  return (PLAIN.test(text) && !text.includes('xn--')) || canParseUrl(text);
}

export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && isAbsoluteUrl(text);
}

/** The protocol of sitemaps asks for less than this. */
export const MAX_LOC_LENGTH = 2048;

/** Whether a document can have an entry for this address. */
export function isLoc(text: string): boolean {
  return text.length < MAX_LOC_LENGTH && isHttpUrl(text) && !/\s/.test(text) && text.isWellFormed();
}
