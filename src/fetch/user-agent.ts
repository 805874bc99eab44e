import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';

/** The name by which a robots.txt addresses us. */
export const PRODUCT_TOKEN = 'AIWebIndex';

const PRODUCT = `${PRODUCT_TOKEN}/2.0`;
const PROGRAM = 'tidings';

/**
 * What every request of ours says of itself: the crawler's name, where to read about it, and which program runs it.
 *
 * `botUrl` is a page of whoever runs it; see {@link isBotUrl}. Where there is none, none is named: a page of somebody else would mislead.
 */
export function userAgentOf(botUrl?: string): string {
  return `${PRODUCT} (${botUrl === undefined ? '' : `+${botUrl}; `}${PROGRAM})`;
}

/** The same for the fetch that proves who owns a domain (AIWebIndex 2.0 §3). */
export function verificationUserAgent(botUrl?: string): string {
  return `${PRODUCT} verification (${botUrl === undefined ? PROGRAM : `+${botUrl}`})`;
}

/** An absolute http(s) URL that can stand in a comment of the header without ending it. */
export function isBotUrl(text: string): boolean {
  return /^https?:\/\/[!-~]+$/i.test(text) && !/[();\\]/.test(text) && canParseUrl(text);
}
