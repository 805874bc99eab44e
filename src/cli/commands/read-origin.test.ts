import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { readLab, startOrigin } from '../../../test/support/read-lab.ts';
import { tidingsHere } from '../../../test/support/tidings-here.ts';

clause('AF-D5', 'prints what an origin asserts as one JSON object, with one object for each event', async () => {
  const { api, read } = await readLab(tidingsHere);
  const { origin } = api;
  const entries = [
    api.announcement('orders-api'),
    api.schemaChange('orders-api', { add: ['/currency'], later: 1 }),
    api.announcement('orders-api-v2', { endpoint: 'https://api.example/v2', version: '2.0' }),
    api.deprecation('orders-api', {
      sunset: '2126-06-01T00:00:00Z',
      replacement: 'orders-api-v2',
      reason: 'v2 is "better"',
    }),
    api.schemaChange('ghost', {}),
    { ...api.announcement('forged'), signature: 'A'.repeat(86) },
    { ...api.announcement('later'), type: 'price-list' },
  ];
  api.publish({ entries });
  const { code, json, stderr } = await read('--json');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(json).toEqual({
    origin,
    trust: true,
    feedStatus: 'active',
    specVersion: 0,
    lastSeen: entries[4]?.id,
    applied: 5,
    skipped: 2,
    endpoints: [
      {
        protocol: 'rest',
        endpointId: 'orders-api',
        url: `${origin}/orders-api`,
        version: '1.1',
        migrations: { '1.0->1.1': { add: ['/currency'], later: 1 } },
        deprecated: { sunset: '2126-06-01T00:00:00Z', replacement: 'orders-api-v2', reason: 'v2 is "better"' },
      },
      {
        protocol: 'rest',
        endpointId: 'orders-api-v2',
        url: 'https://api.example/v2',
        version: '2.0',
        migrations: {},
        deprecated: null,
      },
      {
        protocol: null,
        endpointId: 'ghost',
        url: null,
        version: '1.1',
        migrations: { '1.0->1.1': {} },
        deprecated: null,
      },
    ],
    events: [
      expect.objectContaining({ event: 'schema-change-of-unknown', origin, endpointId: 'ghost' }),
      expect.objectContaining({ event: 'unverified-entry', origin, entryId: entries[5]?.id }),
      expect.objectContaining({ event: 'unknown-entry-type', origin, entryId: entries[6]?.id, type: 'price-list' }),
    ],
    polled: true,
    nextPollAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
  });
});

clause('AF-SC6', 'leaves an origin alone as long as it asks for, also when an operator says --refresh', async () => {
  const { api, read } = await readLab(tidingsHere);
  const { site } = api;
  api.publish({ entries: [api.announcement('orders-api')] });
  expect((await read('--state', '--json')).code).toBe(0);
  api.put('/.well-known/agent-feed.xml', { status: 429, headers: { 'retry-after': '120' } });
  const limited = await read('--state', '--json', '--refresh');
  expect(limited.code).toBe(3);
  expect(limited.json.events).toContainEqual(expect.objectContaining({ event: 'rate-limited' }));
  expect(limited.json.endpoints).toHaveLength(1);
  const asked = site.asked.length;
  api.publish({ entries: [api.announcement('orders-api')] });
  const waiting = await read('--state', '--json', '--refresh');
  expect(site.asked).toHaveLength(asked);
  expect(waiting).toMatchObject({ code: 3, json: { polled: false } });
  expect(Date.parse(String(waiting.json.nextPollAt)) - Date.now()).toBeGreaterThan(100_000);
});

clause('AF-MG4', 'follows a feed to another domain only with --follow-migration', async () => {
  const { api, read } = await readLab(tidingsHere);
  const next = await startOrigin('127.0.0.1');
  next.publish({ entries: [next.announcement('new-only')] });
  api.publish({ entries: [], status: 'migrated', migratedTo: next.feedUrl });
  const stayed = await read('--state', '--json');
  expect(stayed).toMatchObject({
    code: 4,
    json: { origin: api.origin, trust: false, feedStatus: 'migrated', endpoints: [] },
  });
  expect(stayed.json.events).toContainEqual(
    expect.objectContaining({ event: 'migrated', to: next.feedUrl, refused: expect.any(String) }),
  );
  expect(next.site.asked).toEqual([]);
  const moved = await read('--state', '--json', '--refresh', '--follow-migration');
  expect(moved).toMatchObject({ code: 0, json: { origin: next.origin, trust: true } });
  expect(moved.json.endpoints).toHaveLength(1);
});

test('what was applied is not applied again', async () => {
  const { api, read } = await readLab(tidingsHere);
  api.publish({ entries: [api.announcement('orders-api')] });
  const { endpoints } = (await read('--state', '--json')).json;
  expect(await read('--state', '--json', '--refresh')).toMatchObject({
    code: 0,
    json: { polled: true, applied: 0, events: [], endpoints },
  });
});
