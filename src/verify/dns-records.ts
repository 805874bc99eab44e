/** The answer of one server to one question. */
export type DnsAnswer =
  /** Of the requested type. The strings of a TXT record are joined. */
  | { readonly kind: 'records'; readonly values: readonly string[] }
  /** The name exists, without a record of this type. */
  | { readonly kind: 'no-record' }
  | { readonly kind: 'no-such-name' }
  | { readonly kind: DnsFailure };

/** Nothing may be concluded from these. `not-awaited`: another server answered first. */
export type DnsFailure = 'timeout' | 'server-failure' | 'refused' | 'garbled' | 'unreachable' | 'not-awaited';

export interface DnsQuestion {
  readonly name: string;
  readonly type: 'TXT' | 'NS' | 'CNAME' | 'A' | 'AAAA';
  /** `192.0.2.1:53` or `[2001:db8::1]:53`. */
  readonly server: string;
  /** If a time limit aborts it, the result is `timeout`, otherwise `not-awaited`. */
  readonly signal: AbortSignal;
}

/** Asks DNS servers, each directly. Never throws because of a server. */
export interface DnsRecords {
  ask(question: DnsQuestion): Promise<DnsAnswer>;
}

/** Asks several servers the same question at once: returns the first conclusive answer, or a failure of all. */
export async function askFirst(
  dns: DnsRecords,
  servers: readonly string[],
  question: Omit<DnsQuestion, 'server'>,
): Promise<DnsAnswer> {
  const conclusive = servers.map(async (server) => {
    const answer = await dns.ask({ ...question, server });
    if (isConclusive(answer)) return answer;
    throw new Error(answer.kind);
  });
  try {
    return await Promise.any(conclusive);
  } catch {
    return { kind: 'unreachable' };
  }
}

function isConclusive({ kind }: DnsAnswer): boolean {
  return kind === 'records' || kind === 'no-record' || kind === 'no-such-name';
}
