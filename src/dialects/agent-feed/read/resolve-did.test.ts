import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import {
  type AgentFeedOrigin,
  announcement,
  CARD,
  DID,
  didDocument,
  FEED,
  openAgentFeedLab,
  type Served,
} from '../../../../test/support/agent-feed-origin.ts';
import { createTestAuthority } from '../../../../test/support/test-ca.ts';
import { startTlsSite } from '../../../../test/support/tls-site.ts';

async function openOne(feed = {}) {
  const lab = await openAgentFeedLab();
  const api = lab.origin('api.example');
  api.publish({ entries: [announcement('urn:1')], ...feed });
  return { lab, api, reader: lab.reader() };
}

clause(['AF-I1', 'AF-I5', 'AF-CT3'], 'the identity is asked for first, then the feed, then the card', async () => {
  const { api, reader, lab } = await openOne();
  expect(await reader.ingest(api.url)).toMatchObject({ applied: 1 });
  expect(api.asked()).toEqual([DID, FEED, CARD]);
  expect(lab.requests.every(({ headers }) => headers['user-agent'] === 'test')).toBe(true);
});

clause(
  'AF-I1',
  'only https is read; plain http of a literal loopback host with a switch, and of no other',
  async () => {
    const { lab } = await openOne();
    const insecure = lab.reader({ policy: { insecureLoopback: true } });
    for (const url of [
      'http://api.example',
      'http://10.0.0.1',
      'http://localhost.evil.test',
      'ftp://localhost',
      'api.example',
    ]) {
      await expect(lab.reader().ingest(url), url).rejects.toThrow('is refused');
      await expect(insecure.ingest(url), url).rejects.toThrow('is refused');
    }
    await expect(lab.reader().ingest('http://127.0.0.1:1')).rejects.toThrow('Only https');
    await expect(insecure.ingest('https://a:b@api.example')).rejects.toThrow('password');

    await using plain = await startTlsSite();
    const did = `did:web:127.0.0.1%3A${plain.port}`;
    plain.put('127.0.0.1', DID, { body: didDocument(did) });
    plain.put('127.0.0.1', FEED, { body: 'no feed' });
    expect(await insecure.ingest(`http://127.0.0.1:${plain.port}`)).toMatchObject({
      events: [{ event: 'feed-malformed' }],
    });
  },
);

const bad: [string, (api: AgentFeedOrigin) => Served, string][] = [
  ['404', () => ({ status: 404 }), 'did-unreachable'],
  ['500', () => ({ status: 500, body: 'oops' }), 'did-unreachable'],
  ['204', () => ({ status: 204 }), 'did-unreachable'],
  ['304 without being asked', () => ({ status: 304 }), 'did-unreachable'],
  [
    'a redirect to another host that has the document',
    ({ origin }) => ({ status: 302, headers: { location: origin.replace('api.example', 'other.test') + DID } }),
    'did-unreachable',
  ],
  ['a redirect to http', () => ({ status: 302, headers: { location: `http://api.example${DID}` } }), 'did-unreachable'],
  ['a body over 256 kB', ({ did }) => ({ body: didDocument(did).padEnd(300_000) }), 'did-unreachable'],
  ['HTML', () => ({ body: '<html>' }), 'did-malformed'],
  ['bytes that are no UTF-8', () => ({ body: Buffer.of(0xff, 0xfe) }), 'did-malformed'],
  ['no methods', ({ did }) => ({ body: JSON.stringify({ id: did, verificationMethod: [] }) }), 'did-malformed'],
  ['a key twice', ({ did }) => ({ body: didDocument(did).replace('{"id"', '{"id":"x","id"') }), 'did-malformed'],
  ['another host', () => ({ body: didDocument('did:web:other.test') }), 'did-malformed'],
  ['another port', () => ({ body: didDocument('did:web:api.example') }), 'did-malformed'],
  ['no key that can be read', ({ did }) => ({ body: didDocument(did).replace('"u', '"?') }), 'key-unresolvable'],
];

for (const [what, served, event] of bad) {
  clause(['AF-I2', 'AF-I4', 'AF-K4'], `a did.json that is ${what}: ${event}, and what is known stays`, async () => {
    const { api, reader, lab } = await openOne();
    const fresh = lab.reader();
    await reader.ingest(api.url);
    api.publish({ entries: [announcement('urn:1'), announcement('urn:2', { version: '2.0' })] });
    lab.origin('other.test').put(DID, { body: didDocument(api.did) });
    api.put(DID, served(api));
    lab.clock.nowMs += 60_000;
    const report = await reader.ingest(api.url);
    expect(report.events).toMatchObject([{ event, origin: api.url, reason: expect.stringMatching(/\w{3}/) }]);
    expect(report).toMatchObject({ trust: true, applied: 0, feedStatus: 'active', endpoints: [{ version: '1.0' }] });
    expect(report.problem).toContain(event);
    expect(await fresh.ingest(api.url)).toMatchObject({
      trust: true,
      applied: 0,
      endpoints: [],
      feedStatus: undefined,
    });
    expect(api.asked().filter((path) => path === FEED)).toHaveLength(1);
  });
}

clause('AF-I3', 'what is not trusted stays so when the identity is gone', async () => {
  const { api, reader, lab } = await openOne({ status: 'terminated' });
  await reader.ingest(api.url);
  api.put(DID, { status: 404 });
  lab.clock.nowMs += 60_000;
  expect(await reader.ingest(api.url)).toMatchObject({ trust: false, feedStatus: 'terminated' });
});

clause('AF-SC8', 'a certificate of another name, out of time or of nobody we know is no identity', async () => {
  const { lab } = await openOne();
  const certificates = {
    'for another name': lab.authority.issue('other.test'),
    expired: lab.authority.issueExpired('api.example'),
    'signed by a stranger': createTestAuthority().issue('api.example'),
  };
  for (const [what, certificate] of Object.entries(certificates)) {
    await using site = await startTlsSite(certificate);
    const did = `did:web:api.example%3A${site.port}`;
    site.put('api.example', DID, { body: didDocument(did) });
    const report = await lab.reader().ingest(`https://api.example:${site.port}`);
    expect(report, what).toMatchObject({ applied: 0, events: [{ event: 'did-unreachable' }] });
    expect(site.asked, what).toEqual([]);
  }
});

clause('AF-R4', 'without a freshness of its own the identity is asked for with each poll', async () => {
  for (const didHeaders of [{}, { 'cache-control': 'no-store, max-age=600' }, { 'cache-control': 'max-age=0' }]) {
    const { api, reader, lab } = await openOne({ didHeaders });
    await reader.ingest(api.url);
    lab.clock.nowMs += 60_000;
    await reader.ingest(api.url);
    expect(api.asked().filter((path) => path === DID)).toHaveLength(2);
  }
});

clause(
  ['AF-R3', 'AF-R5'],
  'an identity is used as long as it is fresh, its age counted, and not a moment longer',
  async () => {
    const { api, reader, lab } = await openOne({ didHeaders: { 'cache-control': 'max-age=300', age: '100' } });
    const didRequests = () => api.asked().filter((path) => path === DID).length;
    await reader.ingest(api.url);
    lab.clock.nowMs += 199_000;
    await reader.ingest(api.url);
    expect(didRequests()).toBe(1);
    // The old key is gone: what it signed is verified no more, and what was applied stays.
    api.publish({
      keys: ['key-2'],
      entries: [announcement('urn:1'), { ...announcement('urn:2', { version: '2' }), key: 'key-2' }],
    });
    lab.clock.nowMs += 1000;
    const report = await reader.ingest(api.url, { refresh: true });
    expect(didRequests()).toBe(2);
    expect(report).toMatchObject({ applied: 1, endpoints: [{ version: '2' }] });
    expect(report.events).toMatchObject([
      { event: 'key-unresolvable', signer: `${api.did}#key-1` },
      { event: 'unverified-entry', entryId: 'urn:1' },
    ]);
  },
);

clause('AF-R3', 'a clock that goes back does not make an identity last longer', async () => {
  for (const backMs of [30_000, 365 * 24 * 3600_000]) {
    const { api, reader, lab } = await openOne({ didHeaders: { 'cache-control': 'max-age=3600' } });
    const didRequests = () => api.asked().filter((path) => path === DID).length;
    await reader.ingest(api.url);
    lab.clock.nowMs -= backMs;
    await reader.ingest(api.url);
    expect(didRequests()).toBe(1);
    await reader.ingest(api.url, { refresh: true });
    expect(didRequests(), String(backMs)).toBe(2);
  }
});

clause('AF-R6', 'an unchanged feed is verified again under changed keys', async () => {
  const { api, reader, lab } = await openOne({ headers: { etag: '"feed"' } });
  await reader.ingest(api.url);
  lab.clock.nowMs += 60_000;
  expect(await reader.ingest(api.url)).toMatchObject({ events: [] });
  expect(lab.requests.at(-1)?.headers['if-none-match']).toBe('"feed"');

  api.put(DID, { body: didDocument(api.did, ['key-2']) });
  lab.clock.nowMs += 60_000;
  const report = await reader.ingest(api.url);
  expect(lab.requests.filter(({ path }) => path === FEED).at(-1)?.headers['if-none-match']).toBeUndefined();
  expect(report.events).toMatchObject([{ event: 'key-unresolvable' }, { event: 'unverified-entry', entryId: 'urn:1' }]);
  expect(report).toMatchObject({ trust: true, endpoints: [{ version: '1.0' }] });
});

test('an identity is asked for with its validators, and 304 keeps it', async () => {
  const { api, reader, lab } = await openOne({ didHeaders: { etag: '"did"' } });
  await reader.ingest(api.url);
  api.publish({
    didHeaders: { etag: '"did"' },
    entries: [announcement('urn:1'), announcement('urn:2', { version: '2' })],
  });
  lab.clock.nowMs += 60_000;
  expect(await reader.ingest(api.url)).toMatchObject({ applied: 1, events: [] });
  expect(lab.requests.filter(({ path }) => path === DID).at(-1)?.headers['if-none-match']).toBe('"did"');
});

clause('AF-R3', 'an operator has the identity looked at again, though it is fresh', async () => {
  const didHeaders = { 'cache-control': 'max-age=86400', etag: '"did"' };
  const { api, reader, lab } = await openOne({ didHeaders });
  const didRequests = () => lab.requests.filter(({ path }) => path === DID);
  await reader.ingest(api.url);
  lab.clock.nowMs += 60_000;
  await reader.ingest(api.url);
  expect(didRequests()).toHaveLength(1);
  await reader.ingest(api.url, { refresh: true });
  expect(didRequests().map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"did"']);
  lab.clock.nowMs += 60_000;
  api.publish({ status: 'terminated', didHeaders });
  expect(await reader.ingest(api.url)).toMatchObject({ trust: false });
  expect(didRequests()).toHaveLength(2);
  lab.clock.nowMs += 60_000;
  await reader.retrust(api.url);
  await reader.ingest(api.url);
  expect(didRequests()).toHaveLength(3);
});

test('a redirect within the origin is followed', async () => {
  const { api, reader } = await openOne();
  api.put('/moved.json', { body: didDocument(api.did) });
  api.put(DID, { status: 301, headers: { location: '/moved.json' } });
  expect(await reader.ingest(api.url)).toMatchObject({ applied: 1 });
});

test('keys with a multicodec header are read where the policy says so', async () => {
  const { api, lab } = await openOne();
  const raw = Buffer.from(/"u([\w-]+)"/.exec(didDocument(api.did))?.[1] ?? '', 'base64url');
  const long = `u${Buffer.concat([Buffer.of(0xed, 0x01), raw]).toString('base64url')}`;
  api.put(DID, { body: didDocument(api.did).replace(/u[\w-]{43}(?=")/, long) });
  expect(await lab.reader().ingest(api.url)).toMatchObject({ applied: 0, events: [{ event: 'key-unresolvable' }] });
  const tolerant = lab.reader({ policy: { acceptMulticodecKeys: true } });
  expect(await tolerant.ingest(api.url)).toMatchObject({ applied: 1 });
});
