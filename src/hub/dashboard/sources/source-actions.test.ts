import { expect, test } from 'vitest';
import { callRoute, textOf } from '../../../../test/support/call-route.ts';
import { EMPTY_CATALOGUE } from '../../../../test/support/empty-catalogue.ts';
import { FakeWatch, NEVER_CHECKED, siteConfig, watchedSource } from '../../../../test/support/fake-watch.ts';
import { WITHOUT_KEYS } from '../../../../test/support/source-parts.ts';
import { decodeSource } from '../../config/decode-source.ts';
import { retrustRoute } from '../../routes/retrust-route.ts';
import { sourceRoutes } from '../../routes/source-routes.ts';
import { HubShelves } from '../../shelves/hub-shelves.ts';
import type { Role, Viewer } from '../../sign-in/viewer.ts';
import type { WatchedSource } from '../../store/hub-store.ts';
import { doneWords, formRoutes } from '../form.ts';
import { overviewView } from '../overview/overview.ts';
import { createFramer } from '../page-frame.ts';
import { viewRoutes } from '../view.ts';
import { SOURCE_FORMS } from './source-actions.ts';
import { sourceEditView } from './source-edit.ts';
import { sourcePageView } from './source-page.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const READ = { ...NEVER_CHECKED, lastCheckMs: NOW, lastOkMs: NOW };
const HOSTILE = '"><script>alert(1)</script>\u202E';
const STOPPED = { code: 'SafetyStopError', message: '40 of 50 pages would vanish.', isStop: true } as const;
const ENDED = { code: 'AgentFeedUntrustedError', message: 'It ended.' };

function lab(sources: readonly WatchedSource[], role: Role | 'nobody' = 'operate') {
  const watch = new FakeWatch(sources);
  const viewer: Viewer = role === 'nobody' ? {} : { role, name: 'ann', formToken: 'token-of-ann' };
  const viewers = { viewerOf: () => viewer };
  const news = { lastChangeIdOf: () => undefined, standingOf: () => undefined };
  const now = () => NOW;
  const retrusted: unknown[] = [];
  const api = [
    ...sourceRoutes({
      ...WITHOUT_KEYS,
      watch,
      news,
      decodeSource: (value, at) => decodeSource(value, { allowPrivate: false, at, base: '/' }),
      now,
      deadline: () => new AbortController().signal,
    }),
    retrustRoute({
      watch,
      news,
      now,
      retrust: async ({ id }, { moved }) => {
        retrusted.push({ id, moved });
        return { feedUrl: 'https://a.example/' };
      },
    }),
  ];
  const doneOf = doneWords(SOURCE_FORMS);
  const frame = createFramer({ style: 's', script: 's', icon: 'i', doneWords: doneOf, canSignIn: true });
  const baseUrl = () => 'https://hub.example/';
  const store = { recentChanges: async () => [], pageOf: async () => undefined };
  const keys = { newestOf: () => undefined };
  const catalogue = EMPTY_CATALOGUE;
  const views = [
    overviewView({ watch, catalogue, recentChanges: () => [], links: () => [], baseUrl, now }),
    sourcePageView({
      watch,
      store,
      catalogue,
      shelves: new HubShelves([]),
      keys,
      webSubOf: () => undefined,
      baseUrl,
      now,
    }),
    sourceEditView({ watch }),
  ];
  const routes = [
    ...viewRoutes(views, { viewers, frame }),
    ...formRoutes(SOURCE_FORMS, { viewers, frame, routes: () => api }),
  ];
  const press = (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    callRoute(routes, `POST /sources/${path}`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new TextEncoder().encode(String(new URLSearchParams({ form_token: 'token-of-ann', ...fields }))),
    });
  const page = async (path: string) => textOf(await callRoute(routes, `GET /${path}`));
  return { watch, press, page, retrusted };
}

test('a source is checked, paused with a reason, resumed, and allowed to lose much', async () => {
  const { watch, press, page } = lab([watchedSource(siteConfig('docs'), { health: READ })]);
  const checked = await press('docs/check');
  expect(checked).toMatchObject({ status: 303, headers: { location: '../../sources/docs?done=sources-check' } });
  expect(await page('sources/docs?done=sources-check')).toContain('It is looked at now.');
  expect((await press('docs/pause', { reason: HOSTILE })).status).toBe(303);
  expect(watch.source('docs')?.paused).toBe(HOSTILE.trim());
  const paused = await page('sources/docs');
  expect(paused).toContain('<b>Paused by the operator</b>: <bdi>&quot;&gt;&lt;script&gt;');
  expect(paused).not.toMatch(/<script(?! src)/);
  expect((await press('docs/check')).status).toBe(409);
  expect((await press('docs/resume')).status).toBe(303);
  expect(watch.source('docs')).not.toHaveProperty('paused');
  await press('docs/pause', { reason: ' ' });
  expect(watch.source('docs')?.paused).toBe('paused by the operator');
  expect((await press('docs/allow-deletes')).status).toBe(303);
  expect(watch.source('docs')).toMatchObject({ allowDeletes: true });
  expect((await press('docs/pause', { reason: 'x'.repeat(501) })).status).toBe(400);
  expect((await press('gone/check')).status).toBe(404);
});

test('what is lost by it is for an admin, and only where the source was not written into the config', async () => {
  const sources = () => [
    watchedSource(siteConfig('docs'), { health: READ }),
    watchedSource(siteConfig('fixed'), { health: READ, origin: 'config' }),
  ];
  const operator = lab(sources());
  expect((await operator.press('docs/remove')).status).toBe(403);
  expect((await operator.press('docs/retrust')).status).toBe(403);
  expect(await operator.page('sources/docs')).not.toContain('Remove');
  const admin = lab(sources(), 'admin');
  expect(await admin.page('sources/docs')).toContain(
    '<details class="confirm"><summary>Remove …</summary><p>What is known of it is forgotten',
  );
  expect(await admin.page('sources/fixed')).not.toContain('Remove');
  expect((await admin.press('fixed/remove')).status).toBe(409);
  expect(await admin.press('docs/remove')).toMatchObject({
    headers: { location: '../../sources?done=sources-remove' },
  });
  expect(admin.watch.source('docs')).toBeUndefined();
  expect((await admin.press('fixed/retrust', { moved: 'on' })).status).toBe(303);
  expect(admin.retrusted).toEqual([{ id: 'fixed', moved: true }]);
});

test('who only reads, nobody, and other sites press nothing', async () => {
  const sources = [watchedSource(siteConfig('docs'), { health: READ })];
  for (const role of ['read', 'nobody'] as const) {
    const { press, page, watch } = lab(sources, role);
    expect((await press('docs/pause')).status).toBe(403);
    expect(await page('sources/docs')).not.toContain('<form method="post" action="../sources');
    expect(watch.source('docs')?.paused).toBeUndefined();
  }
  const { press, watch } = lab(sources);
  expect((await press('docs/pause', {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await press('docs/pause', { form_token: 'guessed' })).status).toBe(403);
  expect(watch.source('docs')?.paused).toBeUndefined();
});

test('each trouble has its remedy, on the overview and on its own page, for who signed in', async () => {
  const health = (rest: object) => ({ health: { ...READ, ...rest } });
  const quiet = { lastChangeMs: NOW - 1e9, changeGapsMs: Array(6).fill(60_000), intervalMs: 60_000 };
  const sources = [
    watchedSource(siteConfig('broken'), health({ failures: 1, error: { code: 'DnsError', message: 'No such name.' } })),
    watchedSource(siteConfig('fallen'), health({ fallback: 0 })),
    watchedSource(siteConfig('gone'), health({ failures: 1, error: STOPPED })),
    watchedSource(siteConfig('odd'), health({ unstable: ['https://odd.example/'] })),
    watchedSource(siteConfig('part'), health({ unread: 2 })),
    watchedSource(siteConfig('quiet'), health(quiet)),
    watchedSource(siteConfig('ended'), health({ failures: 1, error: ENDED })),
  ];
  const admin = lab(sources, 'admin');
  const overview = await admin.page('');
  const wanted = [
    'action="./sources/broken/check"',
    'action="./sources/fallen/check"',
    'action="./sources/gone/allow-deletes"',
    'action="./sources/ended/retrust"',
    'href="./sources/quiet#honesty"',
    'href="./sources/odd#held-back"',
    'href="./sources/part#checks"',
  ];
  for (const part of wanted) expect(overview).toContain(part);
  expect(overview.match(/class="remedy"/g)).toHaveLength(7);
  expect(overview).toContain(
    'Much of the source vanished at once, and nothing of that was told. If it is right, allow it.',
  );
  const gone = await admin.page('sources/gone');
  expect(gone.match(/action="\.\.\/sources\/gone\/allow-deletes"/g)).toHaveLength(1);
  expect(gone).toContain('Look at the source first');
  expect(await lab(sources, 'nobody').page('')).not.toContain('class="remedy"');
  const reader = await lab(sources, 'read').page('');
  expect(reader.match(/class="remedy"/g)).toHaveLength(7);
  expect(reader).not.toContain('action="./sources');
});

test('settings are shown to be edited, and what is sent back unchanged changes nothing', async () => {
  const config = { ...siteConfig('docs'), title: HOSTILE, ignore: ['.ad', '/log/**'], intervalSeconds: 600 };
  const { watch, press, page } = lab([watchedSource(config, { health: READ })]);
  const form = await page('sources/docs/edit');
  expect(form).toContain('name="title" value="&quot;&gt;&lt;script&gt;');
  expect(form).toContain(
    '<textarea id="ignore" name="ignore" rows="4" aria-describedby="ignore-hint">\n.ad\n/log/**</textarea>',
  );
  expect(form).not.toMatch(/<script(?! src)/);
  expect(form).not.toContain('cleanUrls');
  const same = {
    title: HOSTILE,
    intervalSeconds: '600',
    tags: '',
    ignore: '.ad\r\n/log/**\r\n',
    only: '',
    maxPages: '',
  };
  expect((await press('docs/edit', same)).status).toBe(303);
  expect(watch.source('docs')?.config).toEqual({ ...config, title: HOSTILE.trim() });
  expect(
    (await press('docs/edit', { title: 'Docs', ignore: '', only: ' article ', url: 'https://x.example/' })).status,
  ).toBe(303);
  expect(watch.source('docs')?.config).toEqual({
    ...siteConfig('docs'),
    title: 'Docs',
    only: ['article'],
    intervalSeconds: 600,
  });
  const refused = await press('docs/edit', { intervalSeconds: '1e3' });
  expect(refused.status).toBe(400);
  expect(textOf(refused)).toContain('intervalSeconds');
  expect((await press('docs/edit', { only: 'a[' })).status).toBe(400);
});

test('what stands in the config is told so, and a folder has its own settings', async () => {
  const folder = {
    id: 'built',
    kind: 'folder',
    path: '/srv/site',
    site: 'https://built.example/',
    cleanUrls: true,
  } as const;
  const { watch, press, page } = lab([watchedSource(siteConfig('fixed'), { origin: 'config' }), watchedSource(folder)]);
  expect(await page('sources/fixed/edit')).toContain('It stands in the config file of the hub.');
  expect(await page('sources/fixed/edit')).not.toContain('<textarea');
  expect((await press('fixed/edit', { title: 'x' })).status).toBe(409);
  expect(await page('sources/built/edit')).toContain('<option value="true" selected>yes</option>');
  await press('built/edit', { cleanUrls: '' });
  expect(watch.source('built')?.config).not.toHaveProperty('cleanUrls');
  const { page: outsidePage } = lab([watchedSource(folder)], 'nobody');
  expect(await outsidePage('sources/built')).not.toContain('/srv');
});
