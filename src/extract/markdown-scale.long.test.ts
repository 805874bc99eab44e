import { expect, test } from 'vitest';
import { expectLinear } from '../../test/support/count-steps.ts';
import { shortOrLong } from '../../test/support/short-or-long.ts';
import { extractPage } from './extract-page.ts';

/** The number at which each would take minutes were it quadratic; a hundredth of it shows the growth of the steps. */
const COUNT = 100_000;

const LARGE: readonly [string, (count: number) => string, size?: number][] = [
  ['items of a list', (count) => `<ul>${'<li>deep'.repeat(count)}</ul>`],
  ['items that are empty', (count) => `<ol>${'<li>'.repeat(count)}<li>deep</ol>`],
  ['cells of one row', (count) => `<table><tr>${'<td>deep'.repeat(count)}<tr><td>x</table>`],
  [
    'rows below a wide one',
    (count) => `<table><tr>${'<td>deep'.repeat(2000)}${'<tr><td>x'.repeat(count / 2)}</table>`,
    10,
  ],
  [
    'cells that span all',
    (count) => `<table>${'<tr><td colspan=1000 rowspan=60000>deep<td>x'.repeat(count / 20)}</table>`,
  ],
  ['links of one paragraph', (count) => `<p>${'<a href="/x">deep</a>'.repeat(count)}</p>`],
  ['bold words side by side', (count) => `<p>${'<b>deep</b>'.repeat(count)}</p>`],
  ['breaks', (count) => `<p>${'deep<br>'.repeat(count)}</p>`],
  ['terms', (count) => `<dl>${'<dt>deep<dd>x'.repeat(count / 2)}</dl>`],
  [
    'footnotes',
    (count) =>
      `<p>${numbered(count / 5, (at) => `<sup><a href="#n${at}">1</a></sup>`)}</p><ol>${numbered(count / 5, (at) => `<li id="n${at}">deep`)}</ol>`,
  ],
  ['blank lines in code', (count) => `<pre>deep${'\n'.repeat(count)}x</pre>`],
  ['spaces in code', (count) => `<pre>deep${' '.repeat(count)}x${'`'.repeat(count)}</pre>`],
  ['numbered lines', (count) => `<pre>${numbered(count / 2, (at) => `<b>${at}</b>deep\n`)}</pre>`],
  [
    'tabs',
    (count) =>
      numbered(
        count / 50,
        (at) => `<div role=tablist><b role=tab aria-controls=p${at}>a</b></div><div id=p${at}>deep</div>`,
      ),
  ],
  [
    'tabs without ids',
    (count) =>
      `<div role=tablist>${'<b role=tab>a</b>'.repeat(count / 50)}</div><div>${'<pre>deep</pre>'.repeat(count / 50)}</div>`,
  ],
  [
    'tabs that are radio buttons',
    (count) => numbered(count / 50, (at) => `<input type=radio id=r${at}><label for=r${at}>a</label><div>deep</div>`),
  ],
  ['lists of tabs without panels', (count) => '<ul role=tablist><li role=tab>a</ul><p>deep</p>'.repeat(count / 20)],
  ['notes', (count) => '<div class="admonition tip"><p class=title>deep</p>x</div>'.repeat(count / 20)],
  ['notes in notes', (count) => `${'<div class="admonition tip">'.repeat(200)}${'<p>deep</p>'.repeat(count / 5)}`],
  ['lists in cells', (count) => `<table>${'<tr><td>x<td><ul><li>deep</ul>'.repeat(count / 20)}</table>`],
  ['lines of code in rows', (count) => `<table>${numbered(count / 20, (at) => `<tr><td id=L${at}><td>deep`)}</table>`],
  ['formulas', (count) => '<script type="math/tex" id="a">x</script>deep '.repeat(count / 20)],
  ['items in lists in lists', (count) => `${'<ul><li>'.repeat(200)}${'<li>deep'.repeat(count / 5)}`],
  ['quotes in quotes', (count) => `${'<blockquote>'.repeat(200)}${'<p>deep</p>'.repeat(count / 5)}`],
  ['formats in formats', (count) => `${'<b><i><s><q>'.repeat(50)}${'deep '.repeat(count * 4)}`],
  ['text', (count) => `<p>${'deep *text* of [many](signs) and_words\n'.repeat(count * 2.5)}</p>`],
];
test.each(LARGE)(
  'many %s are written in linear steps, into no more than a few times their size',
  async (_, make, size) => {
    const html = make(shortOrLong(COUNT / 100, COUNT));
    const { markdown } = extractPage(`<main>${html}</main>`, 'https://docs.example/');
    expect(markdown).toContain('deep');
    expect(markdown.length).toBeLessThan(html.length * 10 + 10_000);
    await expectLinear<typeof import('./extract-page.ts'), string>(
      new URL('./extract-page.ts', import.meta.url),
      ({ extractPage }, page) => extractPage(page, 'https://docs.example/'),
      (count) => `<main>${make(count)}</main>`,
      size,
    );
  },
);

function numbered(count: number, markup: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => markup(at)).join('');
}
