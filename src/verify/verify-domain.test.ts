import { expect, test } from 'vitest';
import { startDnsServer } from '../../test/support/dns-server.ts';
import { temporaryFolder } from '../../test/support/site.ts';
import type { HttpClient } from '../fetch/http-client.ts';
import { nodeDnsRecords } from '../io/dns/dns-records.ts';
import { createFileTokenStore } from '../io/state/token-store.ts';
import { type CheckPorts, checkVerification, issueVerification } from './verify-domain.ts';

test('however many servers are silent, DNS takes one time limit', async () => {
  using folder = temporaryFolder();
  await using silent = await startDnsServer();
  await using silentToo = await startDnsServer();
  silent.fault = 'silent';
  silentToo.fault = 'silent';
  const limits: number[] = [];
  const ports = await portsFor(folder.path, (ms) => {
    limits.push(ms);
    return AbortSignal.timeout(300);
  });
  const report = await checkVerification('a.b.example.test', { resolvers: [silent.address, silentToo.address] }, ports);
  expect(limits).toEqual([5000]);
  expect(report.dns.sightings.map(({ outcome }) => outcome)).toEqual(['timeout', 'timeout']);
  expect(report).toMatchObject({
    verified: false,
    method: null,
    dns: { zone: null },
    file: { outcome: 'wrong-status' },
  });
  expect(report.remedy).toContain('No DNS server answered');
});

test('a match in DNS ends a web server that never answers', async () => {
  using folder = temporaryFolder();
  await using dns = await startDnsServer();
  const ports = await portsFor(folder.path);
  const { token } = (await ports.tokens.current('a.b.example.test')) ?? {};
  dns.put('_aiwebindex-verify.a.b.example.test', 'TXT', `aiwi-verify=${token}`);
  let ended = false;
  const { FetchAbortedError } = await import('../errors/fetch-error.ts');
  const stalling: HttpClient = {
    get: ({ url, signal }) =>
      new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(new FetchAbortedError(url, undefined))),
      ),
    async [Symbol.asyncDispose]() {
      ended = true;
    },
  };
  const report = await checkVerification(
    'a.b.example.test',
    { resolvers: [dns.address] },
    { ...ports, openHttp: async () => stalling },
  );
  expect(report).toMatchObject({ verified: true, method: 'dns', file: { outcome: 'not-awaited' } });
  expect(ended).toBe(true);
});

async function portsFor(state: string, deadline: CheckPorts['deadline'] = AbortSignal.timeout): Promise<CheckPorts> {
  const tokens = createFileTokenStore(state);
  await issueVerification('a.b.example.test', { tokens, newToken: () => 'c0ffee', now: () => 0 });
  const http: HttpClient = {
    get: async ({ url }) => ({
      url,
      status: 404,
      headers: {},
      body: { async *[Symbol.asyncIterator]() {} },
      discard: async () => {},
    }),
    async [Symbol.asyncDispose]() {},
  };
  return {
    tokens,
    dns: nodeDnsRecords,
    openHttp: async () => http,
    mayAsk: () => true,
    deadline,
    signal: new AbortController().signal,
  };
}
