import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import {
  announcement,
  DID,
  deprecation,
  FEED,
  openAgentFeedLab,
  type TestFeed,
} from '../../../../test/support/agent-feed-origin.ts';
import { MemoryReaderState } from './memory-reader-state.ts';
import type { ReaderEvent } from './reader-event.ts';

const names = (events: readonly ReaderEvent[]) => events.map(({ event }) => event);
const FIRST = announcement('urn:1');
const SECOND = announcement('urn:2', { version: '2.0' });

async function openOne(entries = [FIRST]) {
  const lab = await openAgentFeedLab();
  const api = lab.origin('api.example');
  const state = new MemoryReaderState();
  api.publish({ entries });
  await lab.reader({ state }).ingest(api.url);
  /** A minute later, by a reader that was started anew. */
  const next = async (feed: TestFeed) => {
    lab.clock.nowMs += 60_000;
    api.publish({ entries: [FIRST], ...feed });
    return await lab.reader({ state }).ingest(api.url);
  };
  return { lab, api, state, next, reader: lab.reader({ state }) };
}

clause(
  ['AF-S2', 'AF-F2', 'AF-F4'],
  'a terminated feed is not trusted: nothing of it is applied or answered, nothing is forgotten',
  async () => {
    const { api, state, reader, next } = await openOne();
    const report = await next({ status: 'terminated', entries: [FIRST, SECOND] });
    expect(report).toMatchObject({ trust: false, feedStatus: 'terminated', applied: 0, endpoints: [] });
    expect(report.events).toEqual([{ event: 'terminated', origin: api.url, feedStatus: 'terminated' }]);
    expect(await reader.resolveUrl(api.url, 'orders-api')).toBeUndefined();
    expect(await reader.canonicalEndpoint(api.url, 'rest')).toBeUndefined();
    expect(await reader.observeLiveResponse(api.url, 'orders-api', {})).toBeUndefined();
    expect(await state.factsOf(report.feedUrl, 0, 10)).toMatchObject([{ entryId: 'urn:1' }]);
    expect(await reader.assertedAt(api.url, Date.parse('2027-01-01T00:00:00Z'))).toHaveLength(1);
    expect((await next({ status: 'terminated', entries: [FIRST, SECOND] })).events).toEqual([]);
  },
);

clause(
  ['AF-F3', 'AF-S3', 'AF-CT7'],
  'terminated, then active: not trusted until an operator says so, and again when it is terminated again',
  async () => {
    const { api, reader, next, lab } = await openOne();
    await next({ status: 'terminated' });
    const active = await next({ entries: [FIRST, SECOND] });
    expect(active).toMatchObject({ trust: false, feedStatus: 'active', applied: 0, endpoints: [] });
    expect(names(active.events)).toEqual(['active-but-untrusted']);
    expect(await reader.resolveUrl(api.url, 'orders-api')).toBeUndefined();

    const retrusted = await reader.retrust(api.url);
    const at = new Date(lab.clock.nowMs).toISOString();
    expect(retrusted).toMatchObject({ trust: true, events: [{ event: 'retrusted', origin: api.url, at }] });
    expect(await reader.resolveUrl(api.url, 'orders-api')).toBe(`${api.url}/orders`);
    expect(await next({ entries: [FIRST, SECOND] })).toMatchObject({
      trust: true,
      applied: 1,
      endpoints: [{ version: '2.0' }],
    });

    expect(await next({ status: 'terminated' })).toMatchObject({ trust: false });
    expect(names((await reader.retrust(api.url)).events)).toEqual(['retrusted']);
    // The document is the same as before, and distrusted all the same.
    expect(await next({ status: 'terminated' })).toMatchObject({ trust: false, events: [{ event: 'terminated' }] });
  },
);

clause('AF-FS2', 'a status that nobody knows, or two that contradict each other, end the trust', async () => {
  for (const feed of [
    { status: 'paused' },
    { status: 'Active' },
    { status: '' },
    { status: 'active', extra: '<af:feed-status>migrated</af:feed-status>' },
    { status: 'terminated', extra: '<af:feed-status>active</af:feed-status>' },
  ]) {
    const { next } = await openOne();
    const report = await next({ ...feed, entries: [FIRST, SECOND] });
    expect(report, JSON.stringify(feed)).toMatchObject({ trust: false, applied: 0, endpoints: [] });
    expect(names(report.events)).toEqual(['terminated']);
  }
});

clause(
  ['AF-VS3', 'AF-CT6'],
  'a later version counts as terminated for now: it needs no operator when a known one is back',
  async () => {
    const { api, reader, next } = await openOne();
    const report = await next({ specVersion: '1', status: 'terminated', entries: [FIRST, SECOND] });
    expect(report).toMatchObject({ trust: true, specVersion: 1, applied: 0, endpoints: [] });
    expect(report.suspended).toContain('spec-version 1');
    expect(report.events).toEqual([{ event: 'unsupported-spec-version', origin: api.url, specVersion: '1' }]);
    expect(await reader.resolveUrl(api.url, 'orders-api')).toBeUndefined();
    expect(await reader.canonicalEndpoint(api.url, 'rest')).toBeUndefined();
    expect(await next({ entries: [FIRST, SECOND] })).toMatchObject({
      trust: true,
      specVersion: 0,
      suspended: undefined,
      applied: 1,
      endpoints: [{ version: '2.0' }],
    });
  },
);

test('without a version that is one whole number nothing is read, not even a status', async () => {
  for (const feed of [
    { specVersion: '', status: 'terminated' },
    { specVersion: '0.1' },
    { specVersion: '-1' },
    { extra: '<af:spec-version>1</af:spec-version>' },
  ]) {
    const { next } = await openOne();
    expect(await next({ ...feed, entries: [FIRST, SECOND] })).toMatchObject({
      trust: true,
      applied: 0,
      endpoints: [{ version: '1.0' }],
      events: [{ event: 'feed-malformed' }],
    });
  }
});

clause(
  ['AF-S4', 'AF-MG1', 'AF-MG2'],
  'a migration is followed to a feed with its own identity and its own state',
  async () => {
    const { lab, api, reader, next } = await openOne([FIRST, announcement('urn:old', { 'endpoint-id': 'old-only' })]);
    const there = lab.origin('v2.api.example');
    const migratedTo = `${there.url}${FEED}`;
    there.publish({ keys: ['key-9'], entries: [{ ...announcement('new:1', { version: '9.0' }), key: 'key-9' }] });
    const report = await next({ status: 'migrated', migratedTo });
    expect(report).toMatchObject({
      origin: there.url,
      feedUrl: migratedTo,
      trust: true,
      applied: 1,
      migratedFrom: [`${api.url}${FEED}`],
      endpoints: [{ endpointId: 'orders-api', version: '9.0', url: `${there.url}/orders` }],
      events: [{ event: 'migrated', origin: api.url, to: migratedTo }],
    });
    expect(there.asked().slice(0, 2)).toEqual([DID, FEED]);
    // What is asked of the old one is answered by the new one alone, also without asking anybody.
    expect(await reader.resolveUrl(api.url, 'orders-api')).toBe(`${there.url}/orders`);
    expect(await reader.resolveUrl(api.url, 'old-only')).toBeUndefined();
    expect(await reader.ingest(api.url)).toMatchObject({
      polled: false,
      origin: there.url,
      endpoints: [{ version: '9.0' }],
    });
    // The old one is not trusted any more.
    there.publish({ status: 'terminated' });
    lab.clock.nowMs += 60_000;
    expect(await reader.ingest(api.url)).toMatchObject({ origin: there.url, trust: false, endpoints: [] });
    expect(await next({ status: 'active' })).toMatchObject({ origin: api.url, trust: false, endpoints: [] });
  },
);

clause(
  'AF-MG2',
  'a feed that cannot be verified where it went is no feed: the old one is told, untrusted',
  async () => {
    const { lab, api, next } = await openOne();
    const there = lab.origin('v2.api.example');
    there.publish({ entries: [FIRST] });
    there.put(DID, { status: 404 });
    const report = await next({ status: 'migrated', migratedTo: there.url });
    expect(report).toMatchObject({ origin: api.url, trust: false, feedStatus: 'migrated', applied: 0, endpoints: [] });
    expect(report.problem).toContain('v2.api.example');
    expect(names(report.events)).toEqual(['did-unreachable', 'migrated'].reverse());
  },
);

clause('AF-MG4', 'another registrable domain is followed with the word of an operator only', async () => {
  const { lab, api, state, next } = await openOne();
  const there = lab.origin('new.example');
  there.publish({ entries: [SECOND] });
  const report = await next({ status: 'migrated', migratedTo: `${there.url}${FEED}` });
  expect(report).toMatchObject({ origin: api.url, trust: false, endpoints: [] });
  expect(report.events).toMatchObject([{ event: 'migrated', refused: expect.stringContaining('registrable domain') }]);
  expect(there.asked()).toEqual([]);
  // As long as it waits for that word it is told.
  expect((await next({ status: 'migrated', migratedTo: `${there.url}${FEED}` })).events).toEqual(report.events);
  const bold = lab.reader({ state, policy: { followMigration: true } });
  expect(await bold.ingest(api.url)).toMatchObject({ origin: there.url, trust: true, endpoints: [{ version: '2.0' }] });
});

test('plain http, no URL, nowhere, two places and a circle are not followed', async () => {
  const { lab, api } = await openOne();
  for (const [feed, why] of [
    [{ migratedTo: `http://api.example:${lab.port}${FEED}` }, 'https'],
    [{ migratedTo: 'elsewhere' }, 'no URL'],
    [{ migratedTo: 'https://u:p@api.example/' }, 'password'],
    [{}, 'does not say'],
    [{ migratedTo: api.url, extra: '<af:migrated-to>https://x.api.example/</af:migrated-to>' }, 'does not say'],
    [{ migratedTo: api.url }, 'circle'],
    [{ migratedTo: `${api.url}${FEED}#again` }, 'circle'],
  ] as const) {
    api.publish({ ...feed, status: 'migrated' });
    const before = lab.requests.length;
    const report = await lab.reader({ policy: { followMigration: true } }).ingest(api.url);
    expect(report.events, why).toMatchObject([{ event: 'migrated', refused: expect.stringContaining(why) }]);
    expect(report).toMatchObject({ origin: api.url, trust: false });
    expect(lab.requests.slice(before).map(({ path }) => path)).toEqual([DID, FEED]);
  }
});

test('three migrations are followed, the fourth is not, and a ring of two ends', async () => {
  const { lab } = await openOne();
  const chain = ['a', 'b', 'c', 'd', 'e'].map((name) => lab.origin(`${name}.api.example`));
  chain.forEach((origin, at) => {
    origin.publish({ status: 'migrated', migratedTo: chain[at + 1]?.url ?? origin.url });
  });
  const [first, second] = chain;
  const report = await lab.reader().ingest(first?.url ?? '');
  expect(report).toMatchObject({ origin: chain[3]?.url, trust: false });
  expect(report.migratedFrom).toHaveLength(3);
  expect(report.events.at(-1)).toMatchObject({ event: 'migrated', refused: expect.stringContaining('3 others') });
  expect(chain[4]?.asked()).toEqual([]);

  second?.publish({ status: 'migrated', migratedTo: first?.url ?? '' });
  expect(await lab.reader().ingest(first?.url ?? '')).toMatchObject({ origin: second?.url, trust: false });
});

test('an address that the way out refuses is not read, and costs nobody the answer', async () => {
  const { lab, api } = await openOne();
  const { createUndiciHttpClient } = await import('../../../io/undici/http-client.ts');
  await using http = createUndiciHttpClient({
    allowPrivate: false,
    userAgent: 'test',
    ca: lab.authority.cert,
    lookup: (host, _, answer) =>
      answer(null, [{ address: host === 'api.example' ? '127.0.0.1' : '10.0.0.1', family: 4 }]),
    mayReach: (address) => address === '127.0.0.1',
  });
  for (const migratedTo of ['https://inside.api.example/', 'https://10.0.0.1/']) {
    api.publish({ status: 'migrated', migratedTo });
    const report = await lab.reader({ http, policy: { followMigration: true } }).ingest(api.url);
    expect(report).toMatchObject({
      origin: api.url,
      trust: false,
      problem: expect.stringContaining('not a public address'),
    });
  }
});

clause('AF-Z2', 'the end of one origin is no matter of another', async () => {
  const { lab, api, state, next } = await openOne();
  const other = lab.origin('other.test');
  other.publish({ entries: [announcement('urn:1', { version: 'other' })] });
  const reader = lab.reader({ state });
  await reader.ingest(other.url);
  await next({ status: 'terminated' });
  expect(await reader.report(other.url)).toMatchObject({ trust: true, endpoints: [{ version: 'other' }] });
  expect(await reader.resolveUrl(other.url, 'orders-api')).toBe(`${other.url}/orders`);
  expect(await reader.resolveUrl(api.url, 'orders-api')).toBeUndefined();
});

clause(
  'AF-A4',
  'after the sunset the replacement answers, wherever it was announced last; told once per query',
  async () => {
    const { lab, api, reader, next } = await openOne([
      FIRST,
      deprecation('urn:2', { sunset: '2026-04-27T13:00:00Z', replacement: 'orders-v2' }),
    ]);
    expect(await reader.resolveUrl(api.url, 'orders-api')).toBe(`${api.url}/orders`);
    expect(reader.events()).toEqual([]);
    lab.clock.nowMs = Date.parse('2026-04-27T13:00:00Z');
    expect(await reader.resolveUrl(api.url, 'orders-api')).toBeUndefined();
    const told = { event: 'deprecated-and-sunset', origin: api.url, endpointId: 'orders-api' };
    expect(reader.events()).toEqual([{ ...told, url: null }]);
    await next({ entries: [announcement('urn:3', { 'endpoint-id': 'orders-v2', endpoint: '/v2', protocol: 'v2' })] });
    expect(await reader.resolveUrl(api.url, 'orders-api')).toBe(`${api.url}/v2`);
    expect(await reader.canonicalEndpoint(api.url, 'rest')).toBe(`${api.url}/v2`);
    expect(reader.events()).toEqual([
      { ...told, url: `${api.url}/v2` },
      { ...told, url: `${api.url}/v2` },
    ]);
  },
);
