import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FakeWatch } from '../../../test/support/fake-watch.ts';
import { pageOf, startLiveSite } from '../../../test/support/live-site.ts';
import { htmlPage, temporaryFolder } from '../../../test/support/site.ts';
import { WITHOUT_KEYS } from '../../../test/support/source-parts.ts';
import { linesIn } from '../../../test/support/tidings-here.ts';
import { startHub } from '../../doors/hub.ts';
import { decodeSource } from '../../hub/config/decode-source.ts';
import { hashToken, tokenMatches } from '../../hub/http/admin-token.ts';
import { sourceRoutes } from '../../hub/routes/source-routes.ts';
import { startFastifyServer } from '../../io/fastify/server.ts';
import { createPromMetrics } from '../../io/prom/metrics.ts';
import { openSqliteHostMemory } from '../../io/sqlite/host-memory.ts';
import { openSqliteHubStore } from '../../io/sqlite/hub-store.ts';

const TOKEN = 'tdg_0123456789abcdef';
const PAGE = htmlPage('Limits', [
  { id: 'tiers', heading: 'Tiers', text: 'There are two tiers, and they are counted.' },
]);

/** `tidings source …` with its data in a folder of its own, beside a config where one is written. */
function terminal(env: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const tidings = linesIn(env);
  const source = (...args: string[]) => tidings('source', ...args);
  return {
    folder,
    path: (name: string) => join(folder.path, name),
    /** On the data folder. */
    local: (...args: string[]) => source(...args, '--data', join(folder.path, 'data')),
    source,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

/** A hub's API over a real socket; what it watches is in memory. */
async function startApi(watch: FakeWatch) {
  const server = await startFastifyServer({
    routes: sourceRoutes({
      ...WITHOUT_KEYS,
      watch,
      news: { lastChangeIdOf: () => undefined, standingOf: () => undefined },
      decodeSource: (value, at) => decodeSource(value, { allowPrivate: false, at }),
      now: Date.now,
      deadline: (ms) => AbortSignal.timeout(ms),
    }),
    host: '127.0.0.1',
    port: 0,
    isAdmin: (authorization) => tokenMatches(hashToken(TOKEN), authorization),
    trustProxies: [],
    logger: silent,
    metrics: createPromMetrics(),
  });
  return { url: server.url, [Symbol.asyncDispose]: () => server.close(0) };
}

test('what is watched already is not watched twice unawares', async () => {
  using at = terminal();
  at.folder.write({ 'site/index.html': PAGE });
  const folder = [at.path('site'), '--site', 'https://docs.example/'];
  for (const [add, text, id] of [
    [['https://x.example/a'], 'https://x.example/a', 'x_example'],
    [['https://x.example/feed.ndjson'], 'https://x.example/feed.ndjson', 'x_example_feed_ndjson'],
    [folder, at.path('site'), 'docs_example'],
  ] as const) {
    expect((await at.local('add', ...add)).code).toBe(0);
    const again = await at.local('add', ...add);
    expect([again.code, again.out]).toEqual([3, '']);
    expect(again.err).toContain(`${text}`);
    expect(again.err).toContain(`watched already, as ${id}. To watch it a second time, give it an --id.`);
    expect((await at.local('add', ...add, '--id', `second_${id}`)).code).toBe(0);
  }
  expect((await at.local('add', 'https://X.example:443/a')).code, 'in another spelling').toBe(3);
  expect((await at.local('add', 'https://x.example/a', '--kind', 'page')).code, 'read in another way').toBe(0);
  const taken = await at.local('add', 'https://y.example/', '--id', 'x_example');
  expect([taken.code, taken.err]).toEqual([3, expect.stringContaining('"x_example" already')]);
});

test('the trust in an agent-feed is given back on a data folder; other sources have none to lose', async () => {
  using at = terminal();
  const feed = ['--kind', 'feed', '--dialect', 'agent-feed', '--id', 'api'];
  expect(await at.local('add', 'https://api.example/', ...feed)).toMatchObject({ code: 0 });
  expect(await at.local('add', 'https://docs.example/', '--kind', 'site')).toMatchObject({ code: 0 });
  const feedUrl = 'https://api.example/.well-known/agent-feed.xml';
  const ended = { feedUrl, isTrusted: false, feedStatus: 'terminated', applied: 0, endpoints: [], poll: {} };
  {
    await using store = await openSqliteHubStore({ folder: at.path('data') });
    await store.readerState.commit({ memory: ended, seen: [], facts: [] });
  }
  expect(await at.local('retrust', 'api')).toMatchObject({
    code: 0,
    out: `api: ${feedUrl} is trusted again; it is read when the hub starts.`,
  });
  const refused = await at.local('retrust', 'docs_example');
  expect(refused.code).toBe(2);
  expect(refused.err).toContain('Only a source of the dialect agent-feed');
  expect(await at.local('retrust', 'nobody')).toMatchObject({ code: 3 });
  await using store = await openSqliteHubStore({ folder: at.path('data') });
  expect(await store.readerState.find(feedUrl)).toMatchObject({
    isTrusted: true,
    retrustedAt: [expect.stringMatching(/^\d{4}-/)],
  });
});

test('of a feed that moved, trust goes to the one that the source names, and the other one is named', async () => {
  using at = terminal();
  const feed = ['--kind', 'feed', '--dialect', 'agent-feed', '--id', 'api'];
  expect(await at.local('add', 'https://api.example/', ...feed)).toMatchObject({ code: 0 });
  const [own, other] = ['https://api.example', 'https://new.api.example'].map(
    (origin) => `${origin}/.well-known/agent-feed.xml`,
  );
  const forget = async () => {
    await using store = await openSqliteHubStore({ folder: at.path('data') });
    const ended = { isTrusted: false, applied: 0, endpoints: [], poll: {} };
    const migrated = { ...ended, feedUrl: `${own}`, feedStatus: 'migrated', migratedTo: `${other}` };
    for (const memory of [migrated, { ...ended, feedUrl: `${other}`, feedStatus: 'terminated' }]) {
      await store.readerState.commit({ memory, seen: [], facts: [] });
    }
  };
  await forget();
  expect((await at.local('retrust', 'api')).out).toBe(
    `api: ${own} is trusted again; it is read when the hub starts. ${other}, to where it moved, is as it was; --moved trusts that one.`,
  );
  {
    await using store = await openSqliteHubStore({ folder: at.path('data') });
    expect(await store.readerState.find(`${own}`)).toMatchObject({ isTrusted: true });
    expect(await store.readerState.find(`${other}`)).toMatchObject({ isTrusted: false });
  }
  expect(await at.local('retrust', 'api', '--moved')).toMatchObject({ code: 2 });
});

test('a life on a data folder: add, list, pause, resume, remove', async () => {
  using at = terminal();
  expect(await at.local('list')).toEqual({ code: 0, out: expect.stringContaining('No source'), err: '' });
  const added = await at.local('add', 'https://Docs.example/guide', '--interval', '300', '--title', 'Docs', '--json');
  expect([added.code, JSON.parse(added.out)]).toEqual([
    0,
    {
      id: 'docs_example',
      kind: 'auto' as const,
      url: 'https://docs.example/guide/',
      title: 'Docs',
      intervalSeconds: 300,
    },
  ]);
  expect(await at.local('add', 'https://docs.example/terms.html')).toMatchObject({
    code: 0,
    out: 'docs_example_terms_html: page https://docs.example/terms.html is watched. It is read when the hub starts.',
  });
  expect(await at.local('pause', 'docs_example', '--reason', 'they move')).toMatchObject({
    code: 0,
    out: 'docs_example: paused (they move).',
  });
  const listed = (await at.local('list')).out.split('\n');
  expect(listed[0]).toMatch(/^ID +KIND +STATUS +LAST CHECK +NEXT CHECK +WHERE$/);
  expect(listed[1]).toMatch(/^docs_example +auto +disabled +- +- +https:\/\/docs\.example\/guide\/$/);
  expect(listed[2]).toMatch(/^docs_example_terms_html +page +new +- +20\d\d-.*Z +https:/);
  const resumed = await at.local('resume', 'docs_example', '--allow-deletes', '--json');
  expect(JSON.parse(resumed.out)).not.toHaveProperty('paused');
  {
    await using store = await openSqliteHubStore({ folder: at.path('data'), readonly: true });
    expect((await store.sources())[0]).toMatchObject({
      origin: 'api',
      allowDeletes: true,
      config: { id: 'docs_example' },
    });
  }
  expect(await at.local('remove', 'docs_example')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/stay in the log/),
  });
  expect(JSON.parse((await at.local('list', '--json')).out).sources).toHaveLength(1);
});

test('a source has rules of its own, which are checked, kept and shown; those of the config are for other verbs', async () => {
  using at = terminal({ TIDINGS_TOKEN: TOKEN });
  at.folder.write({ 'tidings.config.json': '{"ignore":[".from-config"]}' });
  const config = ['--config', at.path('tidings.config.json')];
  const rules = ['--ignore', '/log/**', '--ignore', '.ad', '--only', 'main'];
  const kept = { id: 'a_example', ignore: ['/log/**', '.ad'], only: ['main'] };
  const wrong = { code: 2, err: expect.stringContaining('ignore[0] "a:hover" is refused.') };
  await using api = await startApi(new FakeWatch());
  for (const place of [[], ['--hub', api.url]]) {
    expect(await at.local('add', 'https://b.example/', '--ignore', 'a:hover', ...place)).toMatchObject(wrong);
    expect((await at.local('add', 'https://a.example/', ...rules, ...config, ...place)).code).toBe(0);
    expect((await at.local('add', 'https://c.example/', ...config, ...place)).code).toBe(0);
    const [ruled, plain] = JSON.parse((await at.local('list', '--json', ...place)).out).sources;
    expect(ruled.config).toMatchObject(kept);
    expect(plain.config).not.toHaveProperty('ignore');
    expect((await at.local('list', ...place)).out).toMatch(/https:\/\/a\.example\/ \(3 rules\)$/m);
    const ruling = await at.local('rules', 'a_example', '--only', 'article', ...config, ...place, '--json');
    expect(JSON.parse(ruling.out).config).toEqual({
      id: 'a_example',
      kind: 'auto' as const,
      url: 'https://a.example/',
      only: ['article'],
    });
    expect(await at.local('rules', 'a_example', '--only', 'a:b', ...place)).toMatchObject({ code: 2 });
    const bare = { code: 0, out: expect.stringMatching(/^a_example: read .*, by no rules\.$/) };
    expect(await at.local('rules', 'a_example', ...config, ...place)).toMatchObject(bare);
  }
});

test('resumed on a data folder, a source is free of what its host asked for', async () => {
  using at = terminal();
  await at.local('add', 'https://docs.example/');
  const file = join(at.path('data'), 'cache', 'crawl.db');
  const nowMs = Date.now();
  {
    await using memory = await openSqliteHostMemory({ file, nowMs });
    for (const host of ['docs.example', 'far.example source:docs_example', 'other.example']) {
      await memory.extend('pause', host, nowMs + 3600_000);
    }
  }
  expect(await at.local('resume', 'docs_example')).toMatchObject({ code: 0 });
  await using memory = await openSqliteHostMemory({ file, nowMs });
  expect((await memory.marked('pause')).map(({ host }) => host)).toEqual(['other.example']);
});

test('tested on a data folder, a source is free of what its host asked for', async () => {
  using at = terminal();
  await using site = await startLiveSite({ '/': pageOf('Home') });
  const { host } = new URL(site.url);
  at.folder.write({ 'c.json': '{"allowPrivate":true,"cooldownMs":0,"data":"d"}' });
  const file = join(at.path('d'), 'cache', 'crawl.db');
  const nowMs = Date.now();
  {
    await using memory = await openSqliteHostMemory({ file, nowMs });
    for (const paused of [host, 'other.example']) await memory.extend('pause', paused, nowMs + 3600_000);
  }
  await at.source('test', site.url, '--config', at.path('c.json'));
  await using memory = await openSqliteHostMemory({ file, nowMs });
  expect((await memory.marked('pause')).map(({ host: left }) => left)).toEqual(['other.example']);
});

test('a folder, as it is, with the public address of its site', async () => {
  using at = terminal();
  at.folder.write({ 'site/index.html': PAGE });
  const added = await at.local('add', at.path('site'), '--site', 'https://docs.example', '--clean-urls', '--json');
  expect(JSON.parse(added.out)).toEqual({
    id: 'docs_example',
    kind: 'folder' as const,
    path: at.path('site'),
    site: 'https://docs.example/',
    cleanUrls: true,
  });
});

test.each<[string, string[], number, RegExp]>([
  ['nothing', [], 2, /Usage: tidings source/],
  ['an unknown verb', ['ad'], 2, /unknown command 'ad'/],
  ['no URL', ['add'], 2, /missing required argument/],
  ['a folder that is not there', ['add', './nowhere'], 2, /no folder of that name/],
  ['a folder without its site', ['add', '.', '--id', 'a'], 2, /^tidings: site \(missing\)/],
  ['a URL as a folder', ['add', 'https://a.example/', '--kind', 'folder'], 2, /--kind folder .*by its path/],
  ['another scheme', ['add', 'ftp://a.example/'], 2, /absolute URL/],
  ['a password', ['add', 'https://me:hunter2@a.example/'], 2, /user name or password/],
  ['too often', ['add', 'https://a.example/', '--interval', '5'], 2, /intervalSeconds 5 .*from 60/],
  ['no number', ['add', 'https://a.example/', '--interval', 'x'], 2, /--interval/],
  ['a bad id', ['add', 'https://a.example/', '--id', 'A'], 2, /id "A"/],
  ['another kind', ['add', 'https://a.example/', '--kind', 'web'], 2, /--kind/],
  [
    'a dialect without a reader',
    ['add', 'https://a.example/', '--kind', 'feed', '--dialect', 'gopher'],
    2,
    /one of aicf/,
  ],
  ['a mirror that is itself', ['add', 'https://a.example/', '--fallback', 'https://a.example'], 2, /source itself/],
  ['an unknown id', ['pause', 'nobody'], 3, /no source "nobody"/],
  ['an unknown id', ['remove', 'nobody'], 3, /no source "nobody"/],
  ['an unknown id', ['test', 'nobody'], 3, /no source "nobody"/],
  ['a private address', ['test', 'http://127.0.0.1:9/'], 3, /not a public address/],
  ['a list that is not there', ['import', 'nowhere.txt'], 3, /no such file/],
  ['no folder for data', ['list', '--data', ''], 2, /--data/],
  ['a config that is not there', ['list', '--config', 'nowhere.json'], 2, /--config nowhere\.json/],
  ['no hub', ['list', '--hub', '127.0.0.1:8080'], 2, /--hub "127/],
])('%s is one complaint and nothing on stdout: %j', async (_, args, code, message) => {
  using at = terminal();
  const isBare = args.length < 2;
  const ended = isBare
    ? await at.source(...args)
    : await at.source(args[0] ?? '', '--data', at.path('d'), ...args.slice(1));
  expect(ended).toEqual({ code, out: '', err: expect.stringMatching(message) });
  expect(ended.err).not.toContain('hunter2');
});

test('what stands in the config is listed, can be paused, and is not removed', async () => {
  using at = terminal();
  const config = (sources: unknown) => at.folder.write({ 'hub/x.json': JSON.stringify({ data: './d', sources }) });
  config([{ id: 'docs', kind: 'folder' as const, path: './site', site: 'https://docs.example/' }]);
  const source = (...args: string[]) => at.source(...args, '--config', at.path('hub/x.json'));
  const { sources } = JSON.parse((await source('list', '--json')).out);
  expect(sources).toMatchObject([{ id: 'docs', origin: 'config', config: { path: at.path('hub/site') } }]);
  expect(await source('remove', 'docs')).toMatchObject({ code: 2, err: expect.stringContaining('hub/x.json') });
  expect(await source('add', 'https://docs.example/', '--id', 'docs')).toMatchObject({ code: 3, out: '' });
  expect(await source('pause', 'docs')).toMatchObject({ code: 0 });
  expect((await source('list')).out).toMatch(/^docs +folder +disabled/m);
  expect(JSON.parse((await source('export')).out)).toEqual([sources[0].config]);
  config([{ id: 'docs', kind: 'folder' as const }]);
  expect(await source('list')).toMatchObject({ code: 2, err: expect.stringMatching(/x\.json: sources\[0\]\.path/) });
});

test('the cursors of a data folder are those of its hub', async () => {
  using at = terminal();
  at.folder.write({ 'site/index.html': PAGE });
  const settings = {
    port: 0,
    data: './data',
    sources: [
      { id: 'docs', kind: 'folder' as const, path: './site', site: 'https://docs.example/', intervalSeconds: 1 },
    ],
  };
  at.folder.write({ 'x.json': JSON.stringify(settings) });
  await using hub = await startHub(settings, { base: at.folder.path });
  const asked = async () => (await (await fetch(`${hub.url}state/health.json`)).json()).sources.docs;
  const listed = async () =>
    JSON.parse((await at.source('list', '--json', '--config', at.path('x.json'))).out).sources[0].health;
  // Behind a check that found nothing, both cursors stand at the end of the log.
  let ofData = await listed();
  while (ofData.pending || ofData.changed) ofData = await listed();
  const { cursor, prev_cursor, last_change_id } = ofData;
  expect(last_change_id).toMatch(/^0/);
  // The answer of the hub follows its data with the next document that is made.
  await expect.poll(asked).toMatchObject({ cursor, prev_cursor, last_change_id });
});

test('a source that was dropped from the config is listed no more; added again, it goes on where it was', async () => {
  using at = terminal();
  const site = { id: 'docs', kind: 'site' as const, url: 'https://docs.example/' };
  const config = (sources: unknown) => at.folder.write({ 'x.json': JSON.stringify({ data: './d', sources }) });
  const source = (...args: string[]) => at.source(...args, '--config', at.path('x.json'));
  config([site]);
  await source('pause', 'docs', '--reason', 'they move');
  config([]);
  expect((await source('list')).out).toContain('No source');
  expect(await source('remove', 'docs')).toMatchObject({ code: 3 });
  await source('add', site.url, '--id', 'docs', '--kind', 'site');
  const { sources } = JSON.parse((await source('list', '--json')).out);
  expect(sources).toMatchObject([{ id: 'docs', origin: 'api', paused: 'they move' }]);
});

test('beside a hub that runs: looking goes on, changing asks for its address', async () => {
  using at = terminal();
  await at.local('add', 'https://docs.example/');
  await using _hub = await openSqliteHubStore({ folder: at.path('data') });
  for (const args of [
    ['add', 'https://b.example/'],
    ['pause', 'docs_example'],
    ['remove', 'docs_example'],
  ]) {
    expect(await at.local(...args)).toEqual({
      code: 2,
      out: '',
      err: `tidings: A hub is running on ${at.path('data')}. Give --hub <its address> and TIDINGS_TOKEN.`,
    });
  }
  expect(await at.local('list')).toMatchObject({ code: 0, out: expect.stringContaining('docs_example') });
  expect(await at.local('export', '--format', 'urls')).toMatchObject({
    code: 0,
    out: 'https://docs.example/\tdocs_example',
  });
});

test('a list is imported as a whole, or not at all', async () => {
  using at = terminal();
  at.folder.write({
    'good.txt': 'https://a.example/\nhttps://b.example/x.html\n',
    'bad.txt': 'https://c.example/\nx\n',
  });
  expect(await at.local('import', at.path('bad.txt'))).toMatchObject({
    code: 3,
    out: '',
    err: expect.stringMatching(/Line 2/),
  });
  expect(await at.local('import', at.path('good.txt'), '--dry-run')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/2 added, 0 skipped\nDry run/),
  });
  expect((await at.local('list')).out).toMatch(/No source/);
  expect(await at.local('import', at.path('good.txt'))).toMatchObject({ code: 0 });
  expect(await at.local('import', at.path('good.txt'))).toMatchObject({
    code: 3,
    err: expect.stringMatching(/watched already, as a_example.*--skip-existing/),
  });
  at.folder.write({ 'good.txt': 'https://a.example/\nhttps://d.example/\n' });
  const { out } = await at.local('import', at.path('good.txt'), '--skip-existing', '--json');
  expect(JSON.parse(out)).toMatchObject({ added: [{ id: 'd_example' }], skipped: [{ what: 'https://a.example/' }] });

  const before = (await at.local('export')).out;
  at.folder.write({ 'export.json': before });
  const other = (...args: string[]) => at.source(...args, '--data', at.path('other'));
  expect(await other('import', at.path('export.json'))).toMatchObject({ code: 0 });
  expect((await other('export')).out).toBe(before);
});

test('one read tells whether a source can be watched; a sitemap can be imported from the web', async () => {
  using at = terminal();
  await using site = await startLiveSite({ '/': PAGE, '/a.html': PAGE });
  const origin = site.url.slice(0, -1);
  site.put({
    '/sitemap.xml': `<urlset><url><loc>${origin}/</loc></url><url><loc>${origin}/a.html</loc></url></urlset>`,
    '/robots.txt': 'User-agent: *\nAllow: /',
  });
  at.folder.write({ 'c.json': '{"allowPrivate":true,"cooldownMs":0,"data":"d"}', 'site/index.html': PAGE });
  const source = (...args: string[]) => at.source(...args, '--config', at.path('c.json'));
  expect(await source('test', site.url)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/can be watched.*\n.*2 pages by sitemap/),
  });
  expect(await source('test', at.path('site'), '--site', 'https://x.example/', '--json')).toMatchObject({ code: 0 });
  const missing = await source('test', `${origin}/missing.html`, '--json');
  expect([missing.code, JSON.parse(missing.out).is]).toEqual([3, 'failed']);
  const imported = await source('import', `${origin}/sitemap.xml`, '--kind', 'page', '--json');
  expect(JSON.parse(imported.out).added).toMatchObject([{ urls: [site.url] }, { urls: [`${origin}/a.html`] }]);
  expect(await source('import', `${origin}/none.xml`)).toMatchObject({
    code: 3,
    err: expect.stringMatching(/status 404/),
  });
  // Nothing of a test is kept.
  expect(JSON.parse((await source('list', '--json')).out).sources).toHaveLength(2);
});

test('the same through a hub that runs', async () => {
  using at = terminal({ TIDINGS_TOKEN: TOKEN });
  const watch = new FakeWatch();
  await using api = await startApi(watch);
  const source = (...args: string[]) => at.local(...args, '--hub', api.url);
  expect(await source('add', 'https://a.example/')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/It is read now/),
  });
  at.folder.write({ 'list.txt': Array.from({ length: 1200 }, (_, n) => `https://s${n}.example/\n`).join('') });
  expect(await source('import', at.path('list.txt'))).toMatchObject({
    code: 0,
    out: expect.stringMatching(/1200 added/),
  });
  expect(watch.sources()).toHaveLength(1201);
  expect(await source('pause', 'a_example')).toMatchObject({
    code: 0,
    out: 'a_example: paused (paused by the operator).',
  });
  expect(await source('resume', 'a_example', '--allow-deletes')).toMatchObject({ code: 0 });
  expect(await source('test', 'a_example')).toMatchObject({ code: 0 });
  watch.testing = async () => ({ is: 'failed', changes: 0, error: { code: 'DnsError', message: 'No such name.' } });
  expect(await source('test', 'https://b.example/')).toMatchObject({
    code: 3,
    err: expect.stringMatching(/No such name/),
  });
  expect(JSON.parse((await source('export')).out)).toHaveLength(1201);
  expect((await source('list')).out).toMatch(/^a_example +auto +new/m);
  expect(await source('remove', 'a_example')).toMatchObject({ code: 0 });
  expect(await source('remove', 'a_example')).toMatchObject({ code: 3, err: expect.stringMatching(/no source/i) });
  expect(await source('add', 'https://s1.example/', '--id', 's1_example')).toMatchObject({ code: 3, out: '' });
  // The hub knows how often it may ask.
  expect(await source('add', 'https://c.example/', '--interval', '5')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/intervalSeconds 5/),
  });
});

test('a hub without the right token does nothing', async () => {
  const watch = new FakeWatch();
  await using api = await startApi(watch);
  for (const env of [{}, { TIDINGS_TOKEN: 'tdg_wrong_wrong_wrong' }] as Record<string, string>[]) {
    using at = terminal(env);
    const ended = await at.local('add', 'https://a.example/', '--hub', api.url);
    expect(ended).toEqual({ code: 2, out: '', err: expect.stringMatching(/token is missing or wrong.*TIDINGS_TOKEN/) });
    expect(ended.err).not.toContain('tdg_wrong');
  }
  using both = terminal({ TIDINGS_TOKEN: TOKEN, TIDINGS_TOKEN_FILE: '/nowhere' });
  expect(await both.local('list', '--hub', api.url)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/Set one of them/),
  });
  using at = terminal();
  at.folder.write({ token: `${TOKEN}\n` });
  using file = terminal({ TIDINGS_TOKEN_FILE: at.path('token') });
  expect(await file.local('list', '--hub', api.url)).toMatchObject({ code: 0 });
  expect(watch.sources()).toEqual([]);
});

test('the address of a feed for people, of ResourceSync or of a sitemap says what it is', async () => {
  using at = terminal();
  const add = async (...args: string[]) => {
    const { id, ...source } = JSON.parse((await at.local('add', ...args, '--json')).out);
    return source;
  };
  const url = 'https://a.example/';
  expect(await add(`${url}blog/feed.xml`)).toEqual({
    kind: 'feed' as const,
    dialect: 'atom',
    url: `${url}blog/feed.xml`,
  });
  expect(await add(`${url}rss`)).toEqual({ kind: 'feed' as const, dialect: 'rss', url: `${url}rss` });
  expect(await add(`${url}feed.json`)).toEqual({ kind: 'feed' as const, dialect: 'json-feed', url: `${url}feed.json` });
  const lists = `${url}.well-known/resourcesync`;
  expect(await add(lists)).toEqual({ kind: 'feed' as const, dialect: 'resourcesync', url: lists });
  expect(await add(`${url}sitemap.xml`)).toEqual({ kind: 'site' as const, url, sitemap: `${url}sitemap.xml` });
  expect(await add(url, '--sitemap', `${url}other.xml`)).toEqual({
    kind: 'site' as const,
    url,
    sitemap: `${url}other.xml`,
  });
  expect(await add(url)).toEqual({ kind: 'auto' as const, url });
  expect(await add(url, '--fallback', 'https://mirror.example/'), 'only its pages have mirrors').toMatchObject({
    kind: 'site' as const,
  });
  expect(await add('https://b.example/', '--kind', 'site')).toEqual({
    kind: 'site' as const,
    url: 'https://b.example/',
  });
  const twice = await at.local('add', `${url}blog/feed.xml`, '--dialect', 'rss');
  expect([twice.code, twice.err]).toEqual([3, expect.stringContaining('watched already')]);
  const page = await at.local('add', url, '--kind', 'page', '--sitemap', `${url}s.xml`);
  expect([page.code, page.err]).toEqual([2, expect.stringContaining('sitemap')]);
});

test('the address of an agent-feed says what it is', async () => {
  using at = terminal();
  const add = (...args: string[]) => at.local('add', ...args, '--json');
  const feed = { kind: 'feed' as const, dialect: 'agent-feed' };
  const named = await add('https://api.example/.well-known/agent-feed.xml');
  expect(JSON.parse(named.out)).toMatchObject({ ...feed, url: 'https://api.example/' });
  const kind = await add('https://two.example/.well-known/agent-feed.xml', '--kind', 'feed');
  expect(JSON.parse(kind.out)).toMatchObject({ ...feed, url: 'https://two.example/' });
  const dialect = await add('https://three.example/', '--dialect', 'agent-feed');
  expect(JSON.parse(dialect.out)).toMatchObject({ ...feed, url: 'https://three.example/' });
  const below = await add('https://four.example/api/v1/', '--kind', 'feed', '--dialect', 'agent-feed');
  expect([below.code, below.err]).toEqual([2, expect.stringContaining('https://four.example/.')]);
});
