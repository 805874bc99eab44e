import { noTokenError } from '../errors/refusals.ts';
import type { HttpClient } from '../fetch/http-client.ts';
import type { DnsRecords } from './dns-records.ts';
import { type DnsReport, searchDns } from './dns-sightings.ts';
import { domainName } from './domain-name.ts';
import { remedyOf } from './remedy.ts';
import type { IssuedToken, TokenStore } from './token-store.ts';
import { type FileReport, searchFile } from './verification-file.ts';
import { type Publication, publicationOf } from './verification-token.ts';

/** A token, and the two ways to publish it. One is enough. */
export interface Issuance extends IssuedToken {
  readonly publish: Publication;
  /** The domain had an earlier token, which is no longer valid. */
  readonly replaced: boolean;
}

export interface DomainReport {
  readonly domain: string;
  readonly verified: boolean;
  /** Where the token was found first; null if nowhere. */
  readonly method: 'dns' | 'file' | null;
  readonly issuedAt: string;
  /** What is looked for. */
  readonly publish: Publication;
  readonly dns: DnsReport;
  readonly file: FileReport;
  /** What to do; null when the domain is verified. */
  readonly remedy: string | null;
}

export interface IssuePorts {
  readonly tokens: TokenStore;
  /** At least 128 bits from a cryptographic source, as text (AIWebIndex 2.0 §7). */
  readonly newToken: () => string;
  readonly now: () => number;
}

export interface CheckPorts {
  readonly tokens: TokenStore;
  readonly dns: DnsRecords;
  /** A client with `verification` in its User-Agent. Opened when there is something to look for, and closed at the end. */
  readonly openHttp: () => Promise<HttpClient>;
  /** Whether a DNS server at this address, named by the zone, may be asked. */
  readonly mayAsk: (address: string) => boolean;
  /** A signal that is aborted after this many milliseconds. */
  readonly deadline: (ms: number) => AbortSignal;
  readonly signal: AbortSignal;
}

export interface CheckSettings {
  /** The DNS resolvers to ask, with ports. */
  readonly resolvers: readonly string[];
  /** The port of the zone's own servers; other than 53 only in a test setup. */
  readonly dnsPort?: number;
  /** The port of the web server; other than 443 only in a test setup. */
  readonly httpsPort?: number;
}

/** For all DNS questions together, however many servers are silent. */
const DNS_LIMIT_MS = 5000;
const ZONE_GRACE_MS = 1000;
const ATTEMPTS = 3;

/** Issues a new token; the domain's earlier one is no longer valid. */
export async function issueVerification(text: string, { tokens, newToken, now }: IssuePorts): Promise<Issuance> {
  const domain = domainName(text);
  const replaced = (await tokens.current(domain)) !== undefined;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const issued = { domain, token: newToken(), issuedAt: new Date(now()).toISOString() };
    if (await tokens.issue(issued)) return { ...issued, publish: publicationOf(domain, issued.token), replaced };
  }
  throw new Error('The source of random tokens repeats itself.');
}

/** Looks for the domain's token in DNS and in the file at once, and ends with the first exact match. */
export async function checkVerification(
  text: string,
  settings: CheckSettings,
  ports: CheckPorts,
): Promise<DomainReport> {
  const domain = domainName(text);
  const issued = await ports.tokens.current(domain);
  if (issued === undefined) throw noTokenError(domain, ports.tokens.name);

  const publish = publicationOf(domain, issued.token, settings.httpsPort);
  await using http = await ports.openHttp();
  const found = new AbortController();
  let method: DomainReport['method'] = null;
  const matchedBy = (where: 'dns' | 'file') => () => {
    method ??= where;
    found.abort();
  };
  const signal = AbortSignal.any([ports.signal, found.signal]);
  const [dns, file] = await Promise.all([
    searchDns(ports.dns, {
      ...publish.dns,
      resolvers: settings.resolvers,
      dnsPort: settings.dnsPort ?? 53,
      mayAsk: ports.mayAsk,
      signal: AbortSignal.any([signal, ports.deadline(DNS_LIMIT_MS)]),
      grace: () => ports.deadline(ZONE_GRACE_MS),
      onMatch: matchedBy('dns'),
    }),
    searchFile(http, { url: publish.file.url, value: publish.dns.value, signal, onMatch: matchedBy('file') }),
  ]);
  ports.signal.throwIfAborted();
  const remedy = method === null ? remedyOf(publish, dns, file) : null;
  return { domain, verified: method !== null, method, issuedAt: issued.issuedAt, publish, dns, file, remedy };
}
