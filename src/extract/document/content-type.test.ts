import { expect, test } from 'vitest';
import { readPage } from './read-page.ts';

const typed = (type: string) => `<script type="application/ld+json">{"@type":"${type}"}</script>`;
const kindOf = (head: string, path = '/a/b', host = 'www.example.com') =>
  readPage(`<head>${head}</head><main><h1>A</h1><p>Some words of text.</p></main>`, `https://${host}${path}`).identity
    .content_type;

test.each([
  ['NewsArticle', 'article'],
  ['http://schema.org/BlogPosting', 'article'],
  ['Product', 'product'],
  ['QAPage', 'forum'],
  ['TechArticle', 'documentation'],
  ['ProfilePage', 'profile'],
  ['CollectionPage', 'collection'],
  ['ItemList', 'listing'],
  ['Service', 'service'],
])('[AWI-ID4] JSON-LD of type %s makes it %s', (type, kind) => {
  expect(kindOf(typed(type))).toBe(kind);
});

test.each([
  ['article', 'article'],
  ['product', 'product'],
  ['profile', 'profile'],
  ['product.group', 'collection'],
  ['website', undefined],
  ['text/html', undefined],
])('[AWI-ID4] og:type %s makes it %s', (type, kind) => {
  expect(kindOf(`<meta property="og:type" content="${type}">`)).toBe(kind);
});

test.each([
  ['docs.example.com', '/start', 'documentation'],
  ['www.example.com', '/docs/start', 'documentation'],
  ['www.example.com', '/docs', undefined],
  ['www.example.com', '/questions/4711/why', 'forum'],
  ['www.example.com', '/topic/science', undefined],
  ['www.example.com', '/blog/2031/what-we-learned', 'article'],
  ['www.example.com', '/products/mug', 'product'],
  ['www.example.com', '/', undefined],
])('[AWI-ID4] the address %s%s makes it %s', (host, path, kind) => {
  expect(kindOf('', path, host)).toBe(kind);
});

test('[AWI-ID4] a system that calls every page an article is not believed', () => {
  const head = '<meta property="og:type" content="article"><meta property="article:modified_time" content="2031">';
  expect(kindOf(head)).toBeUndefined();
  expect(kindOf(`${head}<meta property="article:published_time" content="2030">`)).toBe('article');
});
