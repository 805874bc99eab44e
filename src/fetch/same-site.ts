import { parse } from 'tldts';
import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';

/**
 * Whether a URL is on one of these sites: on the same registrable domain, or on the same host if there is none. Another port counts as another owner,
 * unless it is that of the site or the default of its scheme.
 */
export function isOnSite(address: string, sites: readonly URL[]): boolean {
  if (!canParseUrl(address)) return false;
  const { protocol, hostname, port } = new URL(address);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  return sites.some((site) => (port === '' || port === site.port) && isSameOwner(hostname, site.hostname));
}

/**
 * Whether two hosts have one owner by DNS: the same host, or the same registrable domain by the public suffix list with its private part, which
 * separates users of a shared host such as github.io. IP addresses and single labels have no such domain.
 */
export function isSameOwner(one: string, other: string): boolean {
  if (one === other) return true;
  const domain = domainOf(one);
  return domain !== null && domain === domainOf(other);
}

function domainOf(hostname: string): string | null {
  return parse(hostname, { allowPrivateDomains: true }).domain;
}
