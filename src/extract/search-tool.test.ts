import { expect, test } from 'vitest';
import { diffPages } from '../diff/diff-pages.ts';
import { extractPage } from './extract-page.ts';

const URL_OF_IT = 'https://docs.example/search.html';
const pageOf = (main: string) => extractPage(`<title>Search</title><main>${main}</main>`, URL_OF_IT);

const PLAIN = pageOf('<div id="search-results">\n</div>');

test.each([
  ['a heading and advice', '<h1 id="search">Search</h1><p>All words must match.</p><div id="search-results"></div>'],
  ['a form', '<form><label>Words <input name="q"></label></form><ul class="page-search-results"></ul>'],
])('a page that waits for results is the same with %s', (_, main) => {
  expect(diffPages(PLAIN, pageOf(main))).toEqual([]);
});

test('a page that has results, or much text, says what it says', () => {
  const results = pageOf('<p>Two of them.</p><div id="search-results"><p>One</p><p>Two</p></div>');
  expect(diffPages(PLAIN, results)).toMatchObject([{ note: 'preamble-changed' }]);
  const guide = pageOf(`<h1>Search</h1><p>${'How to search. '.repeat(50)}</p><div id="search-results"></div>`);
  expect(guide.sections).toHaveLength(1);
});

test('its words can still be read', () => {
  expect(pageOf('<p>All words must match.</p><div id="search-results"></div>').markdown).toBe('All words must match.');
});
