import { domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { domainRefusedError } from '../errors/refusals.ts';

/** With `_aiwebindex-verify.` in front, the name must have at most 253 characters (RFC 1035 §3.1). */
const MAX_DOMAIN_LENGTH = 253 - '_aiwebindex-verify.'.length;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** Characters that a URL parser would not treat as part of the host, or would decode or drop. */
const NOT_A_NAME = /[\s/\\?#@%:[\]]/;

/**
 * A domain in its normal form: lower case, in punycode, without the final dot.
 *
 * Throws a `DomainRefusedError` for names that nobody can own: an IP address, a single label, a public suffix (`co.uk`, `github.io`).
 */
export function domainName(text: string): string {
  const given = text.trim();
  if (NOT_A_NAME.test(given)) {
    throw domainRefusedError(given, 'give the name alone, as in docs.example.com: no scheme, port or path.');
  }
  const name = hostOf(given);
  const labels = name.split('.');
  if (name === '' || !labels.every((label) => LABEL.test(label) && isDecodable(label))) {
    throw domainRefusedError(given, 'it is no domain name. Give one like docs.example.com.');
  }
  if (name.length > MAX_DOMAIN_LENGTH) {
    throw domainRefusedError(given, `it is longer than ${MAX_DOMAIN_LENGTH} characters.`);
  }
  const { isIp, domain } = parse(name, { allowPrivateDomains: true });
  if (isIp) throw domainRefusedError(given, 'it is an address. Give a domain name.');
  if (labels.length === 1) throw domainRefusedError(given, 'it is a single label. Give a whole domain name.');
  if (domain === null) {
    throw domainRefusedError(given, 'it is a public suffix, below which others register their names. Give yours.');
  }
  if (labels[0] === '_aiwebindex-verify') {
    throw domainRefusedError(given, `it is the name of the record. Give the domain: ${labels.slice(1).join('.')}`);
  }
  return name;
}

/**
 * The part of a host name that one owner registered, by the public suffix list with its private part: `a.github.io` and `b.github.io` are two owners.
 * Undefined for an IP address and for a suffix.
 */
export function registrableDomain(hostname: string): string | undefined {
  return parse(hostname, { allowPrivateDomains: true }).domain ?? undefined;
}

function hostOf(name: string): string {
  const url = canParseUrl(`https://${name}`) ? new URL(`https://${name}`) : undefined;
  return (url?.hostname ?? '').replace(/\.$/, '');
}

/** Whether a label in punycode stands for a name. Newer versions of Node accept any text after `xn--` in a URL. */
function isDecodable(label: string): boolean {
  return !label.startsWith('xn--') || !['', label].includes(domainToUnicode(label));
}
