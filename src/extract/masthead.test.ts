import { expect, test } from 'vitest';
import { extractPage } from './extract-page.ts';

const POST = 'https://blog.example/2026/bench/';
const TEXT = '<article><h1>The bench</h1><p>It is made of beech, and it is heavy.</p></article>';

const anchorsOf = (header: string, url = POST) =>
  extractPage(`<title>The bench | Ada</title><header>${header}</header>${TEXT}`, url).sections.map(
    ({ anchor }) => anchor,
  );

test.each([
  ['to the root', '/', POST],
  ['to a folder above', '../../', 'https://blog.example/ada/2026/bench/'],
  ['to the first page', '../../index.html', POST],
  ['to itself on the first page', '/', 'https://blog.example/'],
])('the name of a site, a link %s, is no section of the page', (_, href, url) => {
  const name = `<h1 id="logo"><a href="${href}">Ada</a></h1><h2 id="claim"><a href="${href}">Wood and tools</a></h2>`;
  expect(anchorsOf(name, url)).toEqual(['the-bench']);
});

test.each([
  ['a link to the page itself', '<h1 id="top"><a href="/2026/bench/">The bench</a></h1>'],
  ['no link', '<h1 id="top">The bench</h1>'],
  ['a link home and more words', '<h1 id="top"><a href="/">Ada</a> on benches</h1>'],
  ['a link to a page beside', '<h1 id="top"><a href="/2026/vice/">The vice</a></h1>'],
])('a heading with %s stays', (_, header) => {
  expect(anchorsOf(header)).toContain('top');
});
