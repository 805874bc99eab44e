import { expect, test } from 'vitest';
import { openVisitLab } from '../../../test/support/hub-visits.ts';
import { pageOf, type Served, startLiveSite } from '../../../test/support/live-site.ts';
import type { PageConfig } from '../config/source-config.ts';

const configOf = (urls: readonly string[], extra: Partial<PageConfig> = {}): PageConfig => ({
  id: 'terms',
  kind: 'page',
  urls,
  ...extra,
});
const redirect = (location: string) => ({ status: 302, headers: { location } });

test('pages are read by their names, unchanged they are not sent, and an edit is one update', async () => {
  await using site = await startLiveSite({
    '/terms': redirect('/v2/terms'),
    '/v2/terms': pageOf('Terms'),
    '/p': pageOf('P'),
  });
  await using lab = await openVisitLab(configOf([`${site.url}terms`, `${site.url}p#part`, `${site.url}p`]));
  expect(await lab.visit()).toEqual({ is: 'read', changes: 2, pages: 2, unread: 0, notes: [] });
  expect(lab.told(site.url)).toEqual(['create /terms', 'create /p']);
  lab.takeCommits();
  site.takeRequests();
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: 2 });
  expect(lab.takeCommits()).toEqual([]);
  expect(site.takeRequests()).toEqual(['302 /terms', '304 /v2/terms', '304 /p']);
  site.put({ '/v2/terms': pageOf('Terms', 'It says that.') });
  expect(await lab.visit()).toMatchObject({ changes: 1 });
  expect(lab.told(site.url)).toEqual(['update /terms#one']);
});

test('a page is gone when its host says so twice in two visits', async () => {
  await using site = await startLiveSite({ '/a': pageOf('A'), '/b': pageOf('B'), '/c': pageOf('C') });
  await using lab = await openVisitLab(configOf(['a', 'b', 'c'].map((path) => site.url + path)));
  await lab.visit();
  lab.told(site.url);
  let asked = 0;
  site.put({
    '/a': (response) => {
      asked += 1;
      if (asked === 1) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf('A'));
    },
  });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: 3, unread: 0 });
  expect(asked).toBe(2);

  site.remove('/a');
  site.takeRequests();
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: 3, unread: 0 });
  expect(site.takeRequests()).toEqual(['404 /a', '404 /a', '304 /b', '304 /c']);
  lab.advance(2000);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, pages: 2, unread: 0 });
  expect(lab.told(site.url)).toEqual(['delete /a']);
  // Once it is not known any more, its absence is a failure of that page.
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: 2, unread: 1 });
  site.put({ '/a': pageOf('A') });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, pages: 3, unread: 0 });
  expect(lab.told(site.url)).toEqual(['create /a']);
});

const FAILURES: readonly (readonly [string, Served, object])[] = [
  ['500', { status: 500 }, { code: 'PageStatusError', httpStatus: 500 }],
  ['401', { status: 401 }, { code: 'AccessDeniedError', httpStatus: 401 }],
  ['an image', { status: 200, headers: { 'content-type': 'image/png' }, body: 'x' }, { code: 'NotAPageError' }],
  ['nothing', '', { code: 'NotAPageError' }],
  ['no text', '<!doctype html><div id=app></div>', { code: 'NotAPageError' }],
  ['a redirect to a login', redirect('/login'), { code: 'NotAPageError' }],
  [
    'a redirect in the page',
    '<!doctype html><meta http-equiv=refresh content="0; url=/login"><main><h1>Moved</h1><p>See there.</p></main>',
    { code: 'NotAPageError' },
  ],
  ['a redirect to a dead end elsewhere', redirect('http://localhost:1/'), { code: 'ConnectionError' }],
  ['silence', (response) => void response.socket?.destroy(), { code: 'ConnectionError' }],
];

test.each(FAILURES)('a page that answers with %s fails and stays as it was', async (_, answer, error) => {
  await using site = await startLiveSite({
    '/a': pageOf('A'),
    '/login': '<!doctype html><main><h1>Log in</h1><p>Please.</p><input name=p type="password"></main>',
  });
  await using lab = await openVisitLab(configOf([`${site.url}a`]));
  await lab.visit();
  lab.takeCommits();
  site.put({ '/a': answer });
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0, error });
  site.put({ '/a': pageOf('A') });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
  expect(lab.takeCommits()).toEqual([]);
});

test('a page that was never there fails with its status', async () => {
  await using site = await startLiveSite();
  await using lab = await openVisitLab(configOf([`${site.url}a`]));
  expect(await lab.visit()).toMatchObject({ is: 'failed', error: { code: 'PageGoneError', httpStatus: 404 } });
});

test('a copy is read in place of a page that cannot be, but not of one that is gone', async () => {
  await using site = await startLiveSite({ '/a': pageOf('A') });
  await using mirror = await startLiveSite({ '/copy': pageOf('A') });
  await using lab = await openVisitLab(
    configOf([`${site.url}a`], { fallbacks: [`${mirror.url}none`, `${mirror.url}copy`] }),
  );
  await lab.visit();
  lab.told(site.url);
  lab.takeCommits();
  site.put({ '/a': { status: 500 } });
  expect(await lab.visit()).toMatchObject({ is: 'read', fallback: 1, changes: 0, pages: 1, unread: 0 });
  expect(lab.takeCommits()).toEqual([]);
  mirror.put({ '/copy': pageOf('A', 'It says that.') });
  expect(await lab.visit()).toMatchObject({ is: 'read', fallback: 1, changes: 1 });
  expect(lab.told(site.url)).toEqual(['update /a#one']);
  mirror.remove('/copy');
  expect(await lab.visit()).toMatchObject({ is: 'failed', error: { httpStatus: 500 } });
  site.remove('/a');
  mirror.put({ '/copy': pageOf('A') });
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0, error: { httpStatus: 404 } });
  lab.advance(2000);
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 1, error: { httpStatus: 404 } });
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0, error: { httpStatus: 404 } });
});

test('pages outside the filter are not asked for', async () => {
  await using site = await startLiveSite({ '/a': pageOf('A'), '/b': pageOf('B') });
  await using lab = await openVisitLab(configOf([`${site.url}a`, `${site.url}b`], { exclude: ['/b'] }));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, pages: 1 });
  expect(site.takeRequests().join()).not.toContain('/b');
  lab.configure(configOf([`${site.url}a`, `${site.url}b`], { include: ['/c'] }));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: 0, notes: [expect.any(String)] });
});

test('many pages that vanish at once stop the visit', async () => {
  const paths = Array.from({ length: 20 }, (_, number) => `p${number}`);
  await using site = await startLiveSite(Object.fromEntries(paths.map((path) => [`/${path}`, pageOf(path)])));
  await using lab = await openVisitLab(configOf(paths.map((path) => site.url + path)));
  await lab.visit();
  site.remove(...paths.slice(5).map((path) => `/${path}`));
  expect(await lab.visit()).toMatchObject({ is: 'failed', error: { code: 'SafetyStopError' }, changes: 0 });
  expect(await lab.visit({ allowDeletes: true })).toMatchObject({ is: 'read', changes: 15, pages: 5 });
});

test('pages that are not there are unread, but make no error of the others', async () => {
  await using site = await startLiveSite({ '/a': pageOf('A') });
  await using lab = await openVisitLab(configOf(['a', 'b', 'c'].map((path) => site.url + path)));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, pages: 1, unread: 2 });
  site.put({ '/b': { status: 500 } });
  expect(await lab.visit()).toMatchObject({ is: 'failed', error: { code: 'HalfReadError' } });
});
