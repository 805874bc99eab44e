import { parse } from 'tldts';
import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';

/**
 * Whether an address is on one of these sites: of the same registrable domain, or the same host where there is none. Another port is
 * somebody else's, unless it is the one that the site itself has or the usual one of its scheme.
 */
export function isOnSite(address: string, sites: readonly URL[]): boolean {
  if (!canParseUrl(address)) return false;
  const { protocol, hostname, port } = new URL(address);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  return sites.some((site) => (port === '' || port === site.port) && isSameOwner(hostname, site.hostname));
}

/**
 * Whether two hosts are of one owner by DNS: the same host, or of the same registrable domain by the public suffix list with its
 * private part, so that those who share a host such as github.io are apart. Addresses and single labels have no such domain.
 */
export function isSameOwner(one: string, other: string): boolean {
  if (one === other) return true;
  const domain = domainOf(one);
  return domain !== null && domain === domainOf(other);
}

function domainOf(hostname: string): string | null {
  return parse(hostname, { allowPrivateDomains: true }).domain;
}
