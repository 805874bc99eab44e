import { type AuthoritativeServer, findZone } from './authoritative-servers.ts';
import type { DnsAnswer, DnsFailure, DnsRecords } from './dns-records.ts';
import { isExactly } from './verification-token.ts';

/** What one DNS server said about the record. */
export interface DnsSighting {
  /** With its port. */
  readonly server: string;
  readonly role: 'authoritative' | 'resolver';
  /** The name of an authoritative server. */
  readonly host?: string;
  /** `not-asked`: its address is not on the public internet. */
  readonly outcome: 'match' | 'other-values' | 'no-record' | 'no-such-name' | 'not-asked' | DnsFailure;
  /** The values found instead: the first few, truncated. */
  readonly values?: readonly string[];
}

export interface DnsReport {
  readonly name: string;
  /** The zone whose servers were asked; null if it could not be found. */
  readonly zone: string | null;
  readonly sightings: readonly DnsSighting[];
}

export interface DnsSearch {
  readonly name: string;
  readonly value: string;
  /** With their ports. They also find the servers of the zone. */
  readonly resolvers: readonly string[];
  /** Where authoritative servers listen. */
  readonly dnsPort: number;
  /** Whether a server at this address may be asked if a stranger's zone named it. */
  readonly mayAsk: (address: string) => boolean;
  readonly signal: AbortSignal;
  /** Starts the time that a match of a resolver waits for the zone to be found. */
  readonly grace: () => AbortSignal;
  readonly onMatch: () => void;
}

const SHOWN_VALUES = 5;
const SHOWN_LENGTH = 120;

/**
 * Asks the resolvers and the zone's own servers in parallel (AIWebIndex 2.0 §5.1); one exact value is enough.
 *
 * The zone's own servers are always asked, so a fast resolver does not end the search before that, unless the zone cannot be found in time.
 */
export async function searchDns(dns: DnsRecords, search: DnsSearch): Promise<DnsReport> {
  const { name, resolvers, signal, onMatch } = search;
  const zoneAsked = findZone(dns, name, { through: resolvers, signal }).then((zone) => ({
    zone,
    sightings: (zone?.servers ?? []).map((server) => seeAuthoritative(dns, search, server)),
  }));
  const fromResolvers = resolvers.map(async (server) => {
    const sighting = await see(dns, search, { server, role: 'resolver' });
    if (sighting.outcome !== 'match') return sighting;
    await Promise.race([zoneAsked, ended(search.grace())]);
    onMatch();
    return sighting;
  });
  const { zone, sightings } = await zoneAsked;
  return { name, zone: zone?.name ?? null, sightings: await Promise.all([...sightings, ...fromResolvers]) };
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

async function seeAuthoritative(
  dns: DnsRecords,
  search: DnsSearch,
  { host, address }: AuthoritativeServer,
): Promise<DnsSighting> {
  const server = address.includes(':') ? `[${address}]:${search.dnsPort}` : `${address}:${search.dnsPort}`;
  const who = { server, role: 'authoritative', host } as const;
  if (!search.mayAsk(address)) return { ...who, outcome: 'not-asked' };
  const sighting = await see(dns, search, who);
  if (sighting.outcome === 'match') search.onMatch();
  return sighting;
}

async function see(
  dns: DnsRecords,
  { name, value, signal }: DnsSearch,
  who: Pick<DnsSighting, 'server' | 'role' | 'host'>,
): Promise<DnsSighting> {
  return { ...who, ...judge(await dns.ask({ name, type: 'TXT', server: who.server, signal }), value) };
}

function judge(answer: DnsAnswer, value: string): Pick<DnsSighting, 'outcome' | 'values'> {
  if (answer.kind !== 'records') return { outcome: answer.kind };
  if (answer.values.some((published) => isExactly(published, value))) return { outcome: 'match' };
  const shown = answer.values.slice(0, SHOWN_VALUES).map((published) => published.slice(0, SHOWN_LENGTH));
  return { outcome: 'other-values', values: shown };
}
