import { expect, test } from 'vitest';
import { callRoute, jsonOf } from '../../../test/support/call-route.ts';
import { FakeWatch, NEVER_CHECKED, siteConfig, watchedSource } from '../../../test/support/fake-watch.ts';
import { WITHOUT_KEYS } from '../../../test/support/source-parts.ts';
import { LogFullError } from '../../errors/log-error.ts';
import { decodeSource } from '../config/decode-source.ts';
import type { VisitOutcome } from '../store/visit-outcome.ts';
import { sourceRoutes } from './source-routes.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const DOCS = { id: 'docs', kind: 'site', url: 'https://docs.example/' };

function hubWith(watch: FakeWatch, deadline: (ms: number) => AbortSignal = () => new AbortController().signal) {
  const routes = sourceRoutes({
    ...WITHOUT_KEYS,
    watch,
    news: { lastChangeIdOf: () => undefined, standingOf: () => undefined },
    decodeSource: (value, at, { isStored } = { isStored: false }) =>
      decodeSource(value, { allowPrivate: false, at, ...(isStored && { base: '/' }) }),
    now: () => NOW,
    deadline,
  });
  return (line: string, body?: unknown, signal = new AbortController().signal) =>
    callRoute(routes, line, { body, signal, isAdmin: true });
}

test('no answer is for everybody, and none is kept', async () => {
  const routes = sourceRoutes({
    ...WITHOUT_KEYS,
    watch: new FakeWatch(),
    news: { lastChangeIdOf: () => undefined, standingOf: () => undefined },
    decodeSource: () => siteConfig('a'),
    now: () => NOW,
    deadline: () => new AbortController().signal,
  });
  expect(routes.filter(({ access }) => !['admin', 'admin-or-key'].includes(access))).toEqual([]);
  expect(routes.some(({ cors }) => cors)).toBe(false);
  for (const { method, path } of routes) {
    const answer = await callRoute(routes, `${method} ${path.replace(':id', 'nobody')}`, { body: {}, isAdmin: true });
    expect([path, answer.headers['cache-control']]).toEqual([path, 'no-store']);
  }
});

test('a source that is added is listed, with its health', async () => {
  const call = hubWith(new FakeWatch([watchedSource(siteConfig('b'))]));
  const added = await call('POST /api/v1/sources', DOCS);
  expect(added).toMatchObject({ status: 201, headers: { location: '/api/v1/sources/docs' } });
  expect(jsonOf(added)).toMatchObject({ id: 'docs', config: DOCS, origin: 'api', intervalSeconds: 3600 });
  const { sources } = jsonOf(await call('GET /api/v1/sources'));
  expect(sources.map(({ id }: { id: string }) => id)).toEqual(['b', 'docs']);
  expect(sources[1].health).toMatchObject({ status: 'ok', pending: true, next_check_at: '2026-03-01T12:00:00Z' });
  expect(jsonOf(await call('GET /api/v1/sources/docs'))).toEqual(sources[1]);
});

test.each([
  ['no body', undefined, /JSON object/],
  ['a list', [DOCS], /JSON object/],
  ['an unknown key', { ...DOCS, intervall: 5 }, /intervall .*unknown key/],
  ['a bad id', { ...DOCS, id: '../x' }, /^id /],
  ['an unknown kind', { ...DOCS, kind: 'gopher' }, /^kind /],
  ['no url', { id: 'x', kind: 'site' }, /^url /],
  ['a script', { ...DOCS, url: 'javascript:alert(1)' }, /^url /],
  ['a password', { ...DOCS, url: 'https://user:secret@docs.example/' }, /^url /],
  ['a relative folder', { id: 'x', kind: 'folder', path: '../etc', site: 'https://x.example/' }, /^path .*config file/],
  ['a folder', { id: 'x', kind: 'folder', path: '/srv/site', site: 'https://x.example/' }, /^path .*config file/],
  [
    'a file with a key',
    { id: 'x', kind: 'feed', url: 'https://x.example/', apiKeyFile: '/etc/passwd' },
    /^apiKeyFile .*config file/,
  ],
])('%s is refused', async (_, body, detail) => {
  const watch = new FakeWatch();
  const answer = await hubWith(watch)('POST /api/v1/sources', body);
  expect(answer.status).toBe(400);
  expect(jsonOf(answer).detail).toMatch(detail);
  expect(answer.body).not.toContain('secret');
  expect(watch.byId.size).toBe(0);
});

test('a source that exists is a conflict; one that does not is not found', async () => {
  const call = hubWith(new FakeWatch([watchedSource(siteConfig('docs'))]));
  expect((await call('POST /api/v1/sources', DOCS)).status).toBe(409);
  const lines = [
    'GET ',
    'GET /checks',
    'PATCH ',
    'POST /rules',
    'POST /pause',
    'POST /resume',
    'POST /check',
    'DELETE ',
  ];
  for (const line of lines) {
    const [method, rest] = line.split(' ');
    const answer = await call(`${method} /api/v1/sources/nobody${rest}`);
    expect([line, answer.status]).toEqual([line, 404]);
  }
});

test('a disk that is full is said, without naming files of the machine', async () => {
  const watch = new FakeWatch([watchedSource(siteConfig('docs'))]);
  watch.failing = () => new LogFullError('/srv/hub/log.sqlite', new Error('ENOSPC'));
  const call = hubWith(watch);
  for (const line of ['POST /api/v1/sources/docs/pause', 'DELETE /api/v1/sources/docs']) {
    const answer = await call(line);
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '30' } });
    expect(answer.body).not.toContain('/srv');
  }
});

test('a bug is no problem document', async () => {
  const watch = new FakeWatch([watchedSource(siteConfig('docs'))]);
  watch.failing = () => new TypeError('x is not a function');
  await expect(hubWith(watch)('DELETE /api/v1/sources/docs')).rejects.toThrow(TypeError);
});

test('many sources are added at once', async () => {
  const call = hubWith(new FakeWatch());
  const answer = await call('POST /api/v1/sources/import', { sources: [DOCS, siteConfig('b')] });
  expect(answer.status).toBe(201);
  expect(jsonOf(answer)).toEqual({ added: ['docs', 'b'], existing: [] });
});

test('one that exists keeps all out, unless those are to be passed over', async () => {
  const watch = new FakeWatch([watchedSource(siteConfig('b'))]);
  const sources = [DOCS, siteConfig('b')];
  const answer = await hubWith(watch)('POST /api/v1/sources/import', { sources });
  expect(answer.status).toBe(409);
  expect(jsonOf(answer)).toMatchObject({ existing: ['b'], detail: expect.stringContaining('b is watched already') });
  expect([...watch.byId.keys()]).toEqual(['b']);
  const skipped = await hubWith(watch)('POST /api/v1/sources/import', { sources, skipExisting: true });
  expect(jsonOf(skipped)).toEqual({ added: ['docs'], existing: ['b'] });
});

test.each([
  ['none', {}, /^sources /],
  ['an empty list', { sources: [] }, /^sources /],
  ['a bad one', { sources: [DOCS, { id: 'b', kind: 'site', url: 'ftp://b.example/' }] }, /^sources\[1\]\.url /],
  ['a relative folder', { sources: [{ id: 'b', kind: 'folder', path: 'x' }] }, /^sources\[0\]\.path /],
  ['an unknown key', { sources: [DOCS], force: true }, /^force /],
])('an import with %s adds nothing', async (_, body, detail) => {
  const watch = new FakeWatch();
  const answer = await hubWith(watch)('POST /api/v1/sources/import', body);
  expect(answer.status).toBe(400);
  expect(jsonOf(answer).detail).toMatch(detail);
  expect(watch.byId.size).toBe(0);
});

test('an id that is in the list twice is named', async () => {
  const watch = new FakeWatch();
  const answer = await hubWith(watch)('POST /api/v1/sources/import', { sources: [DOCS, siteConfig('b'), DOCS, DOCS] });
  expect(answer.status).toBe(409);
  expect(jsonOf(answer).existing).toEqual(['docs']);
  expect(watch.byId.size).toBe(0);
});

test('an import that cannot be stored adds nothing', async () => {
  const watch = new FakeWatch();
  const full = new LogFullError('/srv/hub/log.sqlite', new Error('ENOSPC'));
  watch.failing = (action, id) => (action === 'add' && id === 'c' ? full : undefined);
  const sources = ['a', 'b', 'c'].map(siteConfig);
  expect((await hubWith(watch)('POST /api/v1/sources/import', { sources })).status).toBe(503);
  expect(watch.byId.size).toBe(0);
});

test('a test reads the source and says what came of it', async () => {
  const watch = new FakeWatch();
  watch.testing = async (config) => ({ is: 'read', changes: 0, pages: 7, notes: [config.id] });
  const answer = await hubWith(watch)('POST /api/v1/sources/test', {
    source: { kind: 'site', url: 'https://x.example/' },
  });
  expect(jsonOf(answer)).toEqual({ outcome: { is: 'read', changes: 0, pages: 7, notes: ['trial'] } });
  expect(watch.byId.size).toBe(0);
  expect((await hubWith(watch)('POST /api/v1/sources/test', DOCS)).status).toBe(400);
  expect((await hubWith(watch)('POST /api/v1/sources/test', {})).status).toBe(400);
});

test('a test ends when its time is over, also when the reading does not', async () => {
  const watch = new FakeWatch();
  watch.testing = () => new Promise<VisitOutcome>(() => {});
  const asked: number[] = [];
  const call = hubWith(watch, (ms) => {
    asked.push(ms);
    return AbortSignal.abort();
  });
  expect((await call('POST /api/v1/sources/test', { source: DOCS })).status).toBe(504);
  expect(asked).toEqual([60_000]);
});

test('only so many tests run side by side', async () => {
  const watch = new FakeWatch();
  const ends: (() => void)[] = [];
  watch.testing = () => new Promise((resolve) => ends.push(() => resolve({ is: 'read', changes: 0, notes: [] })));
  const call = hubWith(watch);
  const running = Array.from({ length: 4 }, () => call('POST /api/v1/sources/test', { source: DOCS }));
  const refused = await call('POST /api/v1/sources/test', { source: DOCS });
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  for (const end of ends) end();
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test('the rules of a source are replaced as a whole, and shown; wrong ones are named', async () => {
  const feed = { id: 'feed', kind: 'feed', url: 'https://a.example/', dialect: 'aicf' } as const;
  const folder = { id: 'built', kind: 'folder', path: '/srv/site', site: 'https://b.example/' } as const;
  const fixed = watchedSource(siteConfig('fixed'), { origin: 'config' });
  const call = hubWith(new FakeWatch([fixed, ...[siteConfig('docs'), feed, folder].map((one) => watchedSource(one))]));
  const rules = async (id: string, body: unknown) => jsonOf(await call(`POST /api/v1/sources/${id}/rules`, body));
  const given = { ignore: ['/log/**', '.ad'], only: ['main'] };
  expect((await rules('docs', given)).config).toEqual({ ...siteConfig('docs'), ...given });
  expect((await rules('docs', { only: ['article'], ignore: [] })).config).toEqual({
    ...siteConfig('docs'),
    only: ['article'],
  });
  expect((await rules('docs', {})).config).toEqual(siteConfig('docs'));
  expect((await rules('built', given)).config).toEqual({ ...folder, ...given });
  for (const [id, body, status, detail] of [
    ['docs', { ignore: ['.a', 'p:hover'] }, 400, /^ignore\[1\] "p:hover" is refused/],
    ['docs', { ignored: [] }, 400, /^ignored \(an unknown key\)/],
    ['docs', { only: ['a '.repeat(200).trim(), 'b '.repeat(101).trim()] }, 400, /301 parts/],
    ['feed', { ignore: ['.ad'] }, 400, /^ignore\[0\] "\.ad" .*paths/],
    ['fixed', { ignore: ['.ad'] }, 409, /Change or remove it there/],
  ] as const) {
    expect(await rules(id, body)).toMatchObject({ status, detail: expect.stringMatching(detail) });
  }
});

test('a source is paused with a reason, and resumed', async () => {
  const call = hubWith(new FakeWatch([watchedSource(siteConfig('docs'), { origin: 'config' })]));
  const paused = jsonOf(await call('POST /api/v1/sources/docs/pause', { reason: 'moving house' }));
  expect(paused).toMatchObject({ paused: 'moving house', health: { status: 'disabled' } });
  expect(jsonOf(await call('POST /api/v1/sources/docs/pause')).paused).toBe('paused by the operator');
  expect((await call('POST /api/v1/sources/docs/check')).status, 'no check by the back door').toBe(409);
  const resumed = await call('POST /api/v1/sources/docs/resume', { allowDeletes: true });
  expect(resumed.status).toBe(200);
  expect(jsonOf(resumed)).not.toHaveProperty('paused');
  for (const [verb, body] of [
    ['pause', { why: 'x' }],
    ['pause', { reason: 5 }],
    ['resume', { allowDeletes: 'yes' }],
    ['check', { now: true }],
  ] as const) {
    expect([verb, (await call(`POST /api/v1/sources/docs/${verb}`, body)).status]).toEqual([verb, 400]);
  }
});

test('a check that is asked for keeps the leave to delete', async () => {
  const watch = new FakeWatch([watchedSource(siteConfig('docs'), { allowDeletes: true })]);
  expect((await hubWith(watch)('POST /api/v1/sources/docs/check')).status).toBe(202);
  expect(watch.source('docs')?.allowDeletes).toBe(true);
});

test('the checks of a source are listed, newest first', async () => {
  const watch = new FakeWatch([watchedSource(siteConfig('docs'))]);
  const check = { source: 'docs', tookMs: 12, outcome: 'ok', changes: 0 } as const;
  watch.checks = [
    { ...check, atMs: NOW },
    { ...check, atMs: NOW - 1000 },
  ];
  const call = hubWith(watch);
  expect(jsonOf(await call('GET /api/v1/sources/docs/checks?limit=1'))).toEqual({
    checks: [{ at: '2026-03-01T12:00:00Z', ...check }],
  });
  expect((await call('GET /api/v1/sources/docs/checks?limit=501')).status).toBe(400);
});

test('a source is removed, unless it stands in the config', async () => {
  const watch = new FakeWatch([watchedSource(siteConfig('a')), watchedSource(siteConfig('b'), { origin: 'config' })]);
  const call = hubWith(watch);
  expect(await call('DELETE /api/v1/sources/a')).toMatchObject({ status: 204 });
  expect((await call('DELETE /api/v1/sources/b')).status).toBe(409);
  expect([...watch.byId.keys()]).toEqual(['b']);
});

test('the admin reads why a check failed', async () => {
  const error = { code: 'FolderError', message: 'Cannot read /srv/site.' };
  const watch = new FakeWatch([watchedSource(siteConfig('a'), { health: { ...NEVER_CHECKED, failures: 1, error } })]);
  expect(jsonOf(await hubWith(watch)('GET /api/v1/sources/a'))).toMatchObject({
    errorMessage: error.message,
    health: { status: 'error', error: { code: 'FolderError' } },
  });
});

test('a list of any form says what it would add, then adds it', async () => {
  const watch = new FakeWatch([watchedSource(siteConfig('b'))]);
  const call = hubWith(watch);
  const opml = `<opml version="2.0"><body><outline text="Blog &lt;b&gt;" type="rss" xmlUrl="https://blog.example/changes.ndjson"/>
<outline text="None"/><outline text="B" type="site" htmlUrl="https://b.example/"/></body></opml>`;
  const plan = await call('POST /api/v1/sources/import', { list: opml, dryRun: true });
  expect([plan.status, watch.sources().length]).toEqual([200, 1]);
  expect(jsonOf(plan)).toMatchObject({
    dryRun: true,
    added: ['blog_example'],
    existing: ['https://b.example/'],
    sources: [{ id: 'blog_example', kind: 'feed', dialect: 'aicf', title: 'Blog <b>' }],
  });
  expect((await call('POST /api/v1/sources/import', { list: opml })).status).toBe(409);
  expect((await call('POST /api/v1/sources/import', { list: opml, skipExisting: true })).status).toBe(201);
  expect(watch.sources().map(({ config }) => config.id)).toEqual(['b', 'blog_example']);
});

test.each([
  ['both', { list: 'https://a.example/', sources: [DOCS] }],
  ['neither', { skipExisting: true }],
  ['no list', { list: ' ' }],
  ['a line that is no address', { list: 'https://a.example/\nnot one\n' }],
  ['half of an OPML', { list: '<opml><body><outline' }],
  ['an unknown form', { list: 'x', format: 'csv' }],
])('%s is refused, and nothing is added', async (_, body) => {
  const watch = new FakeWatch();
  expect((await hubWith(watch)('POST /api/v1/sources/import', body)).status).toBe(400);
  expect(watch.sources()).toEqual([]);
});

test('settings of a source are changed one by one, null takes one away, and what it is stays', async () => {
  const folder = { id: 'built', kind: 'folder', path: '/srv/site', site: 'https://built.example/' } as const;
  const docs = { ...siteConfig('docs'), title: 'Docs', ignore: ['.ad'], intervalSeconds: 600 };
  const watch = new FakeWatch([
    watchedSource(docs),
    watchedSource(folder),
    watchedSource(siteConfig('fixed'), { origin: 'config' }),
  ]);
  const call = hubWith(watch);
  const edited = async (id: string, body: unknown) => jsonOf(await call(`PATCH /api/v1/sources/${id}`, body));
  expect((await edited('docs', { title: 'The docs', only: ['article'], intervalSeconds: null })).config).toEqual({
    ...siteConfig('docs'),
    title: 'The docs',
    ignore: ['.ad'],
    only: ['article'],
  });
  expect((await edited('docs', {})).config.title).toBe('The docs');
  expect((await edited('built', { title: 'Built', cleanUrls: true })).config).toEqual({
    ...folder,
    title: 'Built',
    cleanUrls: true,
  });
  const before = watch.source('docs');
  for (const [id, body, status, detail] of [
    ['docs', undefined, 400, /JSON object/],
    ['docs', { url: 'https://other.example/' }, 400, /^url .*Add another source/],
    ['docs', { id: 'other' }, 400, /^id .*Add another source/],
    ['docs', { apiKeyFile: '/etc/shadow' }, 400, /^apiKeyFile /],
    ['docs', { path: '/etc' }, 400, /^path /],
    ['docs', { cleanUrls: true }, 400, /^cleanUrls .*unknown key/],
    ['docs', { intervalSeconds: 5 }, 400, /^intervalSeconds .*60/],
    ['docs', { only: ['a['] }, 400, /^only\[0\] /],
    ['docs', { title: '' }, 400, /^title /],
    ['docs', JSON.parse('{"__proto__":{"title":"x"}}'), 400, /__proto__ .*unknown key/],
    ['fixed', { title: 'x' }, 409, /config/],
  ] as const) {
    expect(await edited(id, body)).toMatchObject({ status, detail: expect.stringMatching(detail) });
  }
  expect(watch.source('docs')).toBe(before);
});
