import { FEED_PATH } from '../codecs/agent-feed/wire.ts';
import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';

/** RFC 6761 §6.3, RFC 1122 §3.2.1.3 (g), RFC 4291 §2.5.3. */
const THIS_MACHINE = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export interface NamedOrigin {
  readonly origin: URL;
  /** What of the text says more than an origin, and does not count. */
  readonly ignored?: string;
}

/** The origin that a user means. Facts that are not protected on their way are not read, except on this machine. */
export function namedOrigin(text: string, { insecure }: { readonly insecure: boolean }): NamedOrigin {
  const url = canParseUrl(text) ? new URL(text) : undefined;
  if (url === undefined) throw refused(text, 'Give the origin of an API, like https://api.example.');
  if (url.username !== '' || url.password !== '') throw refused(url.origin, 'Give it without user name and password.');
  if (url.protocol === 'http:') {
    if (!insecure)
      throw refused(text, 'An agent-feed is read over https alone; --insecure allows http on this machine.');
    if (!THIS_MACHINE.test(url.hostname)) throw refused(text, '--insecure counts for this machine alone. Use https.');
  } else if (url.protocol !== 'https:') {
    throw refused(text, 'Give an https URL, like https://api.example.');
  }
  const ignored = `${url.pathname}${url.search}${url.hash}`;
  return { origin: new URL(url.origin), ...(ignored !== '/' && ignored !== FEED_PATH && { ignored }) };
}

function refused(text: string, remedy: string): SettingRefusedError {
  return new SettingRefusedError('The origin', text || '(not given)', remedy);
}
