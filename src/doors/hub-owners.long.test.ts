import { expect, test } from 'vitest';
import { callRoute, jsonOf } from '../../test/support/call-route.ts';
import { FakeWatch, watchedSource } from '../../test/support/fake-watch.ts';
import { FILE_PATH, openLab } from '../../test/support/verification-lab.ts';
import type { HubResponse } from '../hub/http/route.ts';
import { makeOwnLimiter } from '../hub/keys/rate-limiter.ts';
import { PROOF_MS } from '../hub/owners/domain-claims.ts';
import { ownerRoutes } from '../hub/routes/owner-routes.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import { openHubOwners } from './hub-owners.ts';

const site = (id: string, host: string) => ({ id, kind: 'site', url: `https://${host}/` }) as const;

/** A hub that watches sites of several owners, and the internet around it. */
async function lab() {
  const internet = await openLab();
  const watch = new FakeWatch([
    watchedSource(site('root', 'example.test')),
    watchedSource(site('docs', 'docs.example.test')),
    watchedSource(site('fixed', 'www.example.test'), { origin: 'config' }),
    watchedSource(site('evil', 'evil.test')),
    watchedSource(site('held', 'held.example.test'), { paused: 'by us' }),
    watchedSource({ id: 'mixed', kind: 'page', urls: ['https://example.test/', 'https://evil.test/'] }),
  ]);
  const facts = new Map<string, string>();
  const store = {
    fact: async (name: string) => facts.get(name),
    putFact: async (name: string, value: string) => void facts.set(name, value),
  };
  const acts: object[] = [];
  const logger = { warn: (act: object) => acts.push(act), info: () => {}, error: () => {} } as unknown as HubLogger;
  const time = { ms: Date.parse('2026-03-01T12:00:00Z') };
  const { dns, ca, site: web } = internet;
  const open = (hubId = 'hub-one') =>
    openHubOwners({
      config: { keySources: { most: 1, minIntervalSeconds: 300, maxPages: 1 } },
      store,
      watch,
      hubId,
      baseUrl: () => 'https://hub.tidings.dev/',
      logger,
      makeLimiter: makeOwnLimiter,
      verifying: { ca, allowPrivate: true, resolvers: [dns.address], dnsPort: dns.port, httpsPort: web.port },
      now: () => time.ms,
    });
  const owners = await open();
  return { ...internet, watch, acts, time, open, owners, browser: browserOf(owners), store };
}

/** Keeps its cookie. */
function browserOf(owners: Awaited<ReturnType<typeof openHubOwners>>, jar = { cookie: '' }) {
  const routes = ownerRoutes({ ...owners, baseUrl: () => 'https://hub.tidings.dev/' });
  const ask = async (line: string, body?: object, headers: Record<string, string> = {}): Promise<HubResponse> => {
    const answer = await callRoute(routes, line, { body, headers: { cookie: jar.cookie, ...headers } });
    jar.cookie = answer.headers['set-cookie']?.split(';', 1)[0] ?? jar.cookie;
    return answer;
  };
  return {
    jar,
    ask,
    claim: async (domain: string) =>
      jsonOf(await ask('POST /api/v1/owners/token', { domain })).dns as { name: string; value: string },
    check: async (domain: string) => jsonOf(await ask('POST /api/v1/owners/check', { domain })),
    pause: async (id: string) => (await ask(`POST /api/v1/owners/sources/${id}/pause`)).status,
    remove: async (id: string) => await ask(`DELETE /api/v1/owners/sources/${id}`),
    domains: () => owners.claims.domainsOf(owners.claims.visitorOf({ headers: { cookie: jar.cookie } })),
  };
}

test('who publishes the record steers what is watched of the domain, and nothing else', async () => {
  const { dns, browser, watch, acts } = await lab();
  const { name, value } = await browser.claim('example.test');
  expect([name, value]).toEqual([
    '_aiwebindex-verify.example.test',
    expect.stringMatching(/^aiwi-verify=[0-9a-f]{64}$/),
  ]);
  expect(await browser.check('example.test')).toMatchObject({
    verified: false,
    remedy: expect.stringContaining(value),
  });
  expect(await browser.pause('docs')).toBe(404);
  dns.put(name, 'TXT', value);
  expect(await browser.check('Example.TEST.')).toMatchObject({ verified: true, method: 'dns' });
  expect(await browser.pause('docs')).toBe(200);
  expect(watch.source('docs')).toMatchObject({ paused: 'the owner of example.test wants it so', pausedBy: 'domain' });
  for (const id of ['evil', 'mixed', 'nothing']) expect(await browser.pause(id), id).toBe(404);
  expect(await browser.pause('held'), 'a pause of the operator is not the owner’s to end').toBe(409);
  expect((await browser.ask('POST /api/v1/owners/sources/docs/resume')).status).toBe(200);
  expect((await browser.ask('POST /api/v1/owners/sources/held/resume')).status).toBe(409);
  expect(watch.source('docs')).not.toHaveProperty('paused');
  expect(acts).toEqual([
    { domain: 'example.test', act: 'proved' },
    { domain: 'example.test', act: 'paused', source: 'docs' },
    { domain: 'example.test', act: 'resumed', source: 'docs' },
  ]);
});

test('the proof of a subdomain does not cover the names above it', async () => {
  const { dns, browser } = await lab();
  const { name, value } = await browser.claim('docs.example.test');
  dns.put(name, 'TXT', value);
  expect(await browser.check('docs.example.test')).toMatchObject({ verified: true });
  expect([await browser.pause('docs'), await browser.pause('root')]).toEqual([200, 404]);
});

test('a rhythm has a floor', async () => {
  const { dns, browser, watch } = await lab();
  const { name, value } = await browser.claim('example.test');
  dns.put(name, 'TXT', value);
  await browser.check('example.test');
  const every = async (id: string, intervalSeconds: unknown) =>
    (await browser.ask(`POST /api/v1/owners/sources/${id}/interval`, { intervalSeconds })).status;
  expect([await every('docs', 299), await every('docs', '300'), await every('docs', 300)]).toEqual([400, 400, 200]);
  expect(watch.source('docs')?.config.intervalSeconds).toBe(300);
  expect(await every('fixed', 300), 'what stands in the config is changed there').toBe(409);
});

test('the proof is looked for again before something is removed, and the domain is closed behind it', async () => {
  const { dns, browser, watch, owners, open } = await lab();
  const { name, value } = await browser.claim('example.test');
  dns.put(name, 'TXT', value);
  await browser.check('example.test');
  dns.remove(name);
  const refused = await browser.remove('docs');
  expect([refused.status, jsonOf(refused).detail]).toEqual([403, expect.stringContaining('nothing was removed')]);
  expect([watch.source('docs') !== undefined, browser.domains()]).toEqual([true, []]);
  dns.put(name, 'TXT', value);
  await browser.check('example.test');
  expect((await browser.remove('docs')).status).toBe(204);
  expect(watch.source('docs')).toBeUndefined();
  expect((await browser.remove('fixed')).status).toBe(204);
  expect(watch.source('fixed')).toMatchObject({ pausedBy: 'domain' });
  const { closed } = await open();
  expect(['a.example.test', 'example.test', 'evil.test', 'test'].map((host) => closed.over(host))).toEqual([
    'example.test',
    'example.test',
    undefined,
    undefined,
  ]);
  expect((await browser.ask('DELETE /api/v1/owners/closed/example.test')).status, 'the operator overrules').toBe(204);
  expect([owners.closed.all(), browser.domains()]).toEqual([[], []]);
});

test('a proof ends within the hour, and a claim after 30 days', async () => {
  const { dns, browser, time } = await lab();
  const { name, value } = await browser.claim('example.test');
  dns.put(name, 'TXT', value);
  await browser.check('example.test');
  time.ms += PROOF_MS - 1;
  expect(await browser.pause('docs')).toBe(200);
  time.ms += 1;
  expect(await browser.pause('docs')).toBe(404);
  expect((await browser.claim('example.test')).value).toBe(value);
  time.ms += 30 * 86_400_000;
  expect((await browser.ask('POST /api/v1/owners/check', { domain: 'example.test' })).status).toBe(401);
  expect((await browser.claim('example.test')).value).not.toBe(value);
});

test('a token is good for one browser, one domain and one hub', async () => {
  const { dns, browser, open } = await lab();
  const { name, value } = await browser.claim('example.test');
  dns.put(name, 'TXT', value);
  await browser.check('example.test');
  const stranger = browserOf(await open());
  expect((await stranger.claim('example.test')).value).not.toBe(value);
  expect(await stranger.check('example.test')).toMatchObject({ verified: false });
  expect((await browser.claim('evil.test')).value).not.toBe(value);
  const elsewhere = browserOf(await open('hub-two'));
  await elsewhere.claim('example.test');
  elsewhere.jar.cookie = elsewhere.jar.cookie.replace(/=.*/, browser.jar.cookie.replace(/^[^=]+/, ''));
  expect(await elsewhere.check('example.test'), 'another hub, the same secret').toMatchObject({ verified: false });
  const again = browserOf(await open(), { cookie: browser.jar.cookie });
  expect(again.domains(), 'behind a restart it is looked for again').toEqual([]);
  expect(await again.check('example.test')).toMatchObject({ verified: true });
});

test('the file proves, and not one that leads elsewhere', async () => {
  const { browser, site: web, url } = await lab();
  const { value } = await browser.claim('example.test');
  web.put('evil.test', FILE_PATH, { body: `${value}\n` });
  web.redirect('example.test', FILE_PATH, url('evil.test'));
  expect(await browser.check('example.test')).toMatchObject({ verified: false, file: { outcome: 'redirect-refused' } });
  web.put('example.test', FILE_PATH, { body: `${value}\n` });
  expect(await browser.check('example.test')).toMatchObject({ verified: true, method: 'file' });
});

test('a value that stands at every name below the domain proves nothing', async () => {
  const { dns, browser } = await lab();
  const { name, value } = await browser.claim('example.test');
  dns.put(name, 'TXT', value);
  dns.put('*.example.test', 'TXT', value);
  expect(await browser.check('example.test')).toMatchObject({
    verified: false,
    method: null,
    remedy: expect.stringContaining('every name below'),
  });
  expect(browser.domains()).toEqual([]);
});

test('DNS that fails proves nothing', async () => {
  const { dns, browser } = await lab();
  await browser.claim('example.test');
  dns.fault = 'SERVFAIL';
  expect(await browser.check('example.test')).toMatchObject({ verified: false, remedy: expect.any(String) });
});

test.each([
  'github.io',
  'co.uk',
  'test',
  '127.0.0.1',
  '[::1]',
  'localhost',
  'https://example.test/',
  'a b.test',
  '',
  'x'.repeat(1000),
])('nobody can own %j', async (domain) => {
  const { browser } = await lab();
  expect((await browser.ask('POST /api/v1/owners/token', { domain })).status).toBe(400);
});

test('a name that looks like another is shown as what it is', async () => {
  const { browser } = await lab();
  expect((await browser.claim('ex\u0430mple.test')).name).toBe('_aiwebindex-verify.xn--exmple-4nf.test');
});

test('pages of other sites have nothing done with an owner’s cookie', async () => {
  const { dns, browser } = await lab();
  const { name, value } = await browser.claim('example.test');
  dns.put(name, 'TXT', value);
  await browser.check('example.test');
  const others: Record<string, string>[] = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.test' }];
  for (const headers of others) {
    expect((await browser.ask('POST /api/v1/owners/sources/docs/pause', undefined, headers)).status).toBe(403);
  }
});

test('checks have a limit', async () => {
  const { browser, owners } = await lab();
  await browser.claim('example.test');
  for (let at = 0; at < 60; at += 1) owners.limiter.take('127.0.0.1', 60);
  const answer = await browser.ask('POST /api/v1/owners/check', { domain: 'example.test' });
  expect([answer.status, answer.headers['retry-after']]).toEqual([429, '3600']);
});

test('two cookies that count, and forged ones, are nobody’s', async () => {
  const { browser } = await lab();
  await browser.claim('example.test');
  const { cookie } = browser.jar;
  const [, name = '', begun = ''] = /^([^=]+)=(\w+)/.exec(cookie) ?? [];
  const second = `${name}=${begun}.${'a'.repeat(44)}`;
  for (const jar of [`${cookie}; ${second}`, `${name}=x`, `${name}=zzzzzzzz.${'a'.repeat(44)}`, `${name}=0.`, '']) {
    const answer = await browser.ask('POST /api/v1/owners/check', { domain: 'example.test' }, { cookie: jar });
    expect(answer.status, jar).toBe(401);
  }
});
