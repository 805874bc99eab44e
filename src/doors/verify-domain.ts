import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import type { HttpClient } from '../fetch/http-client.ts';
import { verificationUserAgent } from '../fetch/user-agent.ts';
import { randomToken } from '../io/node/random-token.ts';
import { createFileTokenStore } from '../io/state/token-store.ts';
import type { TokenStore } from '../verify/token-store.ts';
import type { DomainReport, Issuance } from '../verify/verify-domain.ts';
import { ensureSettings, type HttpOptions, openHttp } from './open-http.ts';

export type { DnsReport, DnsSighting } from '../verify/dns-sightings.ts';
export type { FileReport } from '../verify/verification-file.ts';
export type { Publication } from '../verify/verification-token.ts';
export type { DomainReport, Issuance };

export interface IssueTokenOptions {
  /** The folder with the tokens. */
  readonly state: string;
}

export interface CheckDomainOptions
  extends IssueTokenOptions,
    Pick<HttpOptions, 'allowPrivate' | 'ca' | 'botUrl' | 'cacheDir'> {
  /**
   * DNS servers to query, each an address with or without a port. They also resolve the domain for the file. Default: 1.1.1.1, 8.8.8.8 and 9.9.9.9, and the
   * system for the file.
   */
  readonly resolvers?: readonly string[];
  /** The port of the zone's own DNS servers, for tests. Default: 53. */
  readonly dnsPort?: number;
  /** The port of the domain's web server, for tests. Default: 443. */
  readonly httpsPort?: number;
  readonly signal?: AbortSignal;
}

const PUBLIC_RESOLVERS = ['1.1.1.1', '8.8.8.8', '9.9.9.9'];

/**
 * A new token for a domain, and the two ways to publish it. The domain's earlier token is no longer valid.
 *
 * @example
 * const { publish } = await issueToken('docs.example', { state: './state' });
 * console.log(publish.dns.name, publish.dns.type, publish.dns.value);
 */
export async function issueToken(domain: string, options: IssueTokenOptions): Promise<Issuance> {
  const state = stateOf(options);
  const { issueVerification } = await loadFlow();
  return await issueVerification(domain, {
    tokens: createFileTokenStore(state),
    newToken: randomToken,
    now: Date.now,
  });
}

/**
 * Whether the domain's token is published, in DNS or as a file, and what each server answered.
 *
 * Throws a {@link TidingsError} if no token was issued for it yet.
 *
 * @example
 * const { verified, dns, file } = await checkDomain('docs.example', { state: './state' });
 * if (!verified) console.log(dns.sightings, file.reason);
 */
export async function checkDomain(domain: string, options: CheckDomainOptions): Promise<DomainReport> {
  return await checkTokenOf(domain, createFileTokenStore(stateOf(options)), options);
}

/** Options for checking a token that is not kept in a folder. */
export interface CheckTokenOptions extends Omit<CheckDomainOptions, 'state'> {
  /** Returns a label that nobody uses: if that name below the domain has the value too, the value proves nothing. */
  readonly probe?: () => string;
}

/** The same for a known token. `domain`: as `domainName` returns it. */
export async function checkToken(domain: string, token: string, options: CheckTokenOptions): Promise<DomainReport> {
  const issued = { domain, token, issuedAt: new Date(0).toISOString() };
  const tokens = { name: 'memory', current: async () => issued, issue: async () => false };
  const report = await checkTokenOf(domain, tokens, options);
  const { probe, resolvers, signal = new AbortController().signal } = options;
  if (report.method !== 'dns' || probe === undefined) return report;
  const { isAtEveryName } = await import('../verify/wildcard.ts');
  const { nodeDnsRecords } = await import('../io/dns/dns-records.ts');
  const servers = await resolversOf(resolvers);
  const { value } = report.publish.dns;
  const search = { name: `_${probe()}.${domain}`, value, resolvers: servers, signal };
  if (!(await isAtEveryName(nodeDnsRecords, search))) return report;
  const remedy = `The value stands at every name below ${domain}. Put it at ${report.publish.dns.name} alone, or publish the file.`;
  return { ...report, verified: false, method: null, remedy };
}

async function resolversOf(given: readonly string[] = []): Promise<readonly string[]> {
  const { dnsServerAddress } = await import('../io/dns/server-address.ts');
  return (given.length > 0 ? given : PUBLIC_RESOLVERS).map(dnsServerAddress);
}

async function checkTokenOf(
  domain: string,
  tokens: TokenStore,
  options: Omit<CheckDomainOptions, 'state'>,
): Promise<DomainReport> {
  const { allowPrivate = false, dnsPort, httpsPort, signal } = options;
  for (const port of [dnsPort, httpsPort]) ensurePort(port);
  ensureSettings(options);
  const { checkVerification } = await loadFlow();
  const { dnsServerAddress } = await import('../io/dns/server-address.ts');
  const { nodeDnsRecords } = await import('../io/dns/dns-records.ts');
  const { isPublicAddress } = await import('../io/undici/public-address.ts');
  const given = (options.resolvers ?? []).map(dnsServerAddress);
  const closing = new AbortController();
  try {
    return await checkVerification(
      domain,
      { resolvers: await resolversOf(options.resolvers), dnsPort, httpsPort },
      {
        tokens,
        dns: nodeDnsRecords,
        openHttp: () => openVerification(options, given, closing.signal),
        mayAsk: (address) => allowPrivate || isPublicAddress(address),
        deadline: (ms) => AbortSignal.timeout(ms),
        signal: signal ?? new AbortController().signal,
      },
    );
  } finally {
    closing.abort();
  }
}

/** Callers without types may omit it, or all options. */
function stateOf(options: Partial<IssueTokenOptions> | undefined): string {
  const state: unknown = options?.state;
  if (typeof state === 'string' && state !== '') return state;
  const given = state === undefined ? '(not given)' : JSON.stringify(state);
  throw new SettingRefusedError('state', given, "Name the folder where tokens are kept, like { state: './state' }.");
}

function ensurePort(port = 1): void {
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return;
  throw new SettingRefusedError('port', port, 'Give a number from 1 to 65535.');
}

/** Loaded when needed: the public suffix list costs more CPU than the rest of a small publish. */
function loadFlow() {
  return import('../verify/verify-domain.ts');
}

/** With the User-Agent of a verification. Given resolvers also resolve the domain for the file. */
async function openVerification(
  options: Omit<CheckDomainOptions, 'state'>,
  servers: readonly string[],
  signal: AbortSignal,
): Promise<HttpClient> {
  const { createHostLookup } = await import('../io/dns/host-lookup.ts');
  const { nodeDnsRecords: dns } = await import('../io/dns/dns-records.ts');
  return await openHttp(options, {
    userAgent: verificationUserAgent(options.botUrl),
    ...(servers.length > 0 && { lookup: createHostLookup({ dns, servers, signal }) }),
  });
}
