import { askFirst, type DnsRecords } from './dns-records.ts';

export interface AuthoritativeServer {
  /** `ns1.example.com` */
  readonly host: string;
  readonly address: string;
}

export interface Zone {
  readonly name: string;
  readonly servers: readonly AuthoritativeServer[];
}

export interface ZoneQuestion {
  /** The resolvers that are asked for the zone and its servers. */
  readonly through: readonly string[];
  readonly signal: AbortSignal;
}

/** One is enough, but a secondary may lag behind. */
const MAX_SERVERS = 4;

/**
 * The zone that contains a name, and its servers: the closest ancestor with NS records, or the name itself.
 *
 * A name that is an alias is not a zone, although a resolver that follows the alias would return the NS records of its target: the owner of that
 * target does not own this name.
 */
export async function findZone(dns: DnsRecords, name: string, question: ZoneQuestion): Promise<Zone | undefined> {
  const { through, signal } = question;
  for (let zone = name; zone.includes('.') && !signal.aborted; zone = zone.slice(zone.indexOf('.') + 1)) {
    const delegation = await askFirst(dns, through, { name: zone, type: 'NS', signal });
    if (delegation.kind !== 'records') continue;
    const alias = await askFirst(dns, through, { name: zone, type: 'CNAME', signal });
    // Some servers deny a name for which they have just returned servers: then there is no alias either.
    if (alias.kind !== 'no-record' && alias.kind !== 'no-such-name') continue;

    const hosts = [...new Set(delegation.values)].slice(0, MAX_SERVERS);
    const servers = await Promise.all(hosts.map((host) => addressOf(dns, host, question)));
    return { name: zone, servers: servers.flat() };
  }
  return undefined;
}

async function addressOf(dns: DnsRecords, host: string, question: ZoneQuestion): Promise<AuthoritativeServer[]> {
  const { through, signal } = question;
  for (const type of ['A', 'AAAA'] as const) {
    const answer = await askFirst(dns, through, { name: host, type, signal });
    const [address] = answer.kind === 'records' ? answer.values : [];
    if (address !== undefined) return [{ host, address }];
  }
  return [];
}
