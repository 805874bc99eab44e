import { expect, test } from 'vitest';
import { encodeSources } from '../../cli/source-export.ts';
import { FEED_DIALECTS, feedDialectOf } from '../../doors/feed-dialects.ts';
import { decodeSource } from '../config/decode-source.ts';
import type { SourceConfig } from '../config/source-config.ts';
import { type ImportOptions, readImport } from './source-import.ts';
import { planImport } from './source-import-plan.ts';

const decode = (source: unknown, where: string): SourceConfig =>
  decodeSource(source, { allowPrivate: false, base: '/srv', dialects: FEED_DIALECTS, at: `list ${where}: ` });

const plan = (text: string, options: Partial<ImportOptions> = {}, watched: readonly SourceConfig[] = []) =>
  planImport(readImport(new TextEncoder().encode(text), { file: 'list', dialectOf: feedDialectOf, ...options }), {
    watched,
    decode,
    dialectOf: feedDialectOf,
  });

const SITE: SourceConfig = { id: 'acme', kind: 'site', url: 'https://acme.example/' };

const EVERY_KIND: readonly SourceConfig[] = [
  { id: 'docs', title: 'Docs', kind: 'folder', path: '/srv/site', site: 'https://docs.example/', cleanUrls: true },
  { ...SITE, intervalSeconds: 300, fallbacks: ['https://mirror.example/'], include: ['/a'], exclude: ['*.pdf$'] },
  { id: 'terms', kind: 'page', urls: ['https://acme.example/terms?v=2'] },
  { id: 'many', kind: 'page', urls: ['https://acme.example/a.html', 'https://acme.example/b.html'] },
  { id: 'feed', kind: 'feed', url: 'https://feed.example/', dialect: 'aicf' },
  { id: 'blog', kind: 'feed', url: 'https://blog.example/feed.xml', dialect: 'rss' },
  { id: 'news', kind: 'site', url: 'https://news.example/', sitemap: 'https://news.example/sitemap-news.xml' },
];

test('a list of URLs, each taken for what it looks like', () => {
  expect(
    plan(
      '# mine\nhttps://acme.example/\thome\nhttps://acme.example/terms.html#top\nhttps://f.example/x.ndjson\nhttps://s.example/sitemap.xml\n',
    ),
  ).toEqual({
    added: [
      { id: 'home', kind: 'site', url: 'https://acme.example/' },
      { id: 'acme_example', kind: 'page', urls: ['https://acme.example/terms.html'] },
      { id: 'f_example', kind: 'feed', url: 'https://f.example/x.ndjson', dialect: 'aicf' },
      { id: 's_example', kind: 'site', url: 'https://s.example/', sitemap: 'https://s.example/sitemap.xml' },
    ],
    existing: [],
    skipped: [],
  });
});

test('what is watched already, and what stands there twice', () => {
  const list = 'https://acme.example\nhttps://b.example/\nhttps://b.example/\nhttps://c.example/\tacme\n';
  expect(plan(list, { kind: 'site' }, [SITE])).toEqual({
    added: [{ id: 'b_example', kind: 'site', url: 'https://b.example/' }],
    existing: [
      { what: 'https://acme.example/', reason: 'watched already, as acme' },
      { what: 'https://c.example/', reason: 'watched already, as acme' },
    ],
    skipped: [{ what: 'https://b.example/', reason: 'twice in the list' }],
  });
});

test('OPML: feeds, else their sites, else why not', () => {
  const opml = `<opml version="2.0"><body><outline text="Folder">
    <outline text="Acme" type="rss" xmlUrl="https://acme.example/ai-changes.ndjson" htmlUrl="https://acme.example/"/>
    <outline text="Typed" type="AICF" xmlUrl="https://typed.example/changes"/>
    <outline text="Blog" type="rss" xmlUrl="https://blog.example/rss" htmlUrl="https://blog.example/"/>
    <outline text="Only a feed" type="rss" xmlUrl="https://news.example/rss"/>
    <outline text="Site" htmlUrl="https://site.example/"/>
    <outline text="Odd" xmlUrl="feed://odd.example/"/>
  </outline></body></opml>`;
  const { added, skipped } = plan(opml);
  expect(added).toEqual([
    {
      id: 'acme_example',
      title: 'Acme',
      kind: 'feed',
      url: 'https://acme.example/ai-changes.ndjson',
      dialect: 'aicf',
    },
    { id: 'typed_example', title: 'Typed', kind: 'feed', url: 'https://typed.example/changes', dialect: 'aicf' },
    { id: 'blog_example', title: 'Blog', kind: 'feed', url: 'https://blog.example/rss', dialect: 'atom' },
    { id: 'news_example', title: 'Only a feed', kind: 'feed', url: 'https://news.example/rss', dialect: 'atom' },
    { id: 'site_example', title: 'Site', kind: 'site', url: 'https://site.example/' },
  ]);
  expect(skipped).toEqual([{ what: 'feed://odd.example/', reason: 'it names no http(s) address' }]);
  expect(plan(opml, { kind: 'feed' }).skipped).toContainEqual({
    what: 'https://site.example/',
    reason: 'it names no feed',
  });
  expect(plan(opml, { kind: 'site' }).added.map(({ id }) => id)).toEqual([
    'acme_example',
    'blog_example',
    'site_example',
  ]);
});

const sitemap = (...urls: string[]) =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;

test('a sitemap: the sites that it is about, or every page of it', () => {
  const xml = sitemap('https://b.example/1', 'https://a.example/2', 'https://b.example/3');
  expect(plan(xml).added).toEqual([
    { id: 'b_example', kind: 'site', url: 'https://b.example/' },
    { id: 'a_example', kind: 'site', url: 'https://a.example/' },
  ]);
  expect(plan(xml, { kind: 'page' }).added).toEqual([
    { id: 'b_example', kind: 'page', urls: ['https://b.example/1'] },
    { id: 'a_example', kind: 'page', urls: ['https://a.example/2'] },
    { id: 'b_example_3', kind: 'page', urls: ['https://b.example/3'] },
  ]);
});

test('an index of sitemaps gives sites, not pages', () => {
  const index = '<sitemapindex><sitemap><loc>https://a.example/s.xml</loc></sitemap></sitemapindex>';
  expect(plan(index).added).toEqual([{ id: 'a_example', kind: 'site', url: 'https://a.example/' }]);
  expect(() => plan(index, { kind: 'page' })).toThrow(/names other sitemaps.*--kind site/);
});

test('an export in JSON is imported as it was, alone or in a config', () => {
  const text = encodeSources(EVERY_KIND, 'json');
  expect(plan(text)).toEqual({ added: EVERY_KIND, existing: [], skipped: [] });
  expect(plan(`{"port":1,"sources":${text}}`).added).toEqual(EVERY_KIND);
});

test('an export as URLs or OPML has what can be reached by a URL', () => {
  const urls = encodeSources(EVERY_KIND, 'urls');
  expect(urls.split('\n')).toEqual([
    'https://acme.example/\tacme',
    'https://acme.example/terms?v=2\tterms',
    'https://acme.example/a.html',
    'https://acme.example/b.html',
    'https://feed.example/\tfeed',
    'https://blog.example/feed.xml\tblog',
    'https://news.example/sitemap-news.xml\tnews',
    '',
  ]);
  const opml = encodeSources(EVERY_KIND, 'opml');
  const places = plan(opml).added.map(({ kind, ...source }) => [kind, 'urls' in source ? source.urls : source]);
  expect(places.map(([kind]) => kind)).toEqual(['site', 'page', 'page', 'page', 'feed', 'feed', 'site']);
});

test.each<[string, string, Partial<ImportOptions>, RegExp]>([
  [
    'a line that is no URL',
    'https://a.example/\nnonsense',
    {},
    /^list: Line 2: "nonsense" is not.*Nothing was added\.$/,
  ],
  ['a password', 'https://me:hunter2@a.example/', {}, /^list line 1: url .*user name or password/],
  ['an id that is none', 'https://a.example/\tMy Docs', {}, /^list line 1: id "My Docs"/],
  ['one id for two', 'https://a.example/\tx\nhttps://b.example/\tx', {}, /line 2: id "x" .*line 1, too/],
  ['OPML that breaks off', '<opml><body><outline', {}, /^list: Line 1: .*not well-formed/],
  ['a sitemap that breaks off', sitemap('https://a.example/').slice(0, -5), {}, /^list: It is not well-formed/],
  ['an entry that is no URL', sitemap('https://a.example/', '/b'), {}, /^list: Entry 2/],
  ['a feed', '<rss><channel/></rss>', {}, /^list: It is an RSS feed/],
  ['a page of HTML', '<!doctype html><html></html>', {}, /HTML page/],
  ['JSON that breaks off', '[{"id":', {}, /^list: It is not JSON/],
  ['JSON of something else', '{"a":1}', {}, /list of sources/],
  ['a source that is wrong', '[{"id":"a","kind":"site"}]', {}, /^list sources\[0\]: url \(missing\)/],
  ['a source that is text', '["https://a.example/"]', {}, /^list sources\[0\] "https.*JSON object/],
  ['another format than said', 'https://a.example/', { format: 'opml' }, /not well-formed/],
])('%s: nothing counts', (_, text, options, message) => {
  expect(() => plan(text, options)).toThrow(message);
  expect(() => plan(text, options)).not.toThrow(/hunter2/);
});
