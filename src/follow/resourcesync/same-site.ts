import { parse } from 'tldts';
import { canParseUrl } from '../../codecs/primitives/can-parse-url.ts';

/** Whether an address is on one of these sites: of the same registrable domain, or the same host where there is none. */
export function isOnSite(address: string, sites: readonly URL[]): boolean {
  if (!canParseUrl(address)) return false;
  const { protocol, hostname } = new URL(address);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  return sites.some((site) => site.hostname === hostname || siteOf(site.hostname) === siteOf(hostname));
}

/** By the public suffix list with its private part: those who share a host such as github.io are apart. */
function siteOf(hostname: string): string {
  return parse(hostname, { allowPrivateDomains: true }).domain ?? hostname;
}
