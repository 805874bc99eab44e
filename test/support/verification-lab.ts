import { onTestFinished } from 'vitest';
import { type CheckDomainOptions, checkDomain, type DomainReport, issueToken } from '../../src/doors/verify-domain.ts';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import { temporaryFolder } from './site.ts';
import { createTestAuthority } from './test-ca.ts';
import { startTlsSite, type TlsSite } from './tls-site.ts';

export const FILE_PATH = '/.well-known/aiwebindex-verify.txt';

/** A small internet: a DNS server, a web server for every name below, and a state folder. */
export interface Lab {
  readonly dns: DnsServer;
  readonly site: TlsSite;
  /** A web server without TLS. */
  readonly plain: TlsSite;
  readonly state: string;
  /** A PEM file. */
  readonly ca: string;
  /** Issues a token and returns the value to publish. */
  issue(domain: string): Promise<string>;
  check(domain: string, options?: Partial<CheckDomainOptions>): Promise<DomainReport>;
  url(host: string, path?: string): string;
}

const NAMES = [
  'example.test',
  'example.co.uk',
  'other.co.uk',
  'evil.test',
  'a.github.io',
  'b.github.io',
  'xn--mnchen-3ya.de',
];

export async function openLab(): Promise<Lab> {
  const authority = createTestAuthority();
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  folder.write({ 'ca.pem': authority.cert });
  const dns = await startDnsServer();
  const site = await startTlsSite(authority.issue(...NAMES.flatMap((name) => [name, `*.${name}`])));
  const plain = await startTlsSite();
  for (const part of [dns, site, plain]) onTestFinished(() => part[Symbol.asyncDispose]());
  for (const name of NAMES) {
    for (const host of [name, `www.${name}`, `docs.${name}`]) dns.put(host, 'A', '127.0.0.1');
  }
  const [state, ca] = [`${folder.path}/state`, `${folder.path}/ca.pem`];
  return {
    dns,
    site,
    plain,
    state,
    ca,
    issue: async (domain) => (await issueToken(domain, { state })).publish.dns.value,
    check: (domain, options) =>
      checkDomain(domain, {
        state,
        ca,
        allowPrivate: true,
        resolvers: [dns.address],
        dnsPort: dns.port,
        httpsPort: site.port,
        ...options,
      }),
    url: (host, path = FILE_PATH) => `https://${host}:${site.port}${path}`,
  };
}
