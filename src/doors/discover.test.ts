import { expect, test } from 'vitest';
import { linking, pageOf, sitemapOf, startLiveSite } from '../../test/support/live-site.ts';
import { discover } from './discover.ts';

const look = (url: string) => discover(url, { allowPrivate: true, cooldownMs: 0 });

const atom = (updated: string) =>
  `<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:a</id><title>News</title><updated>${updated}</updated>` +
  `<entry><id>urn:a:1</id><title>One</title><updated>${updated}</updated><link href="/one"/></entry></feed>`;
const listed = (url: string, lastmod: string) =>
  sitemapOf(url, ['', 'a']).replaceAll('</loc>', `</loc><lastmod>${lastmod}</lastmod>`);
const naming = (feed: string) =>
  pageOf('Start').replace('</head>', `<link rel="alternate" type="application/atom+xml" href="${feed}"></head>`);

test('a site without feeds is followed by its sitemap, one without a sitemap by its pages', async () => {
  await using site = await startLiveSite({ '/': linking('Start', '/a'), '/a': pageOf('A') });
  const plain = await look(site.url);
  expect(plain.offers.map(({ dialect, state }) => `${dialect} ${state}`)).toEqual(['pages ok']);
  expect(plain.choice).toMatchObject({ dialect: 'pages', url: site.url });
  expect(plain).toMatchObject({ terms: [], uses: {} });
  site.put({ '/sitemap.xml': listed(site.url, '2026-11-01T00:00:00Z') });
  const { offers, choice } = await look(site.url);
  expect(offers).toMatchObject([
    { dialect: 'sitemap', state: 'ok', newest: '2026-11-01T00:00:00Z' },
    { dialect: 'pages' },
  ]);
  expect(choice?.dialect).toBe('sitemap');
});

test('a feed comes first, unless it has been silent while the sitemap tells of edits', async () => {
  await using site = await startLiveSite({
    '/': naming('/feed.xml'),
    '/a': pageOf('A'),
    '/llms.txt': '# Docs\n\n> All\n\n## A\n\n- [A](/a)\n',
  });
  site.put({ '/feed.xml': atom('2026-10-30T00:00:00Z'), '/sitemap.xml': listed(site.url, '2026-11-01T00:00:00Z') });
  const fresh = await look(site.url);
  expect(fresh.offers.map(({ dialect, state }) => `${dialect} ${state}`)).toEqual([
    'atom ok',
    'llms-txt ok',
    'sitemap ok',
    'pages ok',
  ]);
  expect(fresh.choice).toMatchObject({ dialect: 'atom', url: `${site.url}feed.xml` });
  site.put({ '/feed.xml': atom('2026-09-30T00:00:00Z') });
  const late = await look(site.url);
  expect(late.offers[0]).toMatchObject({ dialect: 'atom', state: 'stale', newest: '2026-09-30T00:00:00Z' });
  expect(late.choice).toMatchObject({ dialect: 'sitemap', reason: expect.stringContaining('atom is stale') });
});

test('a feed that is named and is not there is broken, and says why', async () => {
  await using site = await startLiveSite({ '/': naming('/gone.xml') });
  const { offers, choice } = await look(site.url);
  expect(offers[0]).toMatchObject({ dialect: 'atom', state: 'broken', reason: expect.stringContaining('gone.xml') });
  expect(choice).toMatchObject({ dialect: 'pages', reason: expect.stringContaining('atom is broken') });
});

test('what a site says of the use of its pages is gathered from everywhere, and who says no is heard', async () => {
  const page = pageOf('Start').replace(
    '</head>',
    '<meta name="robots" content="noai"><meta name="tdm-reservation" content="0"></head>',
  );
  await using site = await startLiveSite({
    '/': {
      status: 200,
      headers: { 'content-signal': 'search=yes, ai-input=yes, ai-train=yes', 'content-usage': 'search=y' },
      body: page,
    },
    '/robots.txt': 'User-agent: *\nAllow: /\nContent-Signal: ai-input=no\nContent-Usage: train-ai=n\n',
    '/.well-known/tdmrep.json': JSON.stringify([{ location: '/*', 'tdm-reservation': 1 }]),
  });
  const { terms, uses } = await look(site.url);
  expect(terms.map(({ vocabulary, where, said }) => `${vocabulary} ${where.replace(site.url, '/')} ${said}`)).toEqual([
    'aipref /robots.txt train-ai=n',
    'content-signal /robots.txt ai-input=no',
    'aipref header search=y',
    'content-signal header search=yes, ai-input=yes, ai-train=yes',
    'robots-words page noai',
    'tdmrep page tdm-reservation 0',
  ]);
  expect(uses).toEqual({ search: 'yes', 'ai-input': 'no', 'ai-train': 'no' });
});

test('the reservation of a host and a licence file count for the pages that they name', async () => {
  await using site = await startLiveSite({ '/docs/': pageOf('Docs') });
  site.put({
    '/robots.txt': `License: ${site.url}license.xml\n`,
    '/.well-known/tdmrep.json': JSON.stringify([
      { location: '/*', 'tdm-reservation': 0 },
      { location: '/docs/*', 'tdm-reservation': 1, 'tdm-policy': 'https://p.example/' },
    ]),
    '/license.xml':
      '<rsl xmlns="https://rslstandard.org/rsl"><content url="/docs/*"><license><prohibits type="usage">search</prohibits></license></content>' +
      '<content url="https://other.example/*"><license><permits type="usage">all</permits></license></content></rsl>',
  });
  const { terms, uses } = await look(`${site.url}docs/`);
  expect(terms).toMatchObject([
    { vocabulary: 'tdmrep', note: expect.stringContaining('Its policy is at https://p.example/.') },
    { vocabulary: 'rsl', said: 'prohibits search' },
  ]);
  expect(uses).toEqual({ 'ai-train': 'no', search: 'no' });
});

test('Markdown is found by asking for it', async () => {
  await using site = await startLiveSite({
    '/': (response) => {
      const isMarkdown = (response.req.headers.accept ?? '').includes('text/markdown');
      response.writeHead(200, { 'content-type': isMarkdown ? 'text/markdown' : 'text/html' });
      response.end(isMarkdown ? '# Start' : pageOf('Start'));
    },
  });
  expect((await look(site.url)).offers).toMatchObject([{ dialect: 'markdown', state: 'ok' }, { dialect: 'pages' }]);
});

test('Markdown twins are found beside pages, and a host that sends its start page for everything has none', async () => {
  await using site = await startLiveSite({ '/': pageOf('Start'), '/a': pageOf('A') });
  site.put({ '/sitemap.xml': sitemapOf(site.url, ['', 'a']) });
  for (const path of ['/index.html.md', '/index.md', '/a.md', '/a.html.md']) site.put({ [path]: pageOf('Start') });
  const dialects = async () => (await look(site.url)).offers.map(({ dialect }) => dialect);
  expect(await dialects()).toEqual(['sitemap', 'pages']);
  site.put({ '/a.md': { status: 200, headers: { 'content-type': 'text/markdown; charset=utf-8' }, body: '# A' } });
  expect((await look(site.url)).offers).toMatchObject([
    { dialect: 'sitemap' },
    { dialect: 'markdown', url: `${site.url}a.md`, state: 'ok' },
    { dialect: 'pages' },
  ]);
  site.put({ '/a.md': { status: 200, headers: { 'content-type': 'text/plain' }, body: '# A' } });
  expect(await dialects()).toContain('markdown');
  site.put({ '/a.md': { status: 200, headers: { 'content-type': 'text/plain' }, body: pageOf('Start') } });
  expect(await dialects()).not.toContain('markdown');
});

test('of a feed it is said how much of the sitemap it names', async () => {
  await using site = await startLiveSite({ '/': pageOf('Start') });
  const line = (path: string, at: number) =>
    JSON.stringify({ id: `e${at}`, action: 'create', url: site.url + path, time: '2026-11-01T00:00:00Z' });
  site.put({
    '/sitemap.xml': sitemapOf(site.url, ['', 'a', 'b', 'c']),
    '/.well-known/ai-changefeed': JSON.stringify({ aicf_version: '0.1', self: `${site.url}changes.ndjson` }),
    '/changes.ndjson': `${['', 'a', 'b/index.html'].map(line).join('\n')}\n`,
  });
  const [feed] = (await look(site.url)).offers;
  expect(feed).toMatchObject({ dialect: 'aicf', coverage: 0.75 });
  expect(feed?.reason).toContain('it names 3 of 4 pages of the sitemap');
  expect(feed).not.toHaveProperty('pages');
});

test('a site of which nothing can be read is an error', async () => {
  await using site = await startLiveSite({});
  await expect(look(site.url)).rejects.toThrow('404');
});
