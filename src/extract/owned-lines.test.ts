import { expect, test } from 'vitest';
import { extractPage } from './extract-page.ts';
import { splitMarks } from './line-marks.ts';
import { ownedLines } from './owned-lines.ts';

const URL = 'https://site.example/';

const marksOf = (html: string) => {
  const { preambleLines = '', sections } = extractPage(html, URL);
  return [preambleLines, ...sections.map(({ lines = '' }) => lines)].flatMap(splitMarks);
};

const PAGE = `<body><main><article class="post"><p>Before all of it there are words.</p><h1>Name</h1>
  <p>One <b>bold</b> word.</p><p class="seen">Forty people are reading.</p>
  <h2 id="code">Code</h2><pre><code>a\nb\n\nc</code></pre><table><tr><td>1<td>2<tr><td>3<td>4</table>
  <div class="related x7f3a"><h3>More</h3><ul><li><a href="/a">A page</a><li><p>Another</p></ul></div>
  <p>The end of it.</p></article></main></body>`;

test('each mark of a page has the name of the element around its line', () => {
  expect(ownedLines(PAGE, URL)).toHaveLength(marksOf(PAGE).length);
  const named = ownedLines(PAGE, URL).filter(({ owner }) => owner !== '');
  expect(named.map(({ owner, text }) => [owner, text.replace(/\uFDD0.*$/, '')])).toEqual([
    ['p.seen', 'Forty people are reading.'],
    ['table', '|1|2'],
    ['table', '|3|4'],
    ['div.related', 'More'],
    ['div.related', 'A page'],
    ['div.related', 'Another'],
  ]);
});

test('a section of more lines than have marks has a name for each mark', () => {
  const long = `<main><h1>List</h1><ul class="all">${'<li>one more</li>'.repeat(500)}</ul></main>`;
  expect(ownedLines(long, URL)).toHaveLength(marksOf(long).length);
});
