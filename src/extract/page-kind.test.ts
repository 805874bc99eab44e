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
  expect(kindOf('<pre>x</pre>', 'https://example.com/questions/12/why')).toBe('other');
  expect(kindOf('<div itemscope itemtype="https://schema.org/QAPage"><pre>x</pre></div>')).toBe('other');
});

test('what says so is an article, linkable headings or not', () => {
  const headings = '<h2 id="a">A</h2><h2 id="b">B</h2><h2 id="c">C</h2>';
  expect(kindOf(`<meta property="og:type" content="article">${headings}`)).toBe('article');
  expect(kindOf(`<meta property="article:published_time" content="2031-01-01">${headings}`)).toBe('article');
});

test('a shop is neither', () => {
  expect(kindOf('<h1>Mug</h1><p>$12</p>')).toBe('other');
});
