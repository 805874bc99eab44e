import { expect, test } from 'vitest';
import { anchorKeys } from './anchor-keys.ts';
import { extractPage } from './extract-page.ts';

const keysOf = (main: string, around = '') => {
  const html = `<!doctype html><title>T</title>${around}<main><h1 id="t">T</h1><p>Intro.</p>${main}</main>`;
  const page = extractPage(html, 'https://docs.example/t');
  return [
    ...anchorKeys(
      page,
      html,
      page.sections.map(({ anchor }) => anchor),
    ),
  ];
};

test.each<[string, string, readonly string[]]>([
  ['a heading with an id', '<h2 id="a">A</h2><p>x</p>', []],
  ['a heading without an id', '<h2>Rate limits</h2><p>x</p>', ['rate-limits']],
  ['an id inside the heading', '<h2><a id="a"></a>A</h2><p>x</p>', []],
  ['a name before the heading', '<a name="a"></a><h2>A</h2><p>x</p>', []],
  ['an id of the section round it', '<section id="rates"><h2>Rates</h2><p>x</p></section>', []],
  ['an id that only a program writes', '<h2 id=":r1:">Rates</h2><p>x</p>', ['rates']],
  ['headings with one id', '<h2 id="a">A</h2><p>x</p><h2 id="e">E</h2><p>y</p><h2 id="e">E</h2><p>z</p>', ['e~~2']],
  ['a key that is the id of something else', '<h2>Rates</h2><p>x</p><p id="rates">y</p>', []],
  ['an id in a sample of code', '<h2>Rates</h2><pre>&lt;h2 id="rates"&gt;</pre>', ['rates']],
])('%s', (_, main, keys) => {
  expect(keysOf(main)).toEqual(keys);
});

test('an element anywhere on the page is found, as browsers find it', () => {
  expect(keysOf('<h2>Menu</h2><p>x</p>', '<nav id="menu"><a href="/">Home</a></nav>')).toEqual([]);
});

test('only anchors that are asked for are told, and the page is parsed for those alone that may be keys', () => {
  const html = '<main><h1>Rates</h1><p>x</p><h2 id="a">A</h2><p>y</p><h2>Limits</h2><p>z</p></main>';
  const page = extractPage(html, 'https://docs.example/t');
  expect([...anchorKeys(page, html, ['limits', 'a', 'gone'])]).toEqual(['limits']);
  const unread = { toString: () => expect.fail('parsed') } as unknown as string;
  expect([...anchorKeys(page, unread, ['a'])]).toEqual([]);
});
