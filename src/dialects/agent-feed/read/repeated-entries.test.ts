import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { announcement, deprecation, schemaChange, type TestEntry } from '../../../../test/support/agent-feed-origin.ts';
import { names, openOne } from '../../../../test/support/one-api.ts';

clause(
  ['AF-P1', 'AF-P5', 'AF-CT8'],
  'the same feed again changes and tells nothing, whatever the server does',
  async () => {
    const entries = [announcement('urn:1'), schemaChange('urn:2'), deprecation('urn:3', { 'endpoint-id': 'nobody' })];
    const { reader, api, state, again } = await openOne(entries);
    const first = await reader.ingest(api.url);
    expect(names(first.events)).toEqual(['deprecation-of-unknown']);
    const before = await state.factsOf(first.feedUrl, 0, 10);
    for (const later of [undefined, entries, [...entries].reverse()]) {
      const report = await again(later);
      expect(report).toMatchObject({ applied: 0, events: [], endpoints: first.endpoints, lastSeen: 'urn:2' });
      expect(await state.factsOf(first.feedUrl, 0, 10)).toEqual(before);
    }
  },
);

clause(
  ['AF-P2', 'AF-P3', 'AF-CT8'],
  'a known id with another payload or another signature is a replay-mismatch',
  async () => {
    const { reader, api, again } = await openOne();
    const { endpoints } = await reader.ingest(api.url);
    const other = await again([announcement('urn:1', { endpoint: '/evil' })]);
    expect(other).toMatchObject({ applied: 0, endpoints });
    expect(other.events[0]).toEqual({
      event: 'replay-mismatch',
      origin: api.url,
      entryId: 'urn:1',
      feedUrl: other.feedUrl,
      reason: expect.stringContaining('payload'),
    });
    api.publish({ keys: ['key-1', 'key-2'], entries: [{ ...announcement('urn:1'), key: 'key-2' }] });
    const resigned = await again();
    expect(resigned).toMatchObject({ applied: 0, endpoints });
    expect(resigned.events).toMatchObject([{ event: 'replay-mismatch', reason: expect.stringContaining('signature') }]);
  },
);

test('of a feed that is as it was all entries are passed over, also those that never counted', async () => {
  const entries = [announcement('urn:1'), { ...announcement('urn:2'), type: 'price-list' }, schemaChange('urn:3')];
  const { reader, api, again } = await openOne(entries);
  expect(await reader.ingest(api.url)).toMatchObject({ applied: 2, skipped: 1 });
  expect(await again()).toMatchObject({ polled: true, applied: 0, skipped: 3 });
});

clause('AF-P2', 'two entries with one id in one document: the second counts for nothing', async () => {
  const { reader, api } = await openOne([
    announcement('urn:1'),
    announcement('urn:1', { endpoint: '/2' }),
    announcement('urn:1'),
  ]);
  const { events, applied, endpoints } = await reader.ingest(api.url);
  expect([names(events), applied, endpoints[0]?.url]).toEqual([['replay-mismatch'], 1, `${api.url}/orders`]);
});

test('an old payload under a new id is told and not applied: nobody can roll an endpoint back', async () => {
  const entries = [announcement('urn:1', { endpoint: '/old' }), announcement('urn:2', { endpoint: '/new' })];
  const { reader, api, again } = await openOne(entries);
  await reader.ingest(api.url);
  const report = await again([...entries, { ...entries[0], id: 'urn:3' } as TestEntry]);
  expect(report).toMatchObject({ applied: 0, lastSeen: 'urn:2', endpoints: [{ url: `${api.url}/new` }] });
  expect(report.events).toMatchObject([{ event: 'repeated-payload', entryId: 'urn:3', firstId: 'urn:1' }]);
});

test('what another key says again takes effect: a fresh reader and one that believed a thief end alike', async () => {
  const honest = announcement('urn:1', { endpoint: '/orders' });
  const forged = announcement('urn:2', { endpoint: '/evil' });
  const { reader, api, again } = await openOne([honest, forged]);
  expect(await reader.ingest(api.url)).toMatchObject({ endpoints: [{ url: `${api.url}/evil` }] });
  api.publish({ entries: [{ ...honest, id: 'urn:3', key: 'key-2', signer: '#key-2' }], keys: ['key-2'] });
  expect(await again()).toMatchObject({ applied: 1, lastSeen: 'urn:3', endpoints: [{ url: `${api.url}/orders` }] });
});

clause('AF-D1', 'what another key says again, in its order, leaves the table as it is', async () => {
  const entries = [announcement('urn:1', { endpoint: '/old' }), announcement('urn:2', { endpoint: '/new' })];
  const { reader, api, again } = await openOne(entries);
  await reader.ingest(api.url);
  const signed = entries.map((entry) => ({ ...entry, id: `${entry.id}-again`, key: 'key-2', signer: '#key-2' }));
  api.publish({ entries: signed, keys: ['key-2'] });
  const report = await again();
  expect(report).toMatchObject({ applied: 2, lastSeen: 'urn:2-again', endpoints: [{ url: `${api.url}/new` }] });
  expect(names(report.events)).toEqual(['entries-absent']);
  api.publish({ entries: [...signed, { ...signed[0], id: 'urn:9' } as TestEntry], keys: ['key-2'] });
  const replayed = await again();
  expect(replayed).toMatchObject({ applied: 0, endpoints: [{ url: `${api.url}/new` }] });
  expect(replayed.events).toMatchObject([{ event: 'repeated-payload', entryId: 'urn:9', firstId: 'urn:1-again' }]);
});

test('a repeated payload takes no id away from what is said under it later', async () => {
  const entries = [announcement('urn:1', { endpoint: '/old' }), announcement('urn:2', { endpoint: '/new' })];
  const repeated = { ...entries[0], id: 'urn:3' } as TestEntry;
  const { reader, api, again } = await openOne([...entries, repeated]);
  expect(names((await reader.ingest(api.url)).events)).toEqual(['repeated-payload']);
  expect(await again([...entries, repeated, announcement('urn:4', { version: '4' })])).toMatchObject({ events: [] });
  expect(await again([...entries, announcement('urn:3', { version: '3' })])).toMatchObject({
    applied: 1,
    lastSeen: 'urn:3',
    endpoints: [{ version: '3' }],
  });
});

test('a deprecation that came too early counts when it is said again under a new id, and not under its old one', async () => {
  const early = deprecation('urn:1');
  const { reader, api, again } = await openOne([early]);
  expect(names((await reader.ingest(api.url)).events)).toEqual(['deprecation-of-unknown']);
  const known = [early, announcement('urn:2')];
  const [record] = (await again([...known, early])).endpoints;
  expect(record).not.toHaveProperty('deprecation');
  expect(await again([...known, { ...early, id: 'urn:3' }])).toMatchObject({
    applied: 1,
    events: [],
    endpoints: [{ deprecation: { sunset: '2026-10-01T00:00:00Z' } }],
  });
});

test('entries that never had an effect do not make up for those that are gone', async () => {
  const entries = [announcement('urn:1'), announcement('urn:2', { version: '2' })];
  const early = deprecation('void', { 'endpoint-id': 'nobody' });
  const { reader, api, again } = await openOne([...entries, early]);
  await reader.ingest(api.url);
  expect((await again([...entries.slice(1), early])).events).toEqual([
    { event: 'entries-absent', origin: api.url, count: 1 },
  ]);
  expect((await again(entries)).events).toEqual([]);
});

clause('AF-D1', 'facts that are told again under a new key and new ids count, and change nothing', async () => {
  const { reader, api, again } = await openOne([announcement('urn:1'), schemaChange('urn:2')]);
  const [before] = (await reader.ingest(api.url)).endpoints;
  const entries = [announcement('new:1'), schemaChange('new:2')].map((entry) => ({ ...entry, key: 'key-2' }));
  api.publish({ keys: ['key-2'], entries });
  const report = await again();
  expect(report).toMatchObject({ applied: 2, lastSeen: 'new:2' });
  expect(report.endpoints).toEqual([{ ...before, announcement: 2 }]);
  expect(names(report.events)).not.toContain('replay-mismatch');
});
