import { expect, test } from 'vitest';
import { extractPage } from './extract-page.ts';

const anchorsOf = (html: string) => extractPage(html, 'https://blog.example/a/').sections.map(({ anchor }) => anchor);

const links = (words: string) =>
  `<h2>${words}</h2><ul><li><a href="/b/">A map without tiles</a></li><li><a href="/c/">Queues are not free</a></li></ul>`;
const article = (more = '') =>
  `<article><h1>On call</h1><p>Books about being on call are written by others.</p><h2>Pay</h2><p>Half a day.</p>${more}</article>`;

test.each(['Read next', 'Related posts'])('a list of links behind the article is none of it: %s', (words) => {
  expect(anchorsOf(`<main>${article()}<section>${links(words)}</section></main>`)).toEqual(['on-call', 'pay']);
  expect(anchorsOf(`<main><div>${article()}</div><div>${links(words)}</div></main>`)).toEqual(['on-call', 'pay']);
});

test('a list of links inside the article is the author’s', () => {
  expect(anchorsOf(`<main>${article(links('See also'))}</main>`)).toEqual(['on-call', 'pay', 'see-also']);
  expect(anchorsOf(`<main>${article(`<section>${links('See also')}</section>`)}</main>`)).toContain('see-also');
});

test('words and downloads behind the article stay, and so do links where no article is', () => {
  const words =
    '<section><h2>Corrections</h2><p>The first version named another <a href="/pier/">pier</a>.</p></section>';
  expect(anchorsOf(`<main>${article()}${words}</main>`)).toEqual(['on-call', 'pay', 'corrections']);
  const page = `<main><h1>Home</h1><p>We book ferries.</p><section>${links('Latest posts')}</section></main>`;
  expect(anchorsOf(page)).toEqual(['home', 'latest-posts']);
});

test('cards, each an article of its own, are no page with things behind it', () => {
  const card = (name: string) => `<article><h2>${name}</h2><a href="/${name}">Read ${name}</a></article>`;
  expect(anchorsOf(`<main><h1>All</h1><p>Posts of all years.</p>${card('one')}${card('two')}</main>`)).toEqual([
    'all',
    'one',
    'two',
  ]);
});
