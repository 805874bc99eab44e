import { expect, test } from 'vitest';
import { type DnsFault, startDnsServer } from '../../../test/support/dns-server.ts';
import { askFirst, type DnsQuestion } from '../../verify/dns-records.ts';
import { nodeDnsRecords } from './dns-records.ts';

const never = new AbortController().signal;
const ask = (server: string, question: Partial<DnsQuestion> = {}) =>
  nodeDnsRecords.ask({ name: 'a.test', type: 'TXT', server, signal: never, ...question });

test('every type is read, and the strings of one TXT record are joined', async () => {
  await using server = await startDnsServer();
  server.put('a.test', 'TXT', ['one ', 'two'], 'three');
  server.put('a.test', 'NS', 'ns1.a.test', 'ns2.a.test');
  server.put('a.test', 'A', '192.0.2.1');
  server.put('a.test', 'AAAA', '2001:db8::1');
  server.put('alias.test', 'CNAME', 'a.test');
  const said = async (name: string, type: DnsQuestion['type']) => {
    const answer = await ask(server.address, { name, type });
    return answer.kind === 'records' ? [...answer.values].sort() : answer.kind;
  };
  expect(await said('a.test', 'TXT')).toEqual(['one two', 'three']);
  expect(await said('a.test', 'NS')).toEqual(['ns1.a.test', 'ns2.a.test']);
  expect(await said('a.test', 'A')).toEqual(['192.0.2.1']);
  expect(await said('a.test', 'AAAA')).toEqual(['2001:db8::1']);
  expect(await said('alias.test', 'CNAME')).toEqual(['a.test']);
  expect(await said('alias.test', 'TXT'), 'an alias is followed by a resolver').toEqual(['one two', 'three']);
  expect(await said('a.test', 'CNAME')).toBe('no-record');
  expect(await said('b.test', 'TXT')).toBe('no-such-name');
});

test('an answer that does not fit is had over TCP', async () => {
  await using server = await startDnsServer();
  const values = Array.from({ length: 40 }, (_, index) => `value ${index} ${'x'.repeat(200)}`);
  server.put('a.test', 'TXT', ...values);
  server.fault = 'truncated';
  expect(await ask(server.address)).toEqual({ kind: 'records', values });
  expect(server.questions.map(({ over }) => over)).toEqual(['udp', 'tcp']);
});

test.each<[DnsFault, string]>([
  ['SERVFAIL', 'server-failure'],
  ['REFUSED', 'refused'],
  ['cut', 'garbled'],
])('%s is told apart: %s', async (fault, kind) => {
  await using server = await startDnsServer();
  server.put('a.test', 'TXT', 'words');
  server.fault = fault;
  expect(await ask(server.address)).toEqual({ kind });
  expect(server.questions.length).toBeGreaterThan(0);
});

test.each<DnsFault>(['silent', 'garbage', 'stranger'])(
  '%s: nothing is believed and the time limit ends it',
  async (fault) => {
    await using server = await startDnsServer();
    server.put('a.test', 'TXT', 'words');
    server.put('other.test', 'TXT', 'words');
    server.fault = fault;
    const answer = await ask(server.address, { signal: AbortSignal.timeout(300) });
    expect(['timeout', 'garbled']).toContain(answer.kind);
    expect(server.questions.length).toBeGreaterThan(0);
  },
);

test('a question that nobody waits for any more ends at once', async () => {
  await using server = await startDnsServer();
  server.fault = 'silent';
  const found = new AbortController();
  const asking = ask(server.address, { signal: found.signal });
  found.abort();
  expect(await asking).toEqual({ kind: 'not-awaited' });
  expect(await ask(server.address, { signal: found.signal })).toEqual({ kind: 'not-awaited' });
});

test('a port where nobody listens is unreachable', async () => {
  expect(await ask('127.0.0.1:1')).toEqual({ kind: 'unreachable' });
});

test('of several servers the first one with an answer counts, and one without is passed over', async () => {
  await using silent = await startDnsServer();
  await using failing = await startDnsServer();
  await using good = await startDnsServer();
  silent.fault = 'silent';
  failing.fault = 'SERVFAIL';
  good.put('a.test', 'A', '192.0.2.1');
  const found = new AbortController();
  const servers = [silent.address, failing.address, good.address];
  const question = { name: 'a.test', type: 'A', signal: found.signal } as const;
  expect(await askFirst(nodeDnsRecords, servers, question)).toEqual({ kind: 'records', values: ['192.0.2.1'] });
  found.abort();
  const none = await askFirst(nodeDnsRecords, [failing.address], { ...question, signal: never });
  expect(none).toEqual({ kind: 'unreachable' });
});
