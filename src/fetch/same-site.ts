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
  return sites.some((site) => (port === '' || port === site.port) && isSameHost(hostname, site.hostname));
}

function isSameHost(one: string, other: string): boolean {
  return one === other || siteOf(one) === siteOf(other);
}

/** By the public suffix list with its private part: those who share a host such as github.io are apart. */
function siteOf(hostname: string): string {
  return parse(hostname, { allowPrivateDomains: true }).domain ?? hostname;
}
