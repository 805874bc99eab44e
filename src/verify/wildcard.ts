import { askFirst, type DnsRecords } from './dns-records.ts';
import { isExactly } from './verification-token.ts';

export interface WildcardSearch {
  /** A random name below the domain that nobody has created. */
  readonly name: string;
  readonly value: string;
  readonly resolvers: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * Whether the value exists at every name below a domain. Then the owner did not put it at the name that counts: a wildcard alias may lead to a host
 * that others share.
 */
export async function isAtEveryName(dns: DnsRecords, search: WildcardSearch): Promise<boolean> {
  const { name, value, resolvers, signal } = search;
  const answer = await askFirst(dns, resolvers, { name, type: 'TXT', signal });
  return answer.kind === 'records' && answer.values.some((published) => isExactly(published, value));
}
