import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { documentRefusedError } from '../errors/refusals.ts';

/** A user name or password would identify the reader, so it is refused, and not repeated in the message (AWI-PR1). */
export function publicPageUrl(text: string | URL): URL {
  const url = canParseUrl(String(text)) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw documentRefusedError(`"${text}" is no URL of a page. Name one that begins with https:// or http://.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw documentRefusedError(
      `The URL of ${url.host} carries a user name or a password. Only public pages are read: leave it out.`,
    );
  }
  return url;
}
