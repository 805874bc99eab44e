import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';

/** The name by which a robots.txt addresses us. */
export const PRODUCT_TOKEN = 'AIWebIndex';

const PRODUCT = `${PRODUCT_TOKEN}/2.0`;
const PROGRAM = 'tidings';

/**
 * The User-Agent of every request: the name of the crawler, a page about it, and the program that runs it.
 *
 * `botUrl` is a page of the operator; see {@link isBotUrl}. Without it, no page is named: a page of somebody else would mislead.
 */
export function userAgentOf(botUrl?: string): string {
  return `${PRODUCT} (${botUrl === undefined ? '' : `+${botUrl}; `}${PROGRAM})`;
}

/** The User-Agent of the request that verifies the owner of a domain (AIWebIndex 2.0 §3). */
export function verificationUserAgent(botUrl?: string): string {
  return `${PRODUCT} verification (${botUrl === undefined ? PROGRAM : `+${botUrl}`})`;
}

/** Whether a text is an absolute http(s) URL that can be put into a comment of the header without ending it. */
export function isBotUrl(text: string): boolean {
  return /^https?:\/\/[!-~]+$/i.test(text) && !/[();\\]/.test(text) && canParseUrl(text);
}
