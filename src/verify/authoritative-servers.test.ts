import { expect, test } from 'vitest';
import { startDnsServer } from '../../test/support/dns-server.ts';
import { nodeDnsRecords } from '../io/dns/dns-records.ts';
import { findZone } from './authoritative-servers.ts';
import type { DnsRecords } from './dns-records.ts';

const signal = new AbortController().signal;
const RECORD = '_aiwebindex-verify.docs.example.test';

test('the closest ancestor with name servers is the zone', async () => {
  await using resolver = await startDnsServer();
  resolver.put('test', 'NS', 'ns.registry.test');
  resolver.put('example.test', 'NS', 'ns1.example.test', 'ns2.elsewhere.test');
  resolver.put('docs.example.test', 'A', '192.0.2.9');
  resolver.put('ns1.example.test', 'A', '192.0.2.1');
  resolver.put('ns2.elsewhere.test', 'AAAA', '2001:db8::2');
  const find = () => findZone(nodeDnsRecords, RECORD, { through: [resolver.address], signal });
  expect(await find()).toEqual({
    name: 'example.test',
    servers: [
      { host: 'ns1.example.test', address: '192.0.2.1' },
      { host: 'ns2.elsewhere.test', address: '2001:db8::2' },
    ],
  });
  resolver.put('docs.example.test', 'NS', 'ns1.example.test');
  expect(await find()).toMatchObject({ name: 'docs.example.test' });
  resolver.put(RECORD, 'NS', 'ns1.example.test');
  expect(await find()).toMatchObject({ name: RECORD });
});

test('the name servers of an alias’ target have no say', async () => {
  await using resolver = await startDnsServer();
  resolver.put('example.test', 'NS', 'ns.example.test');
  resolver.put('ns.example.test', 'A', '192.0.2.1');
  resolver.put('docs.example.test', 'CNAME', 'hosting.test');
  resolver.put('hosting.test', 'NS', 'ns.hosting.test');
  resolver.put('ns.hosting.test', 'A', '192.0.2.66');
  const zone = await findZone(nodeDnsRecords, RECORD, { through: [resolver.address], signal });
  expect(zone).toEqual({ name: 'example.test', servers: [{ host: 'ns.example.test', address: '192.0.2.1' }] });
});

test('a resolver that denies the name of a zone when it is asked for an alias does not hide its servers', async () => {
  await using resolver = await startDnsServer();
  resolver.put('example.test', 'NS', 'ns.example.test');
  resolver.put('ns.example.test', 'A', '192.0.2.1');
  const dns: DnsRecords = {
    ask: async (question) =>
      question.type === 'CNAME' ? { kind: 'no-such-name' } : await nodeDnsRecords.ask(question),
  };
  const zone = await findZone(dns, RECORD, { through: [resolver.address], signal });
  expect(zone).toEqual({ name: 'example.test', servers: [{ host: 'ns.example.test', address: '192.0.2.1' }] });
});

test('a top-level domain is nobody’s zone, and without an answer there is none', async () => {
  await using resolver = await startDnsServer();
  resolver.put('test', 'NS', 'ns.registry.test');
  const find = () => findZone(nodeDnsRecords, RECORD, { through: [resolver.address], signal });
  expect(await find()).toBeUndefined();
  resolver.fault = 'SERVFAIL';
  expect(await find()).toBeUndefined();
});

test('at most four servers are named, whatever the zone says', async () => {
  await using resolver = await startDnsServer();
  const hosts = Array.from({ length: 13 }, (_, index) => `ns${index}.example.test`);
  resolver.put('example.test', 'NS', ...hosts);
  for (const host of hosts) resolver.put(host, 'A', '192.0.2.1');
  const zone = await findZone(nodeDnsRecords, RECORD, { through: [resolver.address], signal });
  expect(zone?.servers).toHaveLength(4);
});
