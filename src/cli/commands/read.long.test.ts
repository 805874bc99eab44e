import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import type { AgentFeedOrigin } from '../../../test/support/agent-feed-origin.ts';
import { readAuthority, readLab, startOrigin } from '../../../test/support/read-lab.ts';
import { createTestAuthority, type TestCertificate } from '../../../test/support/test-ca.ts';
import { tidingsHere } from '../../../test/support/tidings-here.ts';

test('without --json it is a short text', async () => {
  const { api, read } = await readLab(tidingsHere);
  const { origin } = api;
  api.publish({
    entries: [
      api.announcement('orders-api', { version: '1.0\nnot a line' }),
      api.deprecation('orders-api', { sunset: '2126-06-01T00:00:00Z', replacement: 'v2', reason: 'old' }),
      { ...api.announcement('later'), type: 'price-list' },
    ],
  });
  const { code, stdout } = await read('--resolve', 'orders-api', '--canonical', 'mcp');
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toBe(`${origin}: trusted, the feed says active`);
  expect(lines[1]).toBe('  2 entries applied, 1 known or passed over');
  expect(lines[2]).toBe(
    `  orders-api  rest  1.0 not a line  ${origin}/orders-api  ends 2126-06-01T00:00:00Z, then v2 (old)`,
  );
  expect(lines[3]).toBe(`orders-api: ${origin}/orders-api`);
  expect(lines[4]).toBe('mcp: no URL');
  expect(lines[5]).toMatch(/^event unknown-entry-type \{"entryId"/);
  expect(lines).toHaveLength(6);
});

test('without --state each run asks', async () => {
  const { api, read } = await readLab(tidingsHere);
  api.publish({ entries: [api.announcement('orders-api')] });
  expect((await read('--json')).json).toMatchObject({ polled: true, applied: 1 });
  expect((await read('--json')).json).toMatchObject({ polled: true, applied: 1 });
});

clause(
  'AF-VS3',
  'a feed of a later version counts for nothing as long as it is one, and is no matter of trust',
  async () => {
    const { api, read } = await readLab(tidingsHere);
    const entries = [api.announcement('orders-api')];
    api.publish({ entries, specVersion: '1' });
    const later = await read('--state', '--json', '--canonical', 'rest');
    expect(later).toMatchObject({
      code: 4,
      json: { endpoints: [], applied: 0, canonical: { protocol: 'rest', url: null } },
    });
    expect(later.json.suspended).toEqual(expect.any(String));
    expect(later.json).toMatchObject({ specVersion: 1, feedStatus: null });
    expect(later.json.events).toContainEqual(
      expect.objectContaining({ event: 'unsupported-spec-version', specVersion: '1' }),
    );
    api.publish({ entries });
    expect(await read('--state', '--json', '--refresh')).toMatchObject({ code: 0, json: { trust: true, applied: 1 } });
    api.publish({ entries, specVersion: '1' });
    expect((await read('--state', '--json', '--refresh')).json).toMatchObject({ specVersion: 1, feedStatus: null });
  },
);

clause(
  ['AF-MG1', 'AF-MG2', 'AF-MG3'],
  'follows a feed that moved on the same host, with nothing of the old one',
  async () => {
    const { api, read } = await readLab(tidingsHere);
    const next = await startOrigin('localhost');
    api.publish({ entries: [api.announcement('old-only')] });
    expect((await read('--state', '--json')).code).toBe(0);
    next.publish({ entries: [next.announcement('new-only')] });
    api.publish({ entries: [api.announcement('old-only')], status: 'migrated', migratedTo: next.feedUrl });
    const moved = await read('--state', '--json', '--refresh', '--resolve', 'new-only', '--canonical', 'rest');
    expect(moved).toMatchObject({
      code: 0,
      json: {
        origin: next.origin,
        trust: true,
        migratedFrom: [api.feedUrl],
        resolved: { url: `${next.origin}/new-only` },
        canonical: { url: `${next.origin}/new-only` },
      },
    });
    expect(moved.json.endpoints.map(({ endpointId }) => endpointId)).toEqual(['new-only']);
    expect(moved.json.events).toContainEqual(expect.objectContaining({ event: 'migrated', to: next.feedUrl }));
    expect(await read('--state', '--json')).toMatchObject({ code: 0, json: { origin: next.origin, polled: false } });
    // What was asserted then was asserted by the one that is named.
    const { asserted } = (await read('--state', '--json', '--at', '2126-01-01')).json;
    expect(asserted).toMatchObject({ endpoints: [{ endpointId: 'old-only' }] });
  },
);

clause('AF-SC8', 'a certificate that is expired, of another name or of nobody is no identity', async () => {
  const bad: [string, TestCertificate][] = [
    ['expired', readAuthority.issueExpired('localhost')],
    ['of another name', readAuthority.issue('other.example')],
    ['of an authority that nobody knows', createTestAuthority().issue('localhost')],
  ];
  for (const [what, certificate] of bad) {
    const { api, read } = await readLab(tidingsHere, certificate);
    const { site } = api;
    api.publish({ entries: [api.announcement('orders-api')] });
    const { code, json, stderr } = await read('--json');
    expect(code, what).toBe(3);
    expect(stderr.includes('--ca'), what).toBe(what === 'of an authority that nobody knows');
    expect(json, what).toMatchObject({
      applied: 0,
      endpoints: [],
      feedStatus: null,
      specVersion: null,
      lastSeen: null,
    });
    expect(json.events, what).toEqual([expect.objectContaining({ event: 'did-unreachable' })]);
    expect(json.problem, what).toEqual(expect.any(String));
    expect(site.asked, what).toEqual([]);
  }
});

test('what could not be read is told with 3, and what was known is printed', async () => {
  const { api, read } = await readLab(tidingsHere);
  api.publish({ entries: [api.announcement('orders-api')] });
  expect((await read('--state', '--json')).code).toBe(0);
  const troubles: [string, string, Parameters<AgentFeedOrigin['put']>[1]][] = [
    ['feed-unreachable', '/.well-known/agent-feed.xml', { status: 404 }],
    ['feed-malformed', '/.well-known/agent-feed.xml', { body: '<!DOCTYPE feed [<!ENTITY a "b">]><feed/>' }],
    ['did-malformed', '/.well-known/did.json', { body: '{"id":"did:web:elsewhere.example","verificationMethod":[]}' }],
    ['did-unreachable', '/.well-known/did.json', { status: 500 }],
  ];
  for (const [event, path, page] of troubles) {
    api.put(path, page);
    const { code, json, stderr } = await read('--state', '--json', '--refresh');
    expect(code, event).toBe(3);
    expect(json.events, event).toContainEqual(expect.objectContaining({ event }));
    expect(json.endpoints, event).toHaveLength(1);
    expect(json.problem, event).toContain(event);
    expect(stderr, event).toContain(event);
  }
});

clause('AF-X6', 'one question behind a sunset gives one event, and the URL of the replacement', async () => {
  const { api, read } = await readLab(tidingsHere);
  const { origin } = api;
  api.publish({
    entries: [
      api.announcement('a'),
      api.announcement('b'),
      api.announcement('c', { protocol: 'mcp' }),
      api.deprecation('a', { sunset: '2020-01-01T00:00:00Z', replacement: 'b' }),
      api.deprecation('b', { sunset: '2020-01-01T00:00:00Z', replacement: 'c' }),
    ],
  });
  const { code, json } = await read('--json', '--resolve', 'a');
  expect(code).toBe(0);
  expect(json.resolved).toEqual({ endpointId: 'a', url: `${origin}/c` });
  expect(json.events).toEqual([{ event: 'deprecated-and-sunset', origin, endpointId: 'a', url: `${origin}/c` }]);
  expect((await read('--json', '--resolve', 'nobody')).json.resolved).toEqual({ endpointId: 'nobody', url: null });
});

clause('AF-L9', '--observe tells how a response differs, from its shape or from itself', async () => {
  const { api, file, read } = await readLab(tidingsHere);
  const { origin } = api;
  api.publish({
    entries: [
      api.announcement('orders-api'),
      api.schemaChange('orders-api', { add: ['/currency'], retype: { '/total': { from: 'string', to: 'number' } } }),
    ],
  });
  const response = await file('response.json', { total: '12', extra: { deep: 1 } });
  const shape = await file('shape.json', { '/total': 'string', '/extra': 'object' });
  const mismatch = {
    event: 'mismatch',
    origin,
    'endpoint-id': 'orders-api',
    'expected-version': '1.1',
    'observed-discrepancy': {
      'expected-but-missing': ['/currency'],
      'observed-but-unannounced': [],
      'retype-mismatch': [{ path: '/total', 'expected-token': 'number', 'observed-token': 'string' }],
    },
    'fallback-version': '1.0',
  };
  for (const seen of [response, shape]) {
    const { code, json } = await read('--state', '--json', '--observe', 'orders-api', seen);
    expect(code).toBe(0);
    expect(json.events).toEqual([mismatch]);
  }
  const good = await file('good.json', { total: 12, currency: 'EUR', extra: 1 });
  expect((await read('--state', '--json', '--observe', 'orders-api', good)).json.events).toEqual([]);
  const unknown = await read('--state', '--json', '--observe', 'nobody', good);
  expect(unknown.stderr).toContain('nothing is known of nobody');
  const baseline = await file('baseline.json', { '/total': 'string' });
  const told = await read('--state', '--json', '--observe', 'orders-api', good, '--baseline', baseline);
  expect(told.json.events).toMatchObject([{ 'observed-discrepancy': { 'observed-but-unannounced': ['/extra'] } }]);
  const remembered = await read('--state', '--json', '--observe', 'orders-api', good);
  expect(remembered.json.events).toEqual(told.json.events);
});

test('--at tells what the origin asserted then', async () => {
  const { api, read } = await readLab(tidingsHere);
  const { origin } = api;
  api.publish({
    entries: [
      api.announcement('orders-api', { 'asserted-at': '2026-01-01T00:00:00Z', endpoint: '/old' }),
      api.announcement('orders-api', { 'asserted-at': '2026-03-01T00:00:00Z', endpoint: '/new' }),
    ],
  });
  const { code, json } = await read('--json', '--at', '2026-02-01', '--resolve', 'orders-api');
  expect(code).toBe(0);
  expect(json.asserted).toMatchObject({
    at: '2026-02-01',
    endpoints: [{ endpointId: 'orders-api', url: `${origin}/old`, migrations: {}, deprecated: null }],
  });
  expect(json.resolved).toEqual({ endpointId: 'orders-api', url: `${origin}/old` });
  expect((await read('--json', '--at', '2025-01-01T00:00:00Z')).json.asserted).toMatchObject({ endpoints: [] });
});

test('--at answers --resolve and --canonical for then: before a sunset there was none', async () => {
  const { api, read } = await readLab(tidingsHere);
  const { origin } = api;
  const entries = [
    api.announcement('a', { 'asserted-at': '2019-01-01T00:00:00Z' }),
    api.announcement('b', { 'asserted-at': '2019-06-01T00:00:00Z', protocol: 'mcp' }),
    api.deprecation('a', { 'announced-at': '2019-07-01T00:00:00Z', sunset: '2020-01-01T00:00:00Z', replacement: 'b' }),
  ];
  api.publish({ entries });
  const at = async (...time: string[]) => {
    const { json } = await read('--state', '--json', '--resolve', 'a', '--canonical', 'rest', ...time);
    return [json.resolved, json.canonical, json.events].map((part) => JSON.stringify(part));
  };
  const answers = (url: string | null, events: unknown[]) =>
    [{ endpointId: 'a', url }, { protocol: 'rest', url }, events].map((part) => JSON.stringify(part));
  const crossed = { event: 'deprecated-and-sunset', origin, endpointId: 'a', url: `${origin}/b` };
  expect(await at()).toEqual(answers(`${origin}/b`, [crossed, crossed]));
  expect(await at('--at', '2019-08-01')).toEqual(answers(`${origin}/a`, []));
  expect(await at('--at', '2018-01-01')).toEqual(answers(null, []));
  api.publish({ entries, status: 'terminated' });
  expect((await at('--at', '2019-08-01', '--refresh')).slice(0, 2)).toEqual(answers(null, []).slice(0, 2));
});

test('a migration that no option follows is told with its reason, and without advice that cannot help', async () => {
  const { api, read } = await readLab(tidingsHere);
  api.publish({ entries: [], status: 'migrated', migratedTo: 'http://localhost/.well-known/agent-feed.xml' });
  const { code, stderr } = await read('--state', '--json');
  expect([code, stderr.includes('--follow-migration')]).toEqual([4, false]);
  expect(stderr).toMatch(/moved to http:.*https/);
});

test('a migration that is not followed is told at each run, with where it leads and what to do', async () => {
  const { api, read } = await readLab(tidingsHere);
  const next = await startOrigin('127.0.0.1');
  api.publish({ entries: [], status: 'migrated', migratedTo: next.feedUrl });
  for (const more of [[], ['--refresh'], []]) {
    const { code, json, stderr } = await read('--state', '--json', ...more);
    expect([code, json.feedStatus, json.migratedTo]).toEqual([4, 'migrated', next.feedUrl]);
    expect(stderr).toContain('--follow-migration');
    expect(stderr).not.toContain('--retrust');
  }
  next.publish({ entries: [next.announcement('new-only')] });
  const followed = await read('--state', '--json', '--refresh', '--follow-migration');
  expect(followed.code).toBe(0);
  expect(Object.keys(followed.json)).not.toContain('migratedTo');
});

test('--retrust needs a state, has nothing to say to a trusted origin, and no effect on a feed that ended', async () => {
  const { api, read } = await readLab(tidingsHere);
  const { origin } = api;
  const entries = [api.announcement('orders-api')];
  api.publish({ entries });
  expect(await read('--json', '--retrust')).toMatchObject({ code: 2, stdout: '' });
  expect(api.site.asked).toEqual([]);
  const already = await read('--state', '--json', '--retrust');
  expect(already).toMatchObject({ code: 0, json: { trust: true, events: [] } });
  expect(already.stderr).toContain('is trusted already');
  api.publish({ entries, status: 'terminated' });
  expect((await read('--state', '--json', '--refresh')).code).toBe(4);
  const ended = await read('--state', '--json', '--retrust');
  expect(ended).toMatchObject({ code: 4, json: { trust: false, endpoints: [] } });
  expect(ended.stderr).toContain(`no effect as long as the feed of ${origin} says terminated`);
  expect(ended.stderr).not.toContain('trusted again');
});

clause(
  ['AF-F3', 'AF-F2'],
  'does not trust an origin again by itself, over restarts, until an operator says so',
  async () => {
    const { api, read } = await readLab(tidingsHere);
    const { origin } = api;
    const entries = [api.announcement('orders-api')];
    api.publish({ entries });
    expect((await read('--state', '--json')).code).toBe(0);

    api.publish({ entries, status: 'terminated' });
    const ended = await read('--state', '--json', '--refresh', '--resolve', 'orders-api');
    expect(ended).toMatchObject({
      code: 4,
      json: {
        trust: false,
        feedStatus: 'terminated',
        endpoints: [],
        resolved: { endpointId: 'orders-api', url: null },
      },
    });
    expect(ended.json.events).toContainEqual({ event: 'terminated', origin, feedStatus: 'terminated' });
    expect(ended.stderr).toContain('--retrust');

    const more = [...entries, api.announcement('second')];
    api.publish({ entries: more });
    const back = await read('--state', '--json', '--refresh');
    expect(back).toMatchObject({ code: 4, json: { trust: false, feedStatus: 'active', applied: 0, endpoints: [] } });
    expect(back.json.events).toContainEqual(expect.objectContaining({ event: 'active-but-untrusted' }));
    expect(await read('--state', '--json')).toMatchObject({ code: 4, json: { polled: false, trust: false } });
    const audit = await read('--state', '--json', '--at', '2026-12-01T00:00:00Z');
    expect(audit.json.asserted).toMatchObject({ endpoints: [{ endpointId: 'orders-api' }] });

    const trusted = await read('--state', '--json', '--retrust');
    expect(trusted).toMatchObject({ code: 0, json: { trust: true, applied: 1 } });
    expect(trusted.json.events).toContainEqual(expect.objectContaining({ event: 'retrusted', origin }));
    expect(trusted.stderr).toContain('trusted again');
    expect(trusted.json.endpoints.map(({ endpointId }) => endpointId)).toEqual(['orders-api', 'second']);
    expect(await read('--state', '--json', '--refresh')).toMatchObject({ code: 0, json: { trust: true } });
  },
);
