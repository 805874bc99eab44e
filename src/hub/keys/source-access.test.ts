import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { callRoute, jsonOf } from '../../../test/support/call-route.ts';
import { FakeWatch, siteConfig, watchedSource } from '../../../test/support/fake-watch.ts';
import { keyLab, NOON } from '../../../test/support/key-lab.ts';
import { isPrivateName } from '../../io/dns/private-host.ts';
import { decodeSource } from '../config/decode-source.ts';
import { sourceRoutes } from '../routes/source-routes.ts';
import { settleOwnedSources } from './settle-sources.ts';

const SOURCES = '/api/v1/sources';
const RULES = { most: 3, minIntervalSeconds: 300, maxPages: 50 };

async function lab() {
  const { keys, issue, routes: keyed, time } = await keyLab();
  const watch = new FakeWatch([watchedSource(siteConfig('house'))]);
  const routes = sourceRoutes({
    watch,
    keys,
    keySources: RULES,
    isPrivateName,
    dialectOf: (name) => name,
    news: { lastChangeIdOf: () => undefined, standingOf: () => undefined },
    decodeSource: (value, at) => decodeSource(value, { allowPrivate: true, at }),
    now: () => NOON,
    deadline: () => new AbortController().signal,
  });
  const call = (line: string, request: Parameters<typeof callRoute>[2] = {}) =>
    callRoute(routes, line, { isAdmin: false, ...request });
  return { keys, issue, keyed, time, watch, call };
}

const site = (id: string, rest: object = {}) => ({ id, kind: 'site', url: `https://${id}.example/`, ...rest });

clause('DD-U5', 'an enterprise key adds sources of its own, sees and steers them, and no others', async () => {
  const { call, issue, watch } = await lab();
  const [{ headers }, other] = [await issue('enterprise'), await issue('enterprise')];
  const added = await call(`POST ${SOURCES}`, { headers, body: site('mine') });
  expect(added.status).toBe(201);
  const prefix = headers['x-diffdelta-key']?.slice(0, 12);
  expect(jsonOf(added)).toMatchObject({ id: 'mine', owner: prefix, config: { maxPages: RULES.maxPages } });
  await call(`POST ${SOURCES}`, { headers: other.headers, body: site('theirs') });
  const ids = async (request: object) =>
    jsonOf(await call(`GET ${SOURCES}`, request)).sources.map(({ id }: { id: string }) => id);
  expect(await ids({ headers })).toEqual(['mine']);
  expect(await ids({ isAdmin: true })).toEqual(['house', 'mine', 'theirs']);
  for (const [verb, rest] of [
    ...[
      ['GET', ''],
      ['GET', '/checks'],
      ['POST', '/pause'],
      ['POST', '/resume'],
      ['POST', '/check'],
    ],
    ...[
      ['PATCH', ''],
      ['POST', '/rules'],
      ['DELETE', ''],
    ],
  ] as const) {
    for (const id of ['theirs', 'house', 'nobody']) {
      const answer = await call(`${verb} ${SOURCES}/${id}${rest}`, { headers, body: {} });
      expect([verb, rest, id, answer.status]).toEqual([verb, rest, id, 404]);
    }
  }
  expect([...watch.byId.keys()]).toEqual(['house', 'mine', 'theirs']);
  for (const line of [`POST ${SOURCES}/mine/rules`, `POST ${SOURCES}/mine/pause`, `POST ${SOURCES}/mine/resume`]) {
    expect([line, (await call(line, { headers, body: {} })).status]).toEqual([line, 200]);
  }
  expect((await call(`DELETE ${SOURCES}/mine`, { headers })).status).toBe(204);
  expect([...watch.byId.keys()]).toEqual(['house', 'theirs']);
});

test('who has no key that counts gets 401, and one of another tier 403', async () => {
  const { call, issue, keys } = await lab();
  const [pro, gone] = [await issue('pro'), await issue('enterprise')];
  await keys.revoke(keys.find(gone.key)?.hash ?? '', { atMs: NOON, for: 'revoked' });
  for (const [headers, status] of [
    [{}, 401],
    [{ 'x-diffdelta-key': 'dd_live_wrong' }, 401],
    [gone.headers, 401],
    [pro.headers, 403],
  ] as const) {
    expect((await call(`POST ${SOURCES}`, { headers, body: site('mine') })).status).toBe(status);
    expect((await call(`GET ${SOURCES}`, { headers })).status).toBe(status);
  }
});

test('the quota holds, also for many at once, and what is removed makes room; a rotated key has the same', async () => {
  const { call, issue, keyed, watch } = await lab();
  const { headers } = await issue('enterprise');
  const tries = Array.from({ length: 20 }, (_, at) => call(`POST ${SOURCES}`, { headers, body: site(`s${at}`) }));
  const statuses = (await Promise.all(tries)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(RULES.most);
  expect(statuses.filter((status) => status === 403)).toHaveLength(20 - RULES.most);
  expect(watch.byId.size).toBe(1 + RULES.most);
  const { key } = jsonOf(await callRoute(keyed, 'POST /api/v1/key/rotate', { headers }));
  const rotated = { 'x-diffdelta-key': key };
  const refused = await call(`POST ${SOURCES}`, { headers: rotated, body: site('more') });
  expect(jsonOf(refused)).toMatchObject({ status: 403, detail: expect.stringContaining('3 sources') });
  expect((await call(`DELETE ${SOURCES}/s0`, { headers: rotated })).status).toBe(204);
  // One that exists takes nothing of the quota.
  expect((await call(`POST ${SOURCES}`, { headers: rotated, body: site('house') })).status).toBe(409);
  expect((await call(`POST ${SOURCES}`, { headers: rotated, body: site('more') })).status).toBe(201);
});

test.each([
  ['a folder', { id: 'x', kind: 'folder', path: '/srv', site: 'https://x.example/' }, /^path /],
  [
    'a file with a key',
    { id: 'x', kind: 'feed', url: 'https://x.example/', apiKeyFile: '/etc/passwd' },
    /^apiKeyFile /,
  ],
  ['another scheme', site('x', { url: 'file:///etc/passwd' }), /^url /],
  ['a private address', site('x', { url: 'http://10.0.0.1/' }), /^url .*public web/],
  ['localhost', site('x', { url: 'http://localhost:8080/' }), /^url .*public web/],
  ['a private mirror', site('x', { fallbacks: ['http://[::1]/'] }), /^fallbacks .*public web/],
  ['a private sitemap', site('x', { sitemap: 'http://169.254.169.254/s.xml' }), /^sitemap .*public web/],
  ['a private page', { id: 'x', kind: 'page', urls: ['https://a.example/', 'http://127.0.0.1/'] }, /^url .*public web/],
  ['a short interval', site('x', { intervalSeconds: 120 }), /^intervalSeconds .*300 or more/],
  ['many pages', site('x', { maxPages: 51 }), /^maxPages .*50 pages/],
  [
    'many urls',
    { id: 'x', kind: 'page', urls: Array.from({ length: 51 }, (_, at) => `https://a.example/${at}`) },
    /^urls /,
  ],
  ['rendering', site('x', { render: true }), /^render .*unknown key/],
])('%s is refused', async (_, body, detail) => {
  const { call, issue, watch } = await lab();
  const { headers } = await issue('enterprise');
  const answer = await call(`POST ${SOURCES}`, { headers, body });
  expect(jsonOf(answer)).toMatchObject({ status: 400, detail: expect.stringMatching(detail) });
  expect(watch.byId.size).toBe(1);
});

test('what the admin paused is not resumed by its owner', async () => {
  const { call, issue } = await lab();
  const { headers } = await issue('enterprise');
  await call(`POST ${SOURCES}`, { headers, body: site('mine') });
  await call(`POST ${SOURCES}/mine/pause`, { isAdmin: true, body: { reason: 'too heavy' } });
  for (const verb of ['resume', 'pause']) {
    const answer = await call(`POST ${SOURCES}/mine/${verb}`, { headers });
    expect(jsonOf(answer)).toMatchObject({ status: 409, detail: expect.stringContaining('too heavy') });
  }
  expect((await call(`POST ${SOURCES}/mine/resume`, { isAdmin: true })).status).toBe(200);
});

test('a key that ends leaves its sources paused with the reason; one that is paid for again has them back', async () => {
  const { call, issue, keys, watch } = await lab();
  const [{ headers, key }, other] = [await issue('enterprise'), await issue('enterprise')];
  for (const id of ['a', 'b']) await call(`POST ${SOURCES}`, { headers, body: site(id) });
  await call(`POST ${SOURCES}`, { headers: other.headers, body: site('c') });
  await call(`POST ${SOURCES}/b/pause`, { headers, body: { reason: 'mine' } });
  const settle = () => settleOwnedSources({ watch, keys, isSelfServiceOn: true });
  await settle();
  expect(watch.source('a')?.paused).toBeUndefined();
  await keys.revoke(keys.find(key)?.hash ?? '', { atMs: NOON, for: 'unpaid' });
  for (let times = 0; times < 2; times++) await settle();
  expect(watch.source('a')).toMatchObject({ paused: 'its API key counts no more (unpaid)', pausedBy: 'key' });
  expect([watch.source('b')?.paused, watch.source('c')?.paused, watch.source('house')?.paused]).toEqual([
    'mine',
    undefined,
    undefined,
  ]);
  const paidFor = keys.all().map(({ revokedMs: _, ...record }) => record)[0];
  await settleOwnedSources({ watch, keys: { newestOf: () => paidFor }, isSelfServiceOn: true });
  expect(watch.source('a')).not.toHaveProperty('paused');
  expect(watch.source('b')?.paused).toBe('mine');
});

test('the owner of a key edits what is his, within what a key may do', async () => {
  const { call, issue, watch } = await lab();
  const { headers } = await issue('enterprise');
  await call(`POST ${SOURCES}`, { headers, body: site('mine') });
  const edit = async (body: object) => await call(`PATCH ${SOURCES}/mine`, { headers, body });
  expect((await edit({ title: 'Mine', maxPages: null })).status).toBe(200);
  expect(watch.source('mine')?.config).toMatchObject({ title: 'Mine', maxPages: RULES.maxPages });
  for (const body of [{ intervalSeconds: 60 }, { maxPages: 51 }, { fallbacks: ['http://localhost/'] }]) {
    expect((await edit(body)).status).toBe(400);
  }
  await watch.pause('mine', 'held');
  expect((await edit({ title: 'Other' })).status).toBe(409);
});
