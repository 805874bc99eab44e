import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { type DiffDeltaService, MANIFEST, startDiffDeltaService } from '../../test/support/diffdelta-service.ts';
import { startFeedServer } from '../../test/support/feed-server.ts';
import { politely } from '../../test/support/polite.ts';
import { createFollower, DISCOVERY, startPublisher } from '../../test/support/publisher.ts';
import { readerParts } from '../../test/support/reader-ports.ts';
import { createUndiciHttpClient } from '../io/undici/http-client.ts';
import { sourceIdOf } from '../model/source.ts';
import { type FollowRequest, followSources } from './follow.ts';
import { MemoryFollowState } from './memory-follow-state.ts';

const KEY = 'dd_live_0123456789abcdefghijABCDEFGHIJ01';
const said = (events: readonly { action: string; url: string }[]) =>
  events.map(({ action, url }) => `${action} ${new URL(url).pathname}`);

test('a site without an AI Changefeed is followed by its manifest, each source under an id of its own', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  service.run('Blog.Posts', { '/b': 'one' });
  const state = new MemoryFollowState();
  const follower = createFollower(service, state);
  const first = await follower();
  const host = sourceIdOf(new URL(service.origin));
  expect(first.events.map(({ source, action }) => `${source} ${action}`)).toEqual([
    `${host}_docs create`,
    `${host}_blog_posts create`,
  ]);
  expect(first.paths).toEqual([DISCOVERY, '/', MANIFEST, '/diff/docs/latest.json', '/diff/Blog.Posts/latest.json']);
  expect(state.changes).toMatchObject([
    { source: `${host}_docs`, action: 'create', provenance: { by: 'diffdelta', feedSource: 'docs' } },
    { source: `${host}_blog_posts`, title: 'Page /b', excerpt: 'one' },
  ]);
  service.run('docs', { '/a': 'two' });
  const second = await follower();
  expect(said(second.events)).toEqual(['update /a']);
  expect(second.paths, 'what is known needs no second search').toEqual([
    MANIFEST,
    '/diff/docs/head.json',
    '/diff/docs/latest.json',
    '/diff/Blog.Posts/head.json',
  ]);
});

test('a site with both is followed by its AI Changefeed, unless the user says otherwise', async () => {
  await using publisher = await startPublisher();
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  publisher.publish(publisher.event('1'));
  service.put(
    DISCOVERY,
    JSON.stringify({ aicf_version: '0.1', self: new URL('/ai-changes.ndjson', publisher.origin).href }),
  );
  expect((await createFollower(service)()).events).toMatchObject([{ id: '1', dialect: 'aicf' }]);
  const chosen = await createFollower(service)({ dialect: 'diffdelta' });
  expect(chosen.events).toMatchObject([{ dialect: 'diffdelta' }]);
  expect(chosen.paths).not.toContain(DISCOVERY);
  const refused = await createFollower(publisher)({ dialect: 'diffdelta' });
  expect(refused.error?.message).toContain(MANIFEST);
});

test('what stands at the place of an AI Changefeed and is none does not hide a manifest', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  service.put(DISCOVERY, '<!doctype html><title>App</title>');
  expect((await createFollower(service)()).events).toMatchObject([{ dialect: 'diffdelta' }]);
  service.fail(DISCOVERY, { kind: 'status', status: 500 });
  const broken = await createFollower(service)();
  expect(broken.error, 'a failure is not an absence').toMatchObject({ status: 500 });
  expect(broken.ids).toEqual([]);
});

test('a manifest, a head and a feed may be named directly, also by other names', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  const feed = service.feedOf('docs');
  service.putJson('/feeds/docs', feed);
  service.putJson('/feeds/head', { ...feed, buckets: undefined, latest_url: '../diff/docs/latest.json' });
  service.putJson('/feeds/service', JSON.parse(await (await fetch(new URL(MANIFEST, service.origin))).text()));
  const places = ['feeds/docs', 'feeds/head', 'feeds/service', 'diff/docs/latest.json', 'diff/latest.json', MANIFEST];
  for (const place of places) {
    const follower = createFollower(service);
    const urls = [new URL(place, service.origin).href];
    expect(said((await follower({ urls })).events), place).toEqual(['create /a']);
    expect(await follower({ urls }), place).toMatchObject({ ids: [], error: undefined });
  }
});

test('a manifest may stand under the path', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  service.putJson(`/team/feeds${MANIFEST}`, JSON.parse(await (await fetch(new URL(MANIFEST, service.origin))).text()));
  service.remove(MANIFEST);
  const { events } = await createFollower(service)({ urls: [new URL('/team/feeds/', service.origin).href] });
  expect(said(events)).toEqual(['create /a']);
});

test('a site that offers nothing: the error names the places that were looked at', async () => {
  await using server = await startFeedServer();
  const { error } = await createFollower(server)();
  expect(error).toMatchObject({ name: 'FeedUnreadableError', status: 404, recovery: 'retry-later' });
  expect(error?.message).toContain(DISCOVERY);
  expect(error?.message).toContain(MANIFEST);
  server.put(MANIFEST, 'no json');
  const broken = await createFollower(server)();
  expect(broken.error?.message).toMatch(
    /is no DiffDelta manifest\. DD-R1: The document is not JSON\. .*Nothing of it was used/,
  );
  for (const { message } of [error, broken.error].flatMap((one) => one ?? []))
    expect(message).not.toMatch(/\.[.;]| {2}/);
});

test('feeds are found by the templates alone; where there is none for heads, one may stand beside the feed', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  const feed = service.feedOf('docs');
  const manifest = (endpoints: object) => service.discover((document) => ({ ...document, endpoints }));
  service.putJson('/other/docs/v1/latest.json', feed);

  manifest({ diff_latest: '/all.json', diff_by_source_template: '/other/{source}/v1/latest.json' });
  const withoutHead = createFollower(service);
  const first = await withoutHead();
  expect(said(first.events)).toEqual(['create /a']);
  expect(first.paths.slice(-2)).toEqual([MANIFEST, '/other/docs/v1/latest.json']);
  const inTurn = ['/other/docs/v1/head.json', '/other/docs/v1/latest.json'];
  expect(await withoutHead()).toMatchObject({ ids: [], error: undefined, paths: [MANIFEST, ...inTurn] });
  expect(service.requests.at(-1)).toMatchObject({ path: '/other/docs/v1/latest.json', status: 304 });

  const { cursor, prev_cursor, changed, generated_at } = feed;
  service.putJson('/other/docs/v1/head.json', {
    cursor,
    prev_cursor,
    changed,
    generated_at,
    latest_url: 'latest.json',
  });
  expect(await withoutHead()).toMatchObject({ ids: [], error: undefined, paths: [MANIFEST, inTurn[0]] });

  service.remove('/other/docs/v1/latest.json');
  service.putJson('/elsewhere.json', feed);
  service.putJson('/other/docs/v1/head.json', {
    cursor,
    prev_cursor,
    changed,
    generated_at,
    latest_url: '/elsewhere.json',
  });
  expect(said((await createFollower(service)()).events), 'a head knows where its feed is').toEqual(['create /a']);
});

test('a first reading takes one request a source; validators of a feed are never sent to its head', async () => {
  await using service = await startDiffDeltaService();
  const names = Array.from({ length: 50 }, (_, index) => `s${index}`);
  for (const name of names) service.run(name, { [`/${name}`]: 'one' });
  const follower = createFollower(service);
  const first = await follower({ dialect: 'diffdelta' });
  expect(first.events).toHaveLength(50);
  expect(first.paths).toEqual([MANIFEST, ...names.map((name) => `/diff/${name}/latest.json`)]);
  const second = await follower();
  expect(second).toMatchObject({ ids: [], error: undefined });
  expect(second.paths).toEqual([MANIFEST, ...names.map((name) => `/diff/${name}/head.json`)]);
  const tags = () => service.requests.slice(-50).map(({ headers }) => headers['if-none-match']);
  expect(new Set(tags())).toEqual(new Set([undefined]));
  await follower();
  expect(new Set(service.requests.slice(-50).map(({ status }) => status))).toEqual(new Set([304]));
  expect(new Set(tags()).size).toBe(50);
});

test('many sources, or none listed: the feed of all is read, by its head or without one', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  service.run('blog', { '/b': 'one' });
  const many = Array.from({ length: 51 }, (_, index) => `s${index}`);
  service.discover((manifest) => ({ ...manifest, sources_supported: many }));
  const follower = createFollower(service);
  const first = await follower();
  expect(said(first.events)).toEqual(['create /a', 'create /b']);
  expect(first.paths[3]).toBe('/diff/latest.json');
  service.run('docs', { '/a': 'two' });
  service.discover((manifest) => ({ ...manifest, sources_supported: many }));
  expect(said((await follower()).events), 'items of other sources are told once').toEqual(['update /a']);

  service.discover(({ sources_supported: _, ...manifest }) => ({
    ...manifest,
    endpoints: { diff_latest: manifest.endpoints.diff_latest },
  }));
  const headless = createFollower(service);
  expect(said((await headless()).events)).toEqual(['create /a', 'create /b', 'update /a']);
  expect(await headless()).toMatchObject({ ids: [], error: undefined, paths: [MANIFEST, '/diff/latest.json'] });
  expect(service.requests.at(-1)?.status).toBe(304);
});

test('a service that outgrows the limit, or shrinks below it, is read on as before and tells nothing again', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  service.run('blog', { '/b': 'one' });
  const few = ['docs', 'blog'];
  const many = [...few, ...Array.from({ length: 49 }, (_, index) => `s${index}`)];
  for (const [before, after] of [
    [few, many],
    [many, few],
  ] as const) {
    service.discover((manifest) => ({ ...manifest, sources_supported: before }));
    const follower = createFollower(service);
    expect(said((await follower()).events).slice(0, 2)).toEqual(['create /a', 'create /b']);
    service.discover((manifest) => ({ ...manifest, sources_supported: after }));
    for (let poll = 0; poll < 2; poll += 1) expect((await follower()).events).toEqual([]);
    service.run('docs', { '/a': `changed from ${before.length}` });
    expect(said((await follower()).events)).toEqual(['update /a']);
  }
});

test('a feed that is not asked need not have an address', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  const naming = (key: string, sources: readonly string[]) =>
    service.discover(({ endpoints, ...manifest }) => ({
      ...manifest,
      endpoints: { ...endpoints, [key]: 'ftp://elsewhere.example/{source}' },
      sources_supported: sources,
    }));
  naming('diff_latest', ['docs']);
  expect(said((await createFollower(service)()).events)).toEqual(['create /a']);
  naming(
    'diff_by_source_template',
    Array.from({ length: 51 }, (_, index) => `s${index}`),
  );
  expect(said((await createFollower(service)()).events)).toEqual(['create /a']);
});

test('the user may narrow a service to some of its sources', async () => {
  await using service = await startDiffDeltaService();
  for (const source of ['docs', 'blog', 'news']) service.run(source, { [`/${source}`]: 'one' });
  service.discover((manifest) => ({ ...manifest, sources_supported: ['docs'] }));
  const { events, paths, diagnostics } = await createFollower(service)({ sources: ['news', 'blog'] });
  expect(said(events)).toEqual(['create /news', 'create /blog']);
  expect(paths.some((path) => path.includes('/docs/'))).toBe(false);
  expect(diagnostics).toMatchObject([
    { code: 'source-status', message: expect.stringContaining('does not list "news", "blog". It lists "docs".') },
  ]);
  expect((await createFollower(service)({ sources: ['docs'] })).codes).toEqual([]);
});

test('a source that cannot be read does not keep the others back, and the poll says so', async () => {
  await using service = await startDiffDeltaService();
  for (const source of ['docs', 'blog', 'news']) service.run(source, { [`/${source}`]: 'one' });
  service.putJson('/diff/blog/latest.json', 'no json');
  const follower = createFollower(service);
  const broken = await follower();
  expect(said(broken.events)).toEqual(['create /docs', 'create /news']);
  expect(broken.error).toMatchObject({ name: 'FeedUnreadableError', recovery: 'retry-later' });
  expect(broken.error?.message).toMatch(
    /\/diff\/blog\/latest\.json is no DiffDelta feed\. .*JSON\. Nothing of it was used/,
  );
  service.run('blog', { '/blog': 'two' });
  expect(said((await follower()).events)).toEqual(['create /blog', 'update /blog']);
});

test('a server that asks for a pause is left in peace, and what was read stays read', async () => {
  await using service = await startDiffDeltaService();
  for (const source of ['docs', 'blog', 'news']) service.run(source, { [`/${source}`]: 'one' });
  const asking = (seconds: string) => ({
    kind: 'status' as const,
    status: 429,
    headers: { 'retry-after': seconds },
  });
  service.fail('/diff/blog/latest.json', asking('66'), asking('99999999'));
  for (const retryAfterMs of [66_000, 24 * 3600_000]) {
    const limited = await createFollower(service)();
    expect(said(limited.events)).toEqual(['create /docs']);
    expect(limited.error).toMatchObject({ retryAfterMs });
    expect(limited.paths.at(-1)).toBe('/diff/blog/latest.json');
  }
});

test.each([
  ['names a pause', { 'retry-after': '5' }],
  ['names none', {}],
])('a source that is always busy and %s does not keep the others from their turn', async (_, headers) => {
  await using service = await startDiffDeltaService();
  const names = Array.from({ length: 6 }, (_, index) => `s${index}`);
  for (const name of names) service.run(name, { [`/${name}`]: 'one' });
  service.fail('/diff/s1/latest.json', ...Array(2).fill({ kind: 'status', status: 503, headers }));
  const follower = createFollower(service);
  const seen: string[] = [];
  for (let poll = 0; poll < 2; poll += 1) {
    const { events, error } = await follower();
    expect(error?.recovery).toBe('retry-later');
    seen.push(...said(events));
  }
  expect(seen).toEqual(['s0', 's2', 's3', 's4', 's5'].map((name) => `create /${name}`));
  expect(service.faultsFired).toBe(2);
  expect(said((await follower()).events)).toEqual(['create /s1']);
  const last = await follower();
  expect(last).toMatchObject({ ids: [], error: undefined });
  expect(last.paths[1], 'in order again').toBe('/diff/s0/head.json');
});

clause(
  ['DD-U2', 'DD-U9'],
  'the key goes in its header to the origin that the user named, and nowhere else',
  async () => {
    await using elsewhere = await startDiffDeltaService();
    await using service = await startDiffDeltaService();
    service.run('docs', { '/a': 'one' });
    elsewhere.run('docs', { '/a': 'one' });
    const state = new MemoryFollowState();
    const keyed = await createFollower(service, state)({ apiKey: KEY, dialect: 'diffdelta' });
    expect(said(keyed.events)).toEqual(['create /a']);
    expect(service.requests.length).toBeGreaterThan(1);
    for (const { headers, path } of service.requests) {
      expect(headers['x-diffdelta-key'], path).toBe(KEY);
      expect(path).not.toContain(KEY);
    }
    expect(
      JSON.stringify([state.changes, keyed.events, await state.find(new URL(MANIFEST, service.origin).href)]),
    ).not.toContain(KEY);

    const there = (path: string) => new URL(path, elsewhere.origin).href;
    service.discover((manifest) => ({
      ...manifest,
      endpoints: {
        diff_by_source_template: there('/diff/{source}/latest.json'),
        diff_latest: there('/diff/latest.json'),
      },
    }));
    expect((await createFollower(service)({ apiKey: KEY, dialect: 'diffdelta' })).error).toBeUndefined();
    expect(elsewhere.requests.length).toBeGreaterThan(0);
    expect(elsewhere.requests.every(({ headers }) => headers['x-diffdelta-key'] === undefined)).toBe(true);
  },
);

clause('DD-U2', 'a redirect to another origin is followed without the key, and the user is told', async () => {
  await using elsewhere = await startDiffDeltaService();
  await using service = await startDiffDeltaService();
  elsewhere.run('docs', { '/a': 'one' });
  elsewhere.run('docs', { '/b': 'one' });
  service.run('docs', { '/a': 'one' });
  const moved = ['/diff/docs/head.json', '/diff/docs/latest.json'];
  for (const path of moved) {
    service.put(path, { body: '', status: 302, headers: { location: new URL(path, elsewhere.origin).href } });
  }
  const seen = ['create /a', 'create /b'];
  for (const urls of [[service.origin], [new URL('/diff/docs/head.json', service.origin).href]]) {
    const follower = createFollower(service);
    const read = await follower({ apiKey: KEY, dialect: 'diffdelta', urls });
    expect(read.error).toBeUndefined();
    expect(said(read.events)).toEqual(seen);
    expect(read.codes).toEqual(['source-status']);
    expect(read.diagnostics[0]?.message).toContain('without the API key');
    expect(JSON.stringify(read.diagnostics)).not.toContain(KEY);
    expect(service.requests.at(-1)).toMatchObject({ headers: { 'x-diffdelta-key': KEY } });
    elsewhere.run('docs', { '/a': urls[0] ?? '' });
    expect(said((await follower({ apiKey: KEY, dialect: 'diffdelta', urls })).events)).toEqual(['update /a']);
    seen.push('update /a');
  }
  expect(elsewhere.requests.map(({ path }) => path)).toEqual(
    expect.arrayContaining([...moved, expect.stringContaining('/archive/docs/')]),
  );
  expect(elsewhere.requests.filter(({ headers }) => headers['x-diffdelta-key'] !== undefined)).toEqual([]);
});

test('without a key, a service that moved is read where it is now', async () => {
  await using elsewhere = await startDiffDeltaService();
  await using service = await startDiffDeltaService();
  elsewhere.run('docs', { '/a': 'one' });
  elsewhere.run('docs', { '/b': 'one' });
  const path = '/diff/docs/head.json';
  service.put(path, { body: '', status: 302, headers: { location: new URL(path, elsewhere.origin).href } });
  const { events, codes } = await createFollower(service)({ urls: [new URL(path, service.origin).href] });
  expect(said(events)).toEqual(['create /a', 'create /b']);
  expect(codes).toEqual([]);
});

test('a key that cannot be one, or that two services would get, is refused before anything is asked', async () => {
  await using service = await startDiffDeltaService();
  await using other = await startDiffDeltaService();
  for (const request of [{ apiKey: 'a\r\nb' }, { apiKey: '' }, { apiKey: KEY, urls: [service.origin, other.origin] }]) {
    const { error, paths } = await createFollower(service)(request);
    expect(error).toMatchObject({ name: 'FollowRefusedError', recovery: 'fix-config' });
    expect(error?.message).not.toContain(KEY);
    expect(paths).toEqual([]);
  }
});

clause('DD-G4', 'no feed is asked more often than its ttl_sec says', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  service.run('blog', { '/b': 'one' });
  const slow = { ...service.feedOf('blog'), ttl_sec: 700 };
  service.putJson('/diff/blog/latest.json', slow);
  service.putJson('/diff/blog/head.json', { ...slow, buckets: undefined, latest_url: '/diff/blog/latest.json' });
  const asked = await feedsAsked(service, 4);
  expect(asked).toEqual([
    { atSec: 0, feeds: ['docs/latest', 'blog/latest'] },
    { atSec: 300, feeds: ['docs/head'] },
    { atSec: 600, feeds: ['docs/head'] },
    { atSec: 700, feeds: ['blog/head'] },
    { atSec: 900, feeds: ['docs/head'] },
  ]);
});

/** Which feeds and heads are asked for when, over so many pauses. */
async function feedsAsked(service: DiffDeltaService, pauses: number) {
  const controller = new AbortController();
  const asked: { atSec: number; feeds: string[] }[] = [];
  let clock = 0;
  let waits = 0;
  const collect = () => {
    const feeds = service.takePaths().flatMap((path) => /^\/diff\/(.+)\.json$/.exec(path)?.[1] ?? []);
    asked.push({ atSec: clock / 1000, feeds });
  };
  await using http = createUndiciHttpClient({ allowPrivate: true, userAgent: 'test' });
  const ports = {
    ...politely(http),
    ...readerParts(),
    state: new MemoryFollowState(),
    now: () => clock,
    wait: async (ms: number) => {
      collect();
      clock += ms;
      waits += 1;
      if (waits > pauses) controller.abort();
    },
    signal: controller.signal,
    onDiagnostic: () => {},
    onStatus: () => {},
  };
  const request: FollowRequest = { urls: [service.origin], once: false, content: false, minIntervalMs: 2000 };
  for await (const _ of followSources(request, ports));
  return asked;
}
