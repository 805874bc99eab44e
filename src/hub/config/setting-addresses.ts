import { canParseUrl } from '../../codecs/primitives/can-parse-url.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { decodeNamedWitness } from '../../witness/named-witness.ts';
import { type Decode, refused } from './setting-decoders.ts';

const MAX_URL_LENGTH = 2048;

/** An absolute http(s) URL without password or fragment, in the spelling of the URL standard. */
export const webUrl: Decode<string> = (value, at) => parseWebUrl(value, at).href;

/** The address of a site or hub: pages are below it, so it has no query and ends in a slash. */
export const baseUrl: Decode<string> = (value, at) => {
  const url = parseWebUrl(value, at);
  if (url.search !== '' || url.href.endsWith('?')) {
    throw refused(at, value, 'Pages cannot be addressed below a query. Leave it out.');
  }
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
};

/** A contact: a mail address, or a page that says how. */
export const contact: Decode<string> = (value, at) => {
  if (typeof value === 'string' && value.length <= MAX_MAIL_LENGTH && MAIL.test(value)) return value;
  if (typeof value === 'string' && /^https?:/i.test(value)) return webUrl(value, at);
  throw refused(at, value, 'Give a mail address, or the URL of a page that says how to reach you.');
};

const MAX_MAIL_LENGTH = 254;
const MAIL = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i;

function parseWebUrl(value: unknown, at: string): URL {
  // Parsers silently drop line breaks and tabs inside a URL.
  const isUrl = typeof value === 'string' && /^https?:\/\/[^\s\p{Cc}]+$/iu.test(value) && canParseUrl(value);
  if (!isUrl) throw refused(at, value, 'Give an absolute URL like https://docs.example/.');
  if (value.length > MAX_URL_LENGTH) throw refused(at, value, `Give a URL of at most ${MAX_URL_LENGTH} characters.`);
  const url = new URL(value);
  if (url.username !== '' || url.password !== '') {
    throw refused(at, '(with a user name or password)', 'It would be shown and published. Leave that part out.');
  }
  if (value.includes('#')) throw refused(at, value, 'A fragment is never sent. Leave it out.');
  return url;
}

/** The database that the processes of a hub share. A refused value is not shown, because it may contain a password. */
export const databaseUrl: Decode<string> = (value, at) => {
  const isUrl = typeof value === 'string' && value.length <= MAX_URL_LENGTH && /^postgres(?:ql)?:\/\/\S+$/.test(value);
  if (isUrl) return value;
  throw new SettingRefusedError(at, '(not shown)', 'Give an address like postgres://user@host:5432/database.');
};

/** `10.0.0.0/8`, `::1`: an address, or a network with the length of its prefix. */
export const network: Decode<string> = (value, at) => {
  const [address = '', prefix, ...rest] = typeof value === 'string' ? value.split('/') : [];
  const most = isIpv4(address) ? 32 : isIpv6(address) ? 128 : -1;
  const isWhole = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= most);
  if (typeof value === 'string' && most !== -1 && isWhole && rest.length === 0) return value;
  throw refused(at, value, 'Give an IP address, or a network like 10.0.0.0/8.');
};

/** `<vkey>@<url>` of a witness. */
export const witness: Decode<string> = (value, at) => {
  const named = typeof value === 'string' ? decodeNamedWitness(value) : undefined;
  if (typeof value === 'string' && named?.ok) return value;
  const reason =
    named?.ok === false ? named.issues[0].message : 'Give the verifier key of a witness, "@" and its address.';
  throw refused(at, value, reason);
};

/** A name or an address to listen on. */
export const hostName: Decode<string> = (value, at) => {
  if (typeof value === 'string' && (isIpv4(value) || isIpv6(value) || HOST_NAME.test(value))) return value;
  throw refused(at, value, 'Give an address or a name to listen on, like 127.0.0.1; the port is a key of its own.');
};

const HOST_NAME =
  /^(?=.{1,253}$)(?!\d+(?:\.\d+)*$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/i;

function isIpv4(text: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/.test(text);
}

function isIpv6(text: string): boolean {
  return /^[0-9a-f:.]+$/i.test(text) && text.includes(':') && canParseUrl(`http://[${text}]/`);
}
