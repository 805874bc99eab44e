import { askFirst, type DnsRecords } from './dns-records.ts';
import { isExactly } from './verification-token.ts';

export interface WildcardSearch {
  /** A name below the domain that nobody has made. */
  readonly name: string;
  readonly value: string;
  readonly resolvers: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * Whether the value stands at every name below a domain. Then it was not put at the one that counts by who owns that: a wildcard alias may lead
 * to a host that others share.
 */
export async function isAtEveryName(dns: DnsRecords, search: WildcardSearch): Promise<boolean> {
  const { name, value, resolvers, signal } = search;
  const answer = await askFirst(dns, resolvers, { name, type: 'TXT', signal });
  return answer.kind === 'records' && answer.values.some((published) => isExactly(published, value));
}
