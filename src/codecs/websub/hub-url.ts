/** Topics and callbacks: URLs that two sides write by hand, but must understand in the same way. */
import { accept, type Result, refuse } from '../primitives/result.ts';

const MOST_CHARACTERS = 2048;
/** The part after the authority: what is sent over the wire. */
const BEHIND_HOST = /^https?:\/\/[^/?#\\]*(.*)$/is;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/**
 * The URL of a topic or a callback: http or https, without a fragment, a user name or a password. `name` is its name in messages.
 */
export function decodeHubUrl(text: string, name: string): Result<URL> {
  if (text.length > MOST_CHARACTERS) return refuse('WS-R2', `${name} is longer than ${MOST_CHARACTERS} characters.`);
  const url = parsed(text);
  if (url === undefined) return refuse('WS-R2', `${name} must be an absolute http or https URL.`);
  if (url.username !== '' || url.password !== '') {
    return refuse('WS-R16', `${name} must not carry a user name or a password.`);
  }
  if (text.includes('#')) return refuse('WS-R16', `${name} must not have a fragment: it never goes over the wire.`);
  return accept(url);
}

/**
 * The same for a callback, which is requested exactly as given, byte for byte. A callback that URL rules would rewrite (spaces,
 * letters beyond ASCII, `/../`) is refused.
 */
export function decodeCallback(text: string): Result<URL> {
  const decoded = decodeHubUrl(text, 'hub.callback');
  if (!decoded.ok) return decoded;
  const { pathname, search } = decoded.value;
  const given = BEHIND_HOST.exec(text)?.[1] ?? '';
  const sent = given.startsWith('/') ? given : `/${given}`;
  // A question mark with nothing after it is always dropped, and means nothing.
  if (pathname + search === sent.replace(/\?$/, '')) return decoded;
  return refuse(
    'WS-T3',
    'hub.callback must be written as it goes over the wire: percent-encoded, and without "." or ".." as a step.',
  );
}

/**
 * The same text for equivalent URLs: host in lower case, no default port or dot segments, unreserved characters not escaped.
 * Undefined if it is not an http or https URL.
 */
export function hubUrlKey(text: string): string | undefined {
  return parsed(text)?.href.replace(/%([0-9A-Fa-f]{2})/g, (escaped, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return UNRESERVED.test(character) ? character : escaped.toUpperCase();
  });
}

/** The callback with parameters after its own query, which does not change. */
export function withHubParameters(callback: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const written = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${encodeURIComponent(value)}`,
  );
  return `${callback}${joint(callback)}${written.join('&')}`;
}

function joint(callback: string): string {
  if (!callback.includes('?')) return '?';
  return callback.endsWith('?') || callback.endsWith('&') ? '' : '&';
}

function parsed(text: string): URL | undefined {
  if (!/^https?:\/\//i.test(text)) return undefined;
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
