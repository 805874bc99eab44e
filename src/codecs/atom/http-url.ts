import { canParseUrl } from '../primitives/can-parse-url.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers cut these off too.
const SPACE_AROUND = /^[\u0000-\u0020]+|[\u0000-\u0020]+$/g;
/** Characters that WHATWG URLs keep but RFC 3986 does not allow, and a percent sign that begins no escape. */
const NOT_IN_URI = /[^\w\-.~:/?@!$&'()*+,;=%]|%(?![0-9A-Fa-f]{2})/g;
const MAX_LENGTH = 8192;

/** The absolute URL without credentials, or undefined if it is not http or https. */
export function httpUrl(text: string, base?: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const trimmed = text.replace(SPACE_AROUND, '');
  if (trimmed === '' || !canParseUrl(trimmed, base)) return undefined;
  const url = new URL(trimmed, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  url.username = '';
  url.password = '';
  return url.href;
}

/** The same in the syntax of RFC 3986, which validators accept. */
export function strictHttpUrl(text: string): string | undefined {
  const href = httpUrl(text);
  if (href === undefined) return undefined;
  const { protocol, host, pathname, search, hash } = new URL(href);
  const fragment = hash === '' ? '' : `#${encodeRest(hash.slice(1))}`;
  return `${protocol}//${host}${encodeRest(pathname)}${encodeRest(search)}${fragment}`;
}

/** Every character is ASCII: `URL` has already encoded all others. */
function encodeRest(part: string): string {
  return part.replace(NOT_IN_URI, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
