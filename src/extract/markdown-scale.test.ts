import { expect, test } from 'vitest';
import { extractPage } from './extract-page.ts';

const COUNT = 100_000;
const CPU_MS = 4000;

/** Each would take minutes were it quadratic. */
const LARGE: readonly [string, string][] = [
  ['items of a list', `<ul>${'<li>deep'.repeat(COUNT)}</ul>`],
  ['items that are empty', `<ol>${'<li>'.repeat(COUNT)}<li>deep</ol>`],
  ['cells of one row', `<table><tr>${'<td>deep'.repeat(COUNT)}<tr><td>x</table>`],
  ['rows below a wide one', `<table><tr>${'<td>deep'.repeat(2000)}${'<tr><td>x'.repeat(COUNT / 2)}</table>`],
  ['cells that span all', `<table>${'<tr><td colspan=1000 rowspan=60000>deep<td>x'.repeat(5000)}</table>`],
  ['links of one paragraph', `<p>${'<a href="/x">deep</a>'.repeat(COUNT)}</p>`],
  ['bold words side by side', `<p>${'<b>deep</b>'.repeat(COUNT)}</p>`],
  ['breaks', `<p>${'deep<br>'.repeat(COUNT)}</p>`],
  ['terms', `<dl>${'<dt>deep<dd>x'.repeat(COUNT / 2)}</dl>`],
  [
    'footnotes',
    `<p>${Array.from({ length: 20_000 }, (_, at) => `<sup><a href="#n${at}">1</a></sup>`).join('')}</p><ol>${Array.from({ length: 20_000 }, (_, at) => `<li id="n${at}">deep`).join('')}</ol>`,
  ],
  ['blank lines in code', `<pre>deep${'\n'.repeat(COUNT)}x</pre>`],
  ['spaces in code', `<pre>deep${' '.repeat(COUNT)}x${'`'.repeat(COUNT)}</pre>`],
  ['numbered lines', `<pre>${Array.from({ length: COUNT / 2 }, (_, at) => `<b>${at}</b>deep\n`).join('')}</pre>`],
  ['items in lists in lists', `${'<ul><li>'.repeat(200)}${'<li>deep'.repeat(20_000)}`],
  ['quotes in quotes', `${'<blockquote>'.repeat(200)}${'<p>deep</p>'.repeat(20_000)}`],
  ['formats in formats', `${'<b><i><s><q>'.repeat(50)}${'deep '.repeat(COUNT * 4)}`],
  ['text', `<p>${'deep *text* of [many](signs) and_words\n'.repeat(250_000)}</p>`],
];
test.each(LARGE)('many %s are written in linear time, into no more than a few times their size', (_, html) => {
  const start = process.cpuUsage().user;
  const { markdown } = extractPage(`<main>${html}</main>`, 'https://docs.example/');
  expect((process.cpuUsage().user - start) / 1000).toBeLessThan(CPU_MS);
  expect(markdown).toContain('deep');
  expect(markdown.length).toBeLessThan(html.length * 10 + 10_000);
});
