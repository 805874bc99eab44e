import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { askFirst, type DnsRecords } from '../../verify/dns-records.ts';
import type { LookupAll } from '../undici/guard-options.ts';

export interface HostLookupOptions {
  readonly dns: DnsRecords;
  readonly servers: readonly string[];
  /** Ends what is under way. */
  readonly signal: AbortSignal;
}

const FAMILIES = [
  ['A', 4],
  ['AAAA', 6],
] as const;

/** Resolves names through these servers; the system is asked for a name that they do not know. */
export function createHostLookup({ dns, servers, signal }: HostLookupOptions): LookupAll {
  const addressesOf = async (name: string): Promise<LookupAddress[]> => {
    for (const [type, family] of FAMILIES) {
      const answer = await askFirst(dns, servers, { name, type, signal });
      if (answer.kind === 'records') return answer.values.map((address) => ({ address, family }));
      if (answer.kind === 'unreachable') return [];
    }
    return [];
  };
  return (hostname, options, callback) => {
    void addressesOf(hostname).then((addresses) => {
      if (addresses.length > 0) callback(null, addresses);
      else systemLookup(hostname, options, callback);
    });
  };
}
