import { expect, test } from 'vitest';
import { createIdMaker, dialectOfUrl, kindOfUrl } from './source-guess.ts';

test.each([
  ['https://docs.example/', 'site'],
  ['https://docs.example/guide', 'site'],
  ['https://docs.example/v1.2', 'site'],
  ['https://docs.example/terms.html', 'page'],
  ['https://docs.example/?page=2', 'page'],
  ['https://docs.example/ai-changes.ndjson', 'feed'],
  ['https://docs.example/.well-known/ai-changefeed', 'feed'],
  ['https://api.example/.well-known/agent-feed.xml', 'feed'],
  ['https://api.example/docs/.well-known/agent-feed.xml', 'page'],
  ['https://docs.example/sitemap.xml', 'site'],
  ['https://docs.example/wp-sitemap-posts-1.xml.gz', 'site'],
  ['https://docs.example/sitemaps.html', 'page'],
  ['https://docs.example/guides/activity-feed', 'site'],
  ['https://docs.example/feed/settings', 'site'],
  ['https://docs.example/data.xml', 'page'],
])('%s is taken for a %s', (url, kind) => {
  expect(kindOfUrl(new URL(url))).toBe(kind);
});

test.each([
  ['https://a.example/.well-known/resourcesync', 'resourcesync'],
  ['https://a.example/.well-known/agent-feed.xml', 'agent-feed'],
  ['https://a.example/feed/', 'atom'],
  ['https://a.example/feed/atom', 'atom'],
  ['https://a.example/acme/repo/releases.atom', 'atom'],
  ['https://a.example/index.xml', 'atom'],
  ['https://a.example/changes.atom', 'atom'],
  ['https://a.example/blog/rss', 'rss'],
  ['https://a.example/news.rss', 'rss'],
  ['https://a.example/rss.xml', 'rss'],
  ['https://a.example/?feed=rss2', 'rss'],
  ['https://a.example/feed.json', 'json-feed'],
  ['https://a.example/', undefined],
  ['https://a.example/sitemap.xml', undefined],
])('the address %s speaks of %s', (url, dialect) => {
  expect(dialectOfUrl(new URL(url))).toBe(dialect);
  if (dialect !== undefined) expect(kindOfUrl(new URL(url))).toBe('feed');
});

test('ids are the host, then the path, then a number, and nobody has them yet', () => {
  const idOf = createIdMaker(['docs_example']);
  const ids = ['https://docs.example/a/b.html', 'https://docs.example/a/b.html', 'https://docs.example/a/b.html'];
  expect(ids.map((url) => idOf(new URL(url)))).toEqual([
    'docs_example_a_b_html',
    'docs_example_a_b_html_2',
    'docs_example_a_b_html_3',
  ]);
  expect(idOf(new URL('http://all/'))).toBe('all_2');
  expect(idOf(new URL('https://docs.example/'))).toBe('docs_example_2');
  expect(idOf(new URL('https://xn--bcher-kva.example/'))).toBe('xn_bcher_kva_example');
});

test('however long the address and however often: at most 64 characters, in little time', () => {
  const idOf = createIdMaker([]);
  const url = new URL(`https://${'a'.repeat(60)}.example/${'b'.repeat(500)}`);
  const ids = Array.from({ length: 20_000 }, () => idOf(url));
  expect(new Set(ids).size).toBe(20_000);
  for (const id of ids) expect(id).toMatch(/^[a-z0-9][a-z0-9_]{0,63}$/);
});
