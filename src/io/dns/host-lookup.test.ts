import type { LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import { startDnsServer } from '../../../test/support/dns-server.ts';
import { nodeDnsRecords } from './dns-records.ts';
import { createHostLookup } from './host-lookup.ts';

const signal = new AbortController().signal;

function resolve(servers: readonly string[], hostname: string): Promise<LookupAddress[] | string | undefined> {
  const lookup = createHostLookup({ dns: nodeDnsRecords, servers, signal });
  return new Promise((done) => {
    lookup(hostname, { all: true }, (error, addresses) => done(error === null ? addresses : error.code));
  });
}

test('all addresses come from the servers that were given', async () => {
  await using server = await startDnsServer();
  server.put('both.test', 'A', '192.0.2.1', '192.0.2.2');
  server.put('six.test', 'AAAA', '2001:db8::1');
  expect(await resolve([server.address], 'both.test')).toEqual([
    { address: '192.0.2.1', family: 4 },
    { address: '192.0.2.2', family: 4 },
  ]);
  expect(await resolve([server.address], 'six.test')).toEqual([{ address: '2001:db8::1', family: 6 }]);
});

test('a name that they do not know is asked of the system', async () => {
  await using server = await startDnsServer();
  expect(await resolve([server.address], 'localhost')).toContainEqual({ address: '127.0.0.1', family: 4 });
  expect(server.questions.map(({ type }) => type)).toEqual(['A', 'AAAA']);
  server.fault = 'SERVFAIL';
  expect(await resolve([server.address], 'localhost')).toContainEqual({ address: '127.0.0.1', family: 4 });
});
