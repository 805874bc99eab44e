import { expect, test } from 'vitest';
import { callRoute, jsonOf } from '../../../test/support/call-route.ts';
import { matchesSchema } from '../../../test/support/json-schema.ts';
import { linking, pageOf, type Served, sitemapOf, startLiveSite } from '../../../test/support/live-site.ts';
import { openPreviewLab, type PreviewLabOptions } from '../../../test/support/preview-lab.ts';
import { decodeSource } from '../config/decode-source.ts';
import { OPENAPI_SCHEMAS } from '../http/openapi-schemas.ts';
import { previewRoute } from '../routes/preview-route.ts';
import type { SourcePreview } from './source-preview.ts';

const names = (count: number) => Array.from({ length: count }, (_, number) => `p${number}`);

/** What the API says of a site; everything that it says is as described, and its setting can be taken as it is. */
async function previewed(body: object, options: PreviewLabOptions = {}): Promise<SourcePreview> {
  await using lab = await openPreviewLab(options);
  const answer = await callRoute([previewRoute(lab.previewer)], 'POST /api/v1/sources/preview', { body });
  const preview = jsonOf(answer);
  expect([answer.status, preview.detail]).toEqual([200, undefined]);
  const { Health: _, ...$defs } = OPENAPI_SCHEMAS;
  const written = JSON.stringify({ $ref: '#/$defs/SourcePreview', $defs });
  expect(matchesSchema(JSON.parse(written.replaceAll('#/components/schemas/', '#/$defs/')), preview)).toBe(true);
  const dialects = ['aicf', 'atom', 'rss'];
  expect(decodeSource(preview.source, { allowPrivate: true, dialects })).toEqual(preview.source);
  return preview;
}

async function siteOf(count: number) {
  const site = await startLiveSite(Object.fromEntries(names(count).map((name) => [`/${name}`, pageOf(name)])));
  site.put({ '/': pageOf('Start'), '/sitemap.xml': sitemapOf(site.url, ['', ...names(count)]) });
  return site;
}

test('a preview says what a site offers, how three of its pages are read, and how it would be watched', async () => {
  await using site = await siteOf(40);
  const preview = await previewed({ url: site.url });
  expect(preview).toMatchObject({
    url: site.url,
    robots: { allowed: true },
    choice: { dialect: 'sitemap', reason: expect.stringContaining('a sitemap of 41 pages') },
    source: { id: expect.stringMatching(/^127_0_0_1_\d+$/), kind: 'auto', url: site.url, title: 'Start' },
  });
  expect(preview.pages.map(({ url, title }) => [url.replace(site.url, '/'), title])).toEqual([
    ['/', 'Start'],
    ['/p0', 'p0'],
    ['/p1', 'p1'],
  ]);
  expect(preview.pages[0]?.sections).toMatchObject([
    { heading: 'Start', text: 'An introduction to Start.' },
    { anchor: 'one', heading: 'One', level: 2, text: 'It says this.' },
    { anchor: 'two' },
    { anchor: 'three' },
  ]);
  expect(preview.pages[0]?.blocks.map(({ name, leftOut }) => [name, leftOut])).toEqual([
    ['nav', 'frame'],
    ['main', undefined],
    ['footer', 'frame'],
  ]);
  expect(site.takeRequests().length).toBeLessThan(60);
});

test('what a day costs is reckoned from what was found, and says how', async () => {
  await using site = await siteOf(40);
  const { cost } = await previewed({ url: site.url });
  // 41 pages with an ETag and one sitemap; each waits for 2 s.
  expect(cost?.perLook.requests).toBe(42);
  expect(cost?.words[0]).toBe('One look asks for 41 pages that 1 sitemap names: 1 + 41 = 42 requests.');
  expect(cost?.words[1]).toMatch(/^\d+ bytes of sitemaps \+ 41 × 300 bytes .* = \d+ bytes\.$/);
  expect(cost?.perDay.atFirst).toMatchObject({ everySeconds: 15 * 60 + 84, looks: 88, requests: 88 * 42 });
  expect(cost?.perDay.quiet).toMatchObject({ looks: 1, requests: 42 });
  expect(cost?.isAtLeast).toBe(false);
});

test('a site with a feed costs one request a look', async () => {
  const at = '2026-11-01T00:00:00Z';
  const entry = `<entry><id>urn:a:1</id><title>One</title><updated>${at}</updated><link href="/one"/></entry>`;
  await using site = await startLiveSite({
    '/': pageOf('Start').replace(
      '</head>',
      '<link rel="alternate" type="application/atom+xml" href="/feed.xml"></head>',
    ),
    '/one': pageOf('One'),
    '/feed.xml': `<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:a</id><title>N</title><updated>${at}</updated>${entry}</feed>`,
  });
  const { choice, cost, pages } = await previewed({ url: site.url });
  expect(choice).toMatchObject({ dialect: 'atom' });
  expect(cost).toMatchObject({ perLook: { requests: 1, bytes: 300 }, perDay: { busy: { looks: 144 } } });
  expect(pages.map(({ title }) => title).slice(0, 2)).toEqual(['Start', 'One']);
  expect(pages[2]?.failure).toMatchObject({ code: 'PageGoneError' });
});

test('a site without a sitemap costs at least what its first page leads to', async () => {
  await using site = await startLiveSite({
    '/': linking('Home', '/a', '/b', '/c'),
    '/a': pageOf('A'),
    '/b': pageOf('B'),
  });
  const { cost, pages } = await previewed({ url: site.url });
  expect(cost).toMatchObject({ isAtLeast: true, perLook: { requests: 5 } });
  expect(pages).toHaveLength(3);
});

test('a site with sitemaps without end is not asked for all of them', async () => {
  await using site = await startLiveSite({ '/': pageOf('Start'), '/p0': pageOf('A') });
  const parts = names(100).map((name) => `<sitemap><loc>${site.url}${name}.xml</loc></sitemap>`);
  site.put({ '/sitemap.xml': `<sitemapindex>${parts.join('')}</sitemapindex>` });
  for (const name of names(100)) site.put({ [`/${name}.xml`]: sitemapOf(site.url, [name]) });
  const { cost, spent } = await previewed({ url: site.url });
  expect(cost?.isAtLeast).toBe(true);
  expect(cost?.words[0]).toContain('at least');
  expect([site.takeRequests().length < 60, spent.requests < 60]).toEqual([true, true]);
});

test('rules are tried on what was read, and the site is not asked again for that', async () => {
  await using site = await siteOf(5);
  await using lab = await openPreviewLab();
  const { signal } = new AbortController();
  const ask = (more: object) => lab.previewer.preview({ url: site.url, ...more }, signal);
  await ask({});
  expect(site.takeRequests().length).toBeGreaterThan(3);
  const { pages, source } = await ask({ ignore: ['body > main > h2', '/p0'] });
  expect(site.takeRequests()).toEqual([]);
  expect(source).toMatchObject({ ignore: ['body > main > h2', '/p0'] });
  expect(pages[0]?.sections.map(({ heading }) => heading)).toEqual(['Start']);
  expect(pages[1]?.remarks).toEqual(['A rule leaves this page out.']);
  await ask({ again: true });
  expect(site.takeRequests().length).toBeGreaterThan(3);
});

test('the id is free, and what is watched already is said', async () => {
  await using site = await siteOf(1);
  const id = `127_0_0_1_${new URL(site.url).port}`;
  const { source, watchedAs } = await previewed({ url: site.url }, { watched: [{ id, kind: 'site', url: site.url }] });
  expect([source.id === id, watchedAs]).toEqual([false, id]);
});

test.each([
  ['terms.html', { kind: 'page' }],
  ['search?q=x', { kind: 'page' }],
  ['guide', { kind: 'auto' }],
  ['sitemap.xml', { kind: 'site' }],
  ['feed.xml', { kind: 'feed', dialect: 'atom' }],
])('%s is proposed as %j', async (path, expected) => {
  await using site = await startLiveSite({ [`/${path}`]: pageOf('A') });
  expect((await previewed({ url: site.url + path })).source).toMatchObject(expected);
});

test.each([
  ['no address', {}, /^url /],
  ['an address that is none', { url: 'docs' }, /^url /],
  ['a password', { url: 'https://a:b@docs.example/' }, /^url .*password/],
  ['a rule that is none', { url: 'https://docs.example/', ignore: ['a:hover'] }, /^ignore\[0\] /],
  ['an unknown key', { url: 'https://docs.example/', kind: 'site' }, /^kind .*unknown/],
])('%s is refused', async (_, body, detail) => {
  await using lab = await openPreviewLab();
  const answer = await callRoute([previewRoute(lab.previewer)], 'POST /api/v1/sources/preview', { body });
  expect([answer.status, jsonOf(answer).setting]).toEqual([400, expect.any(String)]);
  expect(jsonOf(answer).detail).toMatch(detail);
});

test('private addresses are refused', async () => {
  await using secret = await startLiveSite({ '/': pageOf('Secret') });
  await using lab = await openPreviewLab({ allowPrivate: false });
  const answer = await callRoute([previewRoute(lab.previewer)], 'POST /api/v1/sources/preview', {
    body: { url: secret.url },
  });
  expect([answer.status, jsonOf(answer).code]).toEqual([403, 'AddressRefusedError']);
  expect(secret.takeRequests()).toEqual([]);
});

/** What is no site of pages says why, and may be watched all the same. */
test.each<[string, Served, string, RegExp]>([
  ['one that fails', { status: 500 }, 'PageStatusError', /status 500/],
  ['one behind a wall', { status: 401 }, 'AccessDeniedError', /asks for a login/],
  ['a picture', { status: 200, headers: { 'content-type': 'image/png' }, body: 'png' }, 'NotAPageError', /image\/png/],
  [
    'one without end',
    (response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      const piece = 'x'.repeat(1_000_000);
      const more = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', more);
      more();
    },
    'BodyTooLargeError',
    /larger|over|bytes/,
  ],
])('%s cannot be read', async (_, served, code, message) => {
  await using site = await startLiveSite({ '/': served });
  const { failure, pages, cost } = await previewed({ url: site.url });
  expect(failure).toMatchObject({ code, message: expect.stringMatching(message) });
  expect([pages, cost]).toEqual([[], undefined]);
});

test('a site whose robots.txt forbids it says so', async () => {
  await using site = await siteOf(2);
  site.put({ '/robots.txt': 'User-agent: *\nDisallow: /' });
  const { robots, failure, pages } = await previewed({ url: site.url });
  expect([robots, pages]).toEqual([{ allowed: false }, []]);
  expect(failure?.code).toBe('RobotsDeniedError');
  expect(site.takeRequests().filter((request) => request.includes('/p') || request.includes('sitemap'))).toEqual([]);
});

test('a page that asks to sign in is told', async () => {
  const login = '<title>Sign in</title><main><h1>Sign in</h1><form><input type="password"></form></main>';
  await using site = await startLiveSite({ '/': login });
  const { pages } = await previewed({ url: site.url });
  expect(pages[0]?.remarks[0]).toContain('asks its reader to sign in');
});

test('a site that does not answer in time costs no more than that time', async () => {
  const stop = new AbortController();
  await using site = await startLiveSite({ '/': () => stop.abort(new Error('late')) });
  const { failure } = await previewed({ url: site.url }, { deadline: () => stop.signal });
  expect(failure).toMatchObject({ code: 'DeadlineError' });
});

test('also one that nothing can stop ends in time', async () => {
  const stop = new AbortController();
  const never = new Promise<never>(() => {});
  await using lab = await openPreviewLab({ deadline: () => stop.signal, ways: { mayFetch: () => never } });
  const preview = lab.previewer.preview({ url: 'https://docs.example/' }, new AbortController().signal);
  stop.abort();
  expect(await preview).toMatchObject({ failure: { code: 'DeadlineError' }, source: { id: 'docs_example' } });
});

test('a page that is too large to be shown says so, and counts', async () => {
  await using site = await startLiveSite({ '/': `<title>Large</title><main><p>${'word '.repeat(250_000)}</p></main>` });
  const { pages, cost } = await previewed({ url: site.url });
  expect(pages).toMatchObject([{ blocks: [], remarks: [expect.stringContaining('too large to be shown')] }]);
  expect(cost?.perLook).toEqual({ requests: 1, bytes: 300 });
});

test('no more than four are made at a time', async () => {
  const waiting: (() => void)[] = [];
  await using site = await startLiveSite({
    '/robots.txt': (response) => void waiting.push(() => response.writeHead(404).end()),
  });
  await using lab = await openPreviewLab();
  const { signal } = new AbortController();
  const ask = (path: string) => lab.previewer.preview({ url: `${site.url}${path}` }, signal);
  const four = ['a', 'b', 'c', 'd'].map(ask);
  await expect.poll(() => waiting.length).toBeGreaterThan(0);
  await expect(ask('e')).rejects.toThrow(/4 previews are made/);
  for (const answer of waiting) answer();
  await Promise.all(four);
});

test('hostile titles, ids and classes stay text, and rules stay rules', async () => {
  const bad = '</textarea><script>alert(1)</script>\u202E';
  await using site = await startLiveSite({
    '/': `<title>${'T'.repeat(5000)}\u202E</title><main><h1>x</h1><div class="a,main b\\" id='"]{}'>${bad}words</div></main>`,
  });
  const { source, pages } = await previewed({ url: site.url });
  expect(source.title?.length).toBeLessThanOrEqual(200);
  expect(source.title).not.toContain('\u202E');
  expect(pages[0]?.blocks[0]?.blocks.map(({ rule }) => rule)).toEqual(['main > h1', '#\\"\\]\\{\\}']);
});
