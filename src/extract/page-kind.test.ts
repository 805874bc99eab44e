import { expect, test } from 'vitest';
import { pageKind } from './page-kind.ts';
import { parseHtml } from './parse-html.ts';

const kindOf = (html: string, url = 'https://example.com/a') => pageKind(parseHtml(html), url);

test('code, linkable headings or the address make a manual', () => {
  expect(kindOf('<h1>Set up</h1><pre>npm i</pre>')).toBe('manual');
  expect(kindOf('<p><code>a</code><code>b</code><code>c</code></p>')).toBe('manual');
  expect(kindOf('<h2 id="a">A</h2><h2 id="b">B</h2><h3 id="c">C</h3><h4>Guides</h4>')).toBe('manual');
  expect(kindOf('<p>Hello</p>', 'https://docs.example.com/hello')).toBe('manual');
  expect(kindOf('<p>Hello</p>', 'https://example.com/docs/hello')).toBe('manual');
});

test('a discussion of code is no manual', () => {
  expect(kindOf('<pre>x</pre>', 'https://example.com/questions/12/why')).toBe('talk');
  expect(kindOf('<div itemscope itemtype="https://schema.org/QAPage"><pre>x</pre></div>')).toBe('talk');
});

test('what says so is an article, linkable headings or not', () => {
  const headings = '<h2 id="a">A</h2><h2 id="b">B</h2><h2 id="c">C</h2>';
  expect(kindOf(`<meta property="og:type" content="article">${headings}`)).toBe('article');
  expect(kindOf(`<meta property="article:published_time" content="2031-01-01">${headings}`)).toBe('article');
});

test('a shop is neither', () => {
  expect(kindOf('<h1>Mug</h1><p>$12</p>')).toBe('other');
});

test('the address of a post makes an article, with code too where the page is dated', () => {
  const post = 'https://example.com/blog/how-to-begin';
  expect(kindOf('<p>Hello</p>', post)).toBe('article');
  expect(kindOf('<p>Hello</p>', 'https://news.example.com/a-late-budget')).toBe('article');
  expect(kindOf('<p>Hello</p>', 'https://example.com/2031/05/a-day-out')).toBe('article');
  expect(kindOf('<pre>x</pre>', post)).toBe('manual');
  expect(kindOf('<meta property="og:type" content="article"><pre>x</pre>', post)).toBe('article');
});

test('the address of a list of posts does not', () => {
  expect(kindOf('<p>Hello</p>', 'https://example.com/blog/')).toBe('other');
  expect(kindOf('<p>Hello</p>', 'https://example.com/blog/news')).toBe('other');
  expect(kindOf('<p>Hello</p>', 'https://example.com/blog/category/how-to-begin')).toBe('other');
});

test('what its data call a post is an article, unless it stands in a manual', () => {
  expect(pageKind(parseHtml('<h2 id="a">A</h2><pre>x</pre>'), 'https://example.com/a', true)).toBe('article');
  expect(pageKind(parseHtml('<p>a</p>'), 'https://docs.example.com/a', true)).toBe('manual');
});
