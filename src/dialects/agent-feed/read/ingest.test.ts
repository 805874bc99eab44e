import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { announcement, deprecation, NOON, schemaChange, testSeed } from '../../../../test/support/agent-feed-origin.ts';
import { names, openOne } from '../../../../test/support/one-api.ts';
import { signBytes } from '../../../surface/ed25519.ts';
import type { ReaderEvent } from './reader-event.ts';

clause(['AF-S1', 'AF-F1', 'AF-VS2'], 'an active feed is applied: trust, table, last seen id', async () => {
  const { api, reader } = await openOne([announcement('urn:1'), schemaChange('urn:2'), deprecation('urn:3')]);
  expect(await reader.report(api.url)).toMatchObject({ trust: true, feedStatus: undefined, endpoints: [] });
  const report = await reader.ingest(api.url);
  expect(report).toMatchObject({
    origin: api.url,
    trust: true,
    feedStatus: 'active',
    specVersion: 0,
    lastSeen: 'urn:3',
    applied: 3,
    skipped: 0,
    polled: true,
    problem: undefined,
    events: [],
    endpoints: [
      {
        endpointId: 'orders-api',
        protocol: 'rest',
        url: `${api.url}/orders`,
        version: '1.1',
        migrations: [{ from: '1.0', to: '1.1', delta: { add: ['/currency'] } }],
        deprecation: { sunset: '2026-10-01T00:00:00Z', replacement: null },
      },
    ],
  });
  expect(await reader.canonicalEndpoint(api.url, 'rest')).toBe(`${api.url}/orders`);
});

clause('AF-O2', 'an endpoint-id may be the URL of the endpoint', async () => {
  const url = 'https://api.example/orders';
  const { api, reader } = await openOne([
    announcement('urn:1', { 'endpoint-id': url, endpoint: url }),
    announcement('urn:2', { 'endpoint-id': 'short', endpoint: '/short' }),
  ]);
  await reader.ingest(api.url);
  expect(await reader.resolveUrl(api.url, url)).toBe(url);
  expect(await reader.resolveUrl(api.url, 'short')).toBe(`${api.url}/short`);
});

clause(['AF-I7', 'AF-I8'], 'document order counts, whatever the entries say about their time', async () => {
  const { api, reader } = await openOne([
    { ...announcement('urn:1', { endpoint: '/first' }), updated: '2030-01-01T00:00:00Z' },
    { ...announcement('urn:2', { endpoint: '/second' }), updated: '2020-01-01T00:00:00Z' },
  ]);
  expect(await reader.ingest(api.url)).toMatchObject({ lastSeen: 'urn:2' });
  expect(await reader.resolveUrl(api.url, 'orders-api')).toBe(`${api.url}/second`);
});

clause(
  ['AF-I6', 'AF-U2', 'AF-U3'],
  'one bad signature is told and costs neither the others nor the trust',
  async () => {
    const { api, reader } = await openOne([
      announcement('urn:1', { endpoint: '/one' }),
      { ...announcement('urn:2', { endpoint: '/bad' }), key: 'stranger', signer: null },
      announcement('urn:3', { 'endpoint-id': 'other', endpoint: '/three' }),
    ]);
    const report = await reader.ingest(api.url);
    expect(report).toMatchObject({ trust: true, applied: 2, skipped: 1, lastSeen: 'urn:3' });
    expect(report.events).toEqual([
      {
        event: 'unverified-entry',
        origin: api.url,
        entryId: 'urn:2',
        feedUrl: `${api.url}/.well-known/agent-feed.xml`,
        reason: expect.stringContaining('signature'),
      },
    ]);
    expect(await reader.resolveUrl(api.url, 'orders-api')).toBe(`${api.url}/one`);
  },
);

clause(
  ['AF-V3', 'AF-V7'],
  'what is no signature, no id, no content or no ed25519 is unverified, with the reason',
  async () => {
    const good = announcement('urn:x');
    const { api, reader } = await openOne([
      { ...good, id: 'short', signature: 'AAAA' },
      { ...good, id: 'padded', signature: `${'A'.repeat(86)}==` },
      { ...good, id: 'junk', signature: `${'A'.repeat(86)}AA` },
      { ...good, id: 'rsa', signatureType: 'rsa' },
      { ...good, id: '' },
      { ...good, id: 'two-contents', extra: '<content>two</content>' },
      { ...good, id: 'changed', content: JSON.stringify(good.payload, null, 1) },
    ]);
    const { events, applied } = await reader.ingest(api.url);
    expect(applied).toBe(0);
    expect(names(events)).toEqual(Array(7).fill('unverified-entry'));
    expect(events.every((event) => 'reason' in event && String(event.reason).length > 5)).toBe(true);
  },
);

clause(['AF-V4', 'AF-V5', 'AF-V8'], 'each entry is verified under the key that it names', async () => {
  const { api, reader } = await openOne();
  api.publish({
    keys: ['key-1', 'key-2'],
    entries: [
      announcement('by-1'),
      { ...announcement('by-2', { version: '2' }), key: 'key-2' },
      { ...announcement('swapped', { version: '3' }), key: 'key-2', signer: '#key-1' },
      { ...announcement('unknown', { version: '4' }), signer: '#key-9' },
      { ...announcement('unknown-too', { version: '5' }), signer: '#key-9' },
      { ...announcement('default', { version: '6' }), signer: null },
      { ...announcement('not-default', { version: '7' }), key: 'key-2', signer: null },
      { ...announcement('relative', { version: '8' }), key: 'key-2', signer: '#key-2' },
    ],
  });
  const { events, applied, lastSeen } = await reader.ingest(api.url);
  expect([applied, lastSeen]).toEqual([4, 'relative']);
  expect(events.map((event) => ('entryId' in event ? event.entryId : event.event))).toEqual([
    'swapped',
    'key-unresolvable',
    'unknown',
    'unknown-too',
    'not-default',
  ]);
});

clause('AF-V9', 'signature, then type, then id: what fails first is told alone', async () => {
  const first = announcement('urn:1');
  const { reader, again } = await openOne([first]);
  await again();
  const report = await again([
    first,
    { ...announcement('bad-and-unknown'), type: 'status', key: 'stranger', signer: null },
    { ...announcement('urn:1', { version: '9' }), key: 'stranger', signer: null },
    { ...announcement('urn:1', { version: '9' }), type: 'status' },
  ]);
  expect(names(report.events)).toEqual(['unverified-entry', 'unverified-entry', 'unknown-entry-type']);
  expect(report).toMatchObject({ applied: 0, skipped: 4 });
  expect(await reader.report(report.origin)).toMatchObject({ endpoints: [{ version: '1.0' }] });
});

clause('AF-U4', 'a flood of bad entries becomes 20 events and a count', async () => {
  const bad = Array.from({ length: 200 }, (_, at) => ({ ...announcement(`bad-${at}`), signature: 'A'.repeat(86) }));
  const { reader, api } = await openOne([...bad, announcement('good')]);
  const heard: ReaderEvent[] = [];
  reader.onEvent((event) => heard.push(event));
  const { events, applied } = await reader.ingest(api.url);
  expect(applied).toBe(1);
  expect(names(events)).toEqual([...Array(20).fill('unverified-entry'), 'events-suppressed']);
  expect(events.at(-1)).toEqual({ event: 'events-suppressed', origin: api.url, of: 'unverified-entry', count: 180 });
  expect(heard).toEqual(events);
});

clause('AF-U4', 'the same bad entry is told once a day, another one under its id at once', async () => {
  const bad = (letter: string) => ({ ...announcement('urn:1'), signature: letter.repeat(85) });
  const { reader, api, again } = await openOne([bad('A')]);
  expect((await reader.ingest(api.url)).events).toHaveLength(1);
  expect((await again([bad('A'), announcement('urn:2')])).events).toEqual([]);
  expect((await again([bad('B'), announcement('urn:2')])).events).toHaveLength(1);
  for (let hour = 0; hour < 23; hour += 1) await again();
  expect((await again([bad('A')])).events[0]).toMatchObject({ event: 'unverified-entry', entryId: 'urn:1' });
});

clause('AF-U5', 'an unverified entry leaves no trace: its id may come again, verified', async () => {
  const { reader, api, again } = await openOne([
    { ...announcement('urn:1', { version: 'forged' }), key: 'stranger', signer: null },
  ]);
  expect((await reader.ingest(api.url)).endpoints).toEqual([]);
  expect(await again([announcement('urn:1')])).toMatchObject({
    applied: 1,
    events: [],
    endpoints: [{ version: '1.0' }],
  });
});

clause(
  ['AF-N1', 'AF-N4', 'AF-CT6'],
  'an unknown type is passed over, is not recorded, and may be known one day',
  async () => {
    const { reader, api, again } = await openOne([
      { ...announcement('urn:1'), type: 'status' },
      announcement('urn:2', { 'endpoint-id': 'other' }),
      schemaChange('urn:3', { 'endpoint-id': 'other', migration: { add: ['/a'], split: { '/x': 1 } } }),
    ]);
    const report = await reader.ingest(api.url);
    expect(report).toMatchObject({ applied: 2, lastSeen: 'urn:3' });
    expect(report.endpoints.map(({ endpointId }) => endpointId)).toEqual(['other']);
    expect(report.endpoints[0]?.migrations[0]?.delta).toEqual({ add: ['/a'], split: { '/x': 1 } });
    expect(await again([announcement('urn:1')])).toMatchObject({ applied: 1 });
  },
);

clause(['AF-N2', 'AF-N3'], 'an unknown type is told by its name and entry, and not as unverified', async () => {
  const { reader, api } = await openOne([{ ...announcement('urn:1'), type: 'status' }, announcement('urn:2')]);
  const { events } = await reader.ingest(api.url);
  expect(events).toMatchObject([{ event: 'unknown-entry-type', type: 'status', entryId: 'urn:1' }]);
});

clause('AF-S7', 'the last seen id is that of the entry which was applied last', async () => {
  const { reader, api, again } = await openOne([
    announcement('urn:1'),
    { ...announcement('urn:2', { version: '2' }), key: 'stranger', signer: null },
  ]);
  expect(await reader.ingest(api.url)).toMatchObject({ applied: 1, lastSeen: 'urn:1' });
  expect(await again([announcement('urn:1'), schemaChange('urn:3')])).toMatchObject({ lastSeen: 'urn:3' });
});

clause('AF-N5', 'a flood of unknown types is limited, and the same is not told twice a day', async () => {
  const unknown = Array.from({ length: 100 }, (_, at) => ({ ...announcement(`urn:${at}`), type: 'status' }));
  const { reader, api, again } = await openOne(unknown.slice(0, 3));
  expect((await reader.ingest(api.url)).events).toHaveLength(3);
  const { events } = await again(unknown);
  expect(events).toHaveLength(21);
  expect(events[0]).toMatchObject({ entryId: 'urn:3' });
  expect((await again(unknown.slice(0, 2))).events).toEqual([]);
});

clause('AF-N6', 'unknown elements of the namespace are told and mean nothing', async () => {
  const { lab, api, reader, again } = await openOne();
  const entries = [{ ...announcement('urn:1'), extra: '<af:priority>9</af:priority>' }];
  api.publish({ entries, extra: '<af:mood>good</af:mood>' });
  const { events, applied } = await reader.ingest(api.url);
  expect(applied).toBe(1);
  expect(events).toEqual([
    { event: 'unknown-element', origin: api.url, element: 'mood' },
    { event: 'unknown-element', origin: api.url, entryId: 'urn:1', element: 'priority' },
  ]);
  expect((await again()).events).toEqual([]);
  expect(lab.clock.nowMs).toBeGreaterThan(NOON);
});

test('a payload of another type, with a key twice, or no object is told and not applied', async () => {
  const { reader, api, again } = await openOne([
    { ...deprecation('swapped'), type: 'endpoint-announcement' },
    { ...announcement('twice'), payload: '{"endpoint":"/a","endpoint":"/b"}' },
    { ...announcement('list'), payload: '[]' },
    announcement('relative', { endpoint: 'orders' }),
  ]);
  const { events, applied, endpoints } = await reader.ingest(api.url);
  expect([applied, endpoints]).toEqual([0, []]);
  expect(names(events)).toEqual(Array(4).fill('malformed-payload'));
  // The envelope is not signed: put right, the same payload counts.
  expect(await again([announcement('urn:1'), deprecation('swapped')])).toMatchObject({ applied: 2, events: [] });
});

clause(
  ['AF-ST8', 'AF-ST9'],
  'entries that are gone are archived, by all that is known: at most a word is said',
  async () => {
    const entries = [
      announcement('urn:1'),
      announcement('urn:2', { 'endpoint-id': 'b' }),
      announcement('urn:3', { version: '2' }),
    ];
    const { reader, api, again } = await openOne(entries);
    const { endpoints } = await reader.ingest(api.url);
    const report = await again(entries.slice(1));
    expect(report).toMatchObject({ trust: true, endpoints });
    expect(report.events).toEqual([{ event: 'entries-absent', origin: api.url, count: 1 }]);
    expect((await again(entries.slice(1))).events).toEqual([]);
  },
);

clause('AF-A9', 'asserted-at and updated are kept for audit, with the signer', async () => {
  const { reader, api, state } = await openOne([
    { ...announcement('urn:1'), updated: '2026-04-01T00:00:00Z' },
    announcement('urn:2', { version: '2.0', 'asserted-at': '2026-05-01T00:00:00Z' }),
  ]);
  const { feedUrl, endpoints } = await reader.ingest(api.url);
  expect(endpoints[0]?.assertedAt).toBe('2026-05-01T00:00:00Z');
  expect(await state.factsOf(feedUrl, 0, 1)).toMatchObject([
    { entryId: 'urn:1', updated: '2026-04-01T00:00:00Z', signer: `${api.did}#key-1`, learnedMs: NOON },
  ]);
  const before = await reader.assertedAt(api.url, Date.parse('2026-04-30T00:00:00Z'));
  expect(before).toMatchObject([{ endpointId: 'orders-api', version: '1.0' }]);
});

test('a listener that throws does not keep a feed from being read', async () => {
  const { reader, api } = await openOne([{ ...announcement('urn:1'), type: 'status' }, announcement('urn:2')]);
  const stop = reader.onEvent(() => {
    throw new Error('the listener is broken');
  });
  expect(await reader.ingest(api.url)).toMatchObject({ applied: 1 });
  stop();
  expect(names(reader.events())).toEqual(['unknown-entry-type']);
  expect(reader.events()).toEqual([]);
});

test('polls of one feed wait for each other', async () => {
  const { reader, api } = await openOne();
  const reports = await Promise.all([1, 2, 3].map(() => reader.ingest(api.url)));
  expect(reports.map(({ polled }) => polled)).toEqual([true, false, false]);
  expect(reports.map(({ endpoints }) => endpoints.length)).toEqual([1, 1, 1]);
});

test('a large feed is verified beside the work on it, in its order', async () => {
  const entries = Array.from({ length: 1500 }, (_, at) => announcement(`urn:${at}`, { version: String(at) }));
  const { reader, api, again } = await openOne(entries);
  expect(await reader.ingest(api.url)).toMatchObject({
    applied: 1500,
    lastSeen: 'urn:1499',
    endpoints: [{ version: '1499' }],
  });
  const forged = entries.map((entry, at) => (at === 700 ? { ...entry, id: 'forged', signature: zeros() } : entry));
  expect(await again(forged)).toMatchObject({ applied: 0, skipped: 1500 });

  function zeros(): string {
    return Buffer.from(signBytes(testSeed('stranger'), Buffer.from('x'))).toString('base64url');
  }
});
