import { registrableDomain } from '../../verify/domain-name.ts';
import type { SourceConfig } from '../config/source-config.ts';
import type { WatchedSource } from '../store/hub-store.ts';

/**
 * Whether the owner of a domain owns a host: the same name, or one below it, within the same registrable domain. A name below a public suffix in it has
 * another owner, and a proof of `docs.example.com` proves nothing about `example.com`.
 */
export function coversHost(domain: string, hostname: string): boolean {
  if (hostname !== domain && !hostname.endsWith(`.${domain}`)) return false;
  const owner = registrableDomain(domain);
  return owner !== undefined && registrableDomain(hostname) === owner;
}

/** The sources that are wholly on a domain. One with pages of others is not its owner's to steer. */
export function coveredSources(domain: string, sources: readonly WatchedSource[]): readonly WatchedSource[] {
  return sources.filter(({ config }) => isCovered(domain, config));
}

/** The one of these domains that a source is on. */
export function coveringDomain(domains: readonly string[], { config }: WatchedSource): string | undefined {
  return domains.find((domain) => isCovered(domain, config));
}

function isCovered(domain: string, config: SourceConfig): boolean {
  const addresses = watchedAddresses(config);
  return addresses.length > 0 && addresses.every((address) => isOnDomain(domain, address));
}

function isOnDomain(domain: string, address: string): boolean {
  return address.includes(domain) && coversHost(domain, new URL(address).hostname);
}

/** The watched addresses, without mirrors. */
function watchedAddresses(config: SourceConfig): readonly string[] {
  if (config.kind === 'folder') return [];
  return config.kind === 'page' ? config.urls : [config.url];
}
