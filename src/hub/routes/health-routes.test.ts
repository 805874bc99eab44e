import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { callRoute, jsonOf } from '../../../test/support/call-route.ts';
import { FakeWatch, NEVER_CHECKED, siteConfig, watchedSource } from '../../../test/support/fake-watch.ts';
import { healthRoutes } from './health-routes.ts';
import { metricsRoutes } from './metrics-routes.ts';

const T0 = Date.parse('2026-03-01T12:00:00Z');
const FAILING = { ...NEVER_CHECKED, lastOkMs: T0, failures: 1, error: { code: 'DnsError', message: 'No such name.' } };

function hubWith(watch: FakeWatch) {
  const clock = { ms: T0 };
  let looks = 0;
  const looking = {
    sources: () => {
      looks++;
      return watch.sources();
    },
    get unwritable() {
      return watch.unwritable;
    },
  };
  const routes = healthRoutes({
    watch: looking,
    news: { lastChangeIdOf: () => undefined, standingOf: () => undefined },
    now: () => clock.ms,
  });
  return {
    clock,
    routes,
    looks: () => looks,
    get: (path: string, headers: Record<string, string> = {}) => callRoute(routes, `GET ${path}`, { headers }),
  };
}

clause('DD-M1', 'the health report is open to all, and no reader of feeds needs it', async () => {
  const { get, routes } = hubWith(new FakeWatch([watchedSource(siteConfig('a'))]));
  const answer = await get('/state/health.json');
  expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });
  expect(jsonOf(answer).sources.a).toMatchObject({ status: 'ok', pending: true });
  expect(routes.find(({ path }) => path === '/state/health.json')?.access).toBe('open');
});

test('the report is built at most once a second, however many ask', async () => {
  const { get, looks, clock } = hubWith(new FakeWatch([watchedSource(siteConfig('a'))]));
  for (let ask = 0; ask < 50; ask++) await get('/state/health.json');
  expect(looks()).toBe(1);
  clock.ms += 999;
  await get('/state/health.json');
  expect(looks()).toBe(1);
  clock.ms += 1;
  await get('/state/health.json');
  expect(looks()).toBe(2);
  clock.ms -= 5000;
  await get('/state/health.json');
  expect(looks(), 'the clock stepped back').toBe(3);
});

test('who has the report is told so, until something changes or a minute is over', async () => {
  const watch = new FakeWatch([watchedSource(siteConfig('a'))]);
  const { get, clock } = hubWith(watch);
  const { etag = '' } = (await get('/state/health.json')).headers;
  clock.ms += 30_000;
  expect(await get('/state/health.json', { 'if-none-match': etag })).toMatchObject({ status: 304, headers: { etag } });
  clock.ms += 30_000;
  const later = await get('/state/health.json', { 'if-none-match': etag });
  expect(jsonOf(later).generated_at).toBe('2026-03-01T12:01:00Z');
  watch.byId.set('a', watchedSource(siteConfig('a'), { health: FAILING }));
  clock.ms += 1000;
  const failing = await get('/state/health.json', { 'if-none-match': later.headers.etag ?? '' });
  expect(jsonOf(failing)).toMatchObject({ generated_at: '2026-03-01T12:01:01Z', summary: { error: 1 } });
  expect(jsonOf(failing).sources.a.stale_age_sec).toBe(61);
  clock.ms += 4000;
  expect(jsonOf(await get('/state/health.json')).sources.a.stale_age_sec, 'it grows older').toBe(65);
});

test('the report tells the public the code of an error, not its words', async () => {
  const { get } = hubWith(new FakeWatch([watchedSource(siteConfig('a'), { health: FAILING })]));
  expect(jsonOf(await get('/state/health.json')).sources.a.error).toEqual({ code: 'DnsError' });
});

test('ten thousand sources are reported', async () => {
  const health = {
    ...NEVER_CHECKED,
    lastCheckMs: T0,
    lastOkMs: T0,
    lastChangeMs: T0,
    changeGapsMs: Array(20).fill(5000),
  };
  const watch = new FakeWatch(
    Array.from({ length: 10_000 }, (_, at) => watchedSource(siteConfig(`s${at}`), { health })),
  );
  const { get } = hubWith(watch);
  const report = jsonOf(await get('/state/health.json'));
  expect(report.summary).toMatchObject({ total: 10_000, ok: 10_000 });
});

test('a hub whose disk is full answers all the same, and says so without naming its files', async () => {
  const watch = new FakeWatch();
  const { get } = hubWith(watch);
  const answer = await get('/healthz');
  expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
  expect(jsonOf(answer)).toEqual({ ok: true, time: '2026-03-01T12:00:00Z', writable: true });
  watch.unwritable = 'The disk of /srv/hub/log.sqlite is full.';
  const full = await get('/healthz');
  expect(full.status).toBe(200);
  expect(jsonOf(full)).toMatchObject({ ok: true, writable: false, reason: expect.stringContaining('Reads go on') });
  expect(full.body).not.toContain('/srv');
});

test('the report says whether the hub can write, as soon as that changes', async () => {
  const watch = new FakeWatch([watchedSource(siteConfig('a'))]);
  const { get, clock } = hubWith(watch);
  const writable = async () => jsonOf(await get('/state/health.json')).writable;
  expect(await writable()).toBe(true);
  watch.unwritable = 'The disk of /srv/hub/log.sqlite is full.';
  clock.ms += 1000;
  expect(await writable()).toBe(false);
  watch.unwritable = undefined;
  clock.ms += 1000;
  expect(await writable()).toBe(true);
});

test('the metrics are what render gives', async () => {
  const answer = await callRoute(
    metricsRoutes(async () => 'up 1\n'),
    'GET /metrics',
  );
  expect(answer).toMatchObject({ status: 200, body: 'up 1\n' });
  expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
});
