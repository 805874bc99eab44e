import { expect, test } from 'vitest';
import { type LiveSite, linking, pageOf, sitemapOf, startLiveSite } from '../../test/support/live-site.ts';
import { type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { steadyFiles } from '../../test/support/steady-files.ts';
import { decodeEvents } from '../codecs/aicf/decode.ts';
import { AddressRefusedError } from '../errors/fetch-error.ts';
import { SafetyStopError } from '../errors/safety-stop-error.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { type PublishOptions, publish } from './publish.ts';

const FEED = 'ai-changes.ndjson';

const withHead = (html: string, head: string) => html.replace('</head>', `${head}</head>`);
const canonical = (title: string, href: string) => withHead(pageOf(title), `<link rel="canonical" href="${href}">`);
const redirect = (location: string, status = 301) => ({ status, headers: { location } });

const publishLive = (site: LiveSite, out: TestFolder, options: Partial<PublishOptions> = {}) =>
  publish({ url: site.url, out: out.path, allowPrivate: true, force: true, cooldownMs: 0, ...options });
const told = (out: TestFolder, base: string) =>
  decodeEvents(out.read(FEED)).events.map(({ action, url }) => `${action} ${url.replace(base, '/')}`);
const list = (site: LiveSite, ...paths: readonly string[]) => site.put({ '/sitemap.xml': sitemapOf(site.url, paths) });
const names = (count: number) => Array.from({ length: count }, (_, number) => `p${number}`);

async function siteOf(...paths: readonly string[]): Promise<LiveSite> {
  const site = await startLiveSite(Object.fromEntries(paths.map((path) => [`/${path}`, pageOf(`Page ${path}`)])));
  list(site, ...paths);
  return site;
}

test('addresses that lead to one page are one page, under the address where it is', async () => {
  await using site = await startLiveSite({
    '/a': redirect('/a/'),
    '/a/': pageOf('A'),
    '/old': redirect('/a', 302),
    '/b?print': canonical('B', '/b'),
    '/b': pageOf('B'),
    '/slash': canonical('Slash', '/slash/'),
    '/slash/': redirect('/slash'),
    '/here': canonical('Here', '/there'),
    '/there': canonical('There', '/here'),
    '/lost': canonical('Lost', '/nowhere'),
    '/stub': '<!doctype html><meta http-equiv="refresh" content="0; url=/a/"><p>Moved',
    '/session': redirect('/session?id=1'),
    '/session?id=1': pageOf('Session'),
    '/away': redirect('http://localhost:1/'),
    '/loop': redirect('/loop'),
  });
  list(site, 'old', 'a', 'a/', 'b?print', 'b', 'slash', 'here', 'there', 'lost', 'stub', 'session');
  using out = temporaryFolder();
  const expected = ['/a/', '/b', '/lost', '/session', '/slash', '/there'];
  expect(await publishLive(site, out)).toMatchObject({ created: expected.length, failed: [] });
  expect(told(out, site.url)).toEqual(expected.map((path) => `create ${path}`));

  const before = steadyFiles(out);
  for (const order of [
    ['there', 'here', 'slash', 'b', 'a/', 'a', 'old', 'lost', 'stub', 'session'],
    ['b?print', 'here', 'a', 'lost', 'session', 'slash'],
  ]) {
    list(site, ...order);
    expect(await publishLive(site, out)).toMatchObject({ changes: [], failed: [] });
    expect(steadyFiles(out)).toEqual(before);
  }
});

test('pages found by links keep their addresses over runs, whatever names what', async () => {
  await using site = await startLiveSite({
    '/': linking('Home', 'index.html', 'here', 'there', 'dir/index.html', 'only/index.html'),
    '/index.html': linking('Home', 'index.html', 'here', 'there', 'dir/index.html', 'only/index.html'),
    '/here': canonical('Here', '/there'),
    '/there': canonical('There', '/here'),
    '/dir/': pageOf('Dir'),
    '/dir/index.html': pageOf('Dir'),
    '/only/index.html': pageOf('Only'),
  });
  using out = temporaryFolder();
  await publishLive(site, out);
  expect(told(out, site.url)).toEqual(['create /', 'create /dir/', 'create /only/index.html', 'create /there']);
  const before = steadyFiles(out);
  for (let run = 0; run < 3; run += 1) {
    expect(await publishLive(site, out)).toMatchObject({ changes: [], failed: [] });
    expect(steadyFiles(out)).toEqual(before);
  }
});

test('pages that name each other keep their addresses, also when the host has no validators', async () => {
  const bare = (html: string) => ({ status: 200, body: html });
  await using site = await startLiveSite({
    '/': bare(linking('Home', 'here', 'there')),
    '/here': bare(canonical('Here', '/there')),
    '/there': bare(canonical('There', '/here')),
  });
  using out = temporaryFolder();
  await publishLive(site, out);
  expect(told(out, site.url)).toEqual(['create /', 'create /there']);
  for (let run = 0; run < 2; run += 1) {
    expect(await publishLive(site, out)).toMatchObject({ changes: [], failed: [], unchanged: 2 });
  }
});

test('a page that moved is deleted where it was and created where it is', async () => {
  await using site = await siteOf('', 'a', 'b', 'c');
  using out = temporaryFolder();
  await publishLive(site, out);
  site.put({ '/a': redirect('/a/'), '/a/': pageOf('Page a') });
  expect(await publishLive(site, out)).toMatchObject({ created: 1, deleted: 1, failed: [] });
  expect(told(out, site.url).slice(4)).toEqual(['create /a/', 'delete /a']);

  // Three that lead to one place lead to a wall.
  site.put({
    '/': redirect('/login'),
    '/b': redirect('/login'),
    '/c': redirect('/login'),
    '/login': pageOf('Log in'),
  });
  const report = await publishLive(site, out);
  expect(report).toMatchObject({
    deleted: 0,
    failed: [{ file: site.url }, { file: `${site.url}b` }, { file: `${site.url}c` }],
  });
  expect(await publishLive(site, out, { allowDeletes: true })).toMatchObject({ deleted: 3, failed: [] });
});

test('the deletion breaker guards live sites, too', async () => {
  await using site = await siteOf(...names(20));
  using out = temporaryFolder();
  await publishLive(site, out);
  const before = out.fingerprint();
  list(site, ...names(9));
  await expect(publishLive(site, out)).rejects.toThrow(SafetyStopError);
  for (const name of names(20)) site.remove(`/${name}`);
  list(site, ...names(20));
  await expect(publishLive(site, out)).rejects.toThrow(/20 pages would be deleted/);
  expect(out.fingerprint()).toEqual(before);
  expect(await publishLive(site, out, { allowDeletes: true })).toMatchObject({ pages: 0, deleted: 20 });
});

test('pages that all say the same from one day to the next are not believed', async () => {
  await using site = await siteOf(...names(20));
  using out = temporaryFolder();
  await publishLive(site, out);
  const before = steadyFiles(out);
  const away = '<!doctype html><title>Maintenance</title><main><h1>We are away</h1><p>Back soon.</p></main>';
  for (const name of names(4)) site.put({ [`/${name}`]: away });
  site.put({ '/new': away });
  list(site, ...names(20), 'new');
  const few = await publishLive(site, out);
  expect(few).toMatchObject({ pages: 20, changes: [] });
  expect(few.failed).toHaveLength(5);
  for (const name of names(20)) site.put({ [`/${name}`]: away });
  await expect(publishLive(site, out)).rejects.toThrow(/20 of 20 pages say the same now/);
  expect(steadyFiles(out)).toEqual(before);
  expect(await publishLive(site, out, { allowDeletes: true })).toMatchObject({ updated: 20, created: 1, failed: [] });
});

test('a site that stops answering is not asked for each of its pages, and those are named', async () => {
  await using site = await siteOf(...names(30));
  using out = temporaryFolder();
  await publishLive(site, out);
  const before = steadyFiles(out);
  for (const name of names(30).slice(3)) site.put({ [`/${name}`]: { status: 502 } });
  site.takeRequests();
  const report = await publishLive(site, out);
  expect(report).toMatchObject({ pages: 30, changes: [] });
  expect(report.failed).toHaveLength(27);
  expect(site.takeRequests().filter((request) => request.startsWith('502'))).toHaveLength(8);
  for (const name of names(30)) site.put({ [`/${name}`]: { status: 429 } });
  expect((await publishLive(site, out)).failed).toHaveLength(30);
  expect(site.takeRequests().filter((request) => request.startsWith('429'))).toHaveLength(1);
  expect(steadyFiles(out)).toEqual(before);
});

test('a page that only a failing address leads to is not taken for unlisted', async () => {
  await using site = await siteOf('', 'u', 'v');
  site.put({ '/u': redirect('/final'), '/final': pageOf('Final') });
  using out = temporaryFolder();
  await publishLive(site, out);
  site.put({ '/u': { status: 500 } });
  list(site, '', 'u');
  expect(await publishLive(site, out)).toMatchObject({ pages: 3, deleted: 0, failed: [{ file: `${site.url}u` }] });
  // What its host says is another matter.
  site.remove('/v');
  expect(await publishLive(site, out)).toMatchObject({ pages: 2, deleted: 1, failed: [{ file: `${site.url}u` }] });
});

test('a page that leads to a dead end on another host is not gone', async () => {
  await using other = await startLiveSite();
  await using site = await siteOf('', 'a');
  using out = temporaryFolder();
  await publishLive(site, out);
  site.put({ '/a': redirect(`${other.url}none`) });
  expect(await publishLive(site, out)).toMatchObject({ deleted: 0, failed: [{ file: `${site.url}a` }] });
  expect(other.takeRequests()).toContain('404 /none');
});

test('more pages than may be read: the others stay as they were, and that is said', async () => {
  await using site = await siteOf(...names(12));
  using out = temporaryFolder();
  expect(await publishLive(site, out, { maxPages: 10 })).toMatchObject({
    created: 10,
    failed: [{ message: expect.stringContaining('more than 10 pages') }],
  });
  expect(await publishLive(site, out)).toMatchObject({ created: 2, failed: [] });
  expect(await publishLive(site, out, { maxPages: 5 })).toMatchObject({ pages: 12, changes: [], failed: [{}] });
});

test('traps have an end: calendars, and paths that grow by themselves', async () => {
  await using site = await startLiveSite({ '/': linking('Home', 'month/1', 'deep/') });
  for (let month = 1; month < 200; month += 1)
    site.put({ [`/month/${month}`]: linking(`Month ${month}`, `${month + 1}`) });
  for (let path = '/deep/'; path.length < 400; path += 'deep/') site.put({ [path]: linking(`Deep ${path}`, 'deep/') });
  using out = temporaryFolder();
  const report = await publishLive(site, out);
  expect(report).toMatchObject({ created: 1 + 64 + 3, failed: [] });
  expect(report.skipped?.map(({ message }) => message).join()).toContain('64 links away');
  // The trap does not go on where the last run stopped.
  expect(await publishLive(site, out)).toMatchObject({ created: 0 });
});

test('a hostile sitemap reaches nobody else, and ends', async () => {
  await using other = await startLiveSite({ '/x': pageOf('X'), '/s.xml': sitemapOf('http://127.0.0.1:1/', ['x']) });
  await using site = await siteOf('');
  const entry = (loc: string) => `<sitemap><loc>${loc}</loc></sitemap>`;
  const many = Array.from({ length: 600 }, (_, number) => entry(`${site.url}s${number}.xml`)).join('');
  site.put({
    '/robots.txt': `Sitemap: ${site.url}index.xml\nSitemap: ${site.url}pages.xml\nSitemap: ${site.url}lol.xml`,
    '/index.xml': `<sitemapindex>${entry(`${other.url}s.xml`)}${entry('http://169.254.169.254/s.xml')}${many}</sitemapindex>`,
    '/pages.xml': sitemapOf(site.url, [
      '',
      `${other.url}x`,
      'http://[::1]/',
      'http://169.254.169.254/',
      `${site.url.replace('//', '//u:p@')}a`,
    ]),
    '/lol.xml': '<!DOCTYPE urlset [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>',
  });
  using out = temporaryFolder();
  const report = await publishLive(site, out);
  expect(report.pages).toBe(1);
  expect(report.failed.map(({ message }) => message).join('\n')).toMatch(
    /another host[\s\S]*DOCTYPE[\s\S]*more than 500/,
  );
  expect(other.takeRequests()).toEqual([]);
  expect(site.takeRequests().length).toBeLessThan(520);
});

test('a run can be stopped at any page, and leaves what was there', async () => {
  await using site = await siteOf(...names(5));
  using out = temporaryFolder();
  await publishLive(site, out);
  const before = out.fingerprint();
  const stop = new AbortController();
  site.put({ '/p0': pageOf('Page p0', 'Other.'), '/p3': () => stop.abort() });
  await expect(publishLive(site, out, { signal: stop.signal })).rejects.toThrow();
  expect(out.fingerprint()).toEqual(before);
  site.put({ '/p3': pageOf('Page p3') });
  expect(await publishLive(site, out)).toMatchObject({ updated: 1, unchanged: 4, failed: [] });
});

test('a copy of the site elsewhere is published under its public address', async () => {
  const PUBLIC = 'https://docs.example/guide/';
  await using site = await startLiveSite({
    '/copy/': withHead(
      linking('Home', '/copy/a', `${PUBLIC}b`, '/elsewhere'),
      `<link rel="canonical" href="${PUBLIC}">`,
    ),
    '/copy/a': canonical('A', `${PUBLIC}a`),
    '/copy/b': pageOf('B'),
    '/elsewhere': pageOf('Elsewhere'),
  });
  using out = temporaryFolder();
  const url = `${site.url}copy/`;
  expect(await publishLive(site, out, { url, site: PUBLIC, force: false })).toMatchObject({ created: 3, failed: [] });
  expect(told(out, PUBLIC)).toEqual(['create /', 'create /a', 'create /b']);
  const before = steadyFiles(out);
  expect(await publishLive(site, out, { url, site: PUBLIC })).toMatchObject({ changes: [] });
  expect(steadyFiles(out)).toEqual(before);
});

test('goes on from what was published elsewhere, and keeps its state apart', async () => {
  await using site = await siteOf('', 'a');
  using out = temporaryFolder();
  using state = temporaryFolder();
  using apart = temporaryFolder();
  await publishLive(site, apart, { state: state.path });
  expect(Object.keys(state.fingerprint())).toEqual(['lists.json', 'log.ndjson', 'pages.ndjson']);
  expect(await publishLive(site, apart, { state: state.path })).toMatchObject({ changes: [], unchanged: 2 });
  await publishLive(site, out);
  using fresh = temporaryFolder();
  site.takeRequests();
  expect(await publishLive(site, fresh, { previous: out.path })).toMatchObject({ changes: [], unchanged: 2 });
  expect(site.takeRequests().filter((request) => request.startsWith('304'))).toHaveLength(2);
  expect(fresh.read(FEED)).toBe(out.read(FEED));
});

test('a state that was written for a folder is read on', async () => {
  await using site = await siteOf('', 'a.html');
  using out = temporaryFolder();
  out.write({ 'index.html': pageOf('Page '), 'a.html': pageOf('Page a.html') });
  await publish({ dir: out.path, site: site.url, force: true });
  expect(await publishLive(site, out)).toMatchObject({ changes: [], unchanged: 2, failed: [] });
  expect(await publish({ dir: out.path, site: site.url, force: true })).toMatchObject({ changes: [], unchanged: 2 });
});

test('what the sitemap claims of a page’s age stands in the log as a claim', async () => {
  await using site = await startLiveSite({ '/': pageOf('Home') });
  site.put({ '/sitemap.xml': `<urlset><url><loc>${site.url}</loc><lastmod>2020-02-02</lastmod></url></urlset>` });
  using out = temporaryFolder();
  await publishLive(site, out);
  expect(out.read('.well-known/tidings/log.ndjson')).toContain('"claimedTime":"2020-02-02T00:00:00Z"');
  expect(decodeEvents(out.read(FEED)).events[0]?.time).not.toContain('2020');
});

test.each([
  ['is not there', { status: 404 }, /no page at/],
  ['leads elsewhere', redirect('http://localhost:1/', 302), /localhost/],
  ['is forbidden', { status: 403 }, /not public/],
  ['is no page', { status: 200, headers: { 'content-type': 'image/png' }, body: 'x' }, /image\/png/],
  [
    'is an empty frame',
    { status: 200, body: '<!doctype html><div id="app"></div><script src="/app.js"></script>' },
    /no text/,
  ],
])('a start that %s is named, and nothing is written', async (_, answer, message) => {
  await using site = await startLiveSite({ '/': answer });
  using out = temporaryFolder();
  const report = await publishLive(site, out);
  expect(report).toMatchObject({ pages: 0, failed: [{ file: site.url, message: expect.stringMatching(message) }] });
  expect(out.fingerprint()).toEqual({});
});

test('what is wrong with the settings is said before anybody is asked', async () => {
  await using site = await siteOf('');
  using out = temporaryFolder();
  await expect(publishLive(site, out, { out: undefined })).rejects.toThrow(SettingRefusedError);
  await expect(publishLive(site, out, { force: false })).rejects.toThrow(
    expect.objectContaining({ name: 'SiteRefusedError' }),
  );
  await expect(publishLive(site, out, { maxPages: 0 })).rejects.toThrow(/max-pages/);
  await expect(publishLive(site, out, { url: `${site.url}?q=1` })).rejects.toThrow(
    expect.objectContaining({ name: 'SiteRefusedError' }),
  );
  expect(site.takeRequests()).toEqual([]);
  await expect(publishLive(site, out, { allowPrivate: false })).rejects.toThrow(AddressRefusedError);
  expect(site.takeRequests()).toEqual([]);
  expect(out.fingerprint()).toEqual({});
});
