import { expect, test } from 'vitest';
import type { HtmlNode } from './html-tree.ts';
import { parseHtml } from './parse-html.ts';

/** The tree as text, every element closed. */
function shown(html: string): string {
  return parseHtml(html).children.map(show).join('');
}

function show(node: HtmlNode): string {
  return typeof node === 'string' ? node : `<${node.name}>${node.children.map(show).join('')}</${node.name}>`;
}

const TREES: readonly [string, string, string][] = [
  ['paragraphs left open', '<p>a<p>b<div>c</div>', '<p>a</p><p>b</p><div>c</div>'],
  [
    'items left open, with paragraphs in them',
    '<ul><li><p>a<li><p>b</ul>c',
    '<ul><li><p>a</p></li><li><p>b</p></li></ul>c',
  ],
  ['nested items', '<ul><li>a<ul><li>b</ul><li>c</ul>', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>'],
  [
    'cells left open',
    '<table><tr><td>a<td>b<tr><td>c</table>d',
    '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>d',
  ],
  ['terms left open', '<dl><dt>a<dd>b<dt>c</dl>', '<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>'],
  ['a head left open', '<head><title>t</title><h1>a</h1>', '<head><title>t</title></head><h1>a</h1>'],
  [
    'an end tag of an outer div inside a cell',
    '<div><table><td>a</div>b</table></div>',
    '<div><table><td>ab</td></table></div>',
  ],
  ['an end tag across a block', '<a><div>a</a>b</div>', '<a><div>ab</div></a>'],
  ['a stray end tag', 'a</p></b>b', 'ab'],
  ['what follows the body', '<body>a</body></html><p>b', '<body>a<p>b</p></body>'],
  [
    'scripts, drawings and comments',
    '<p>a<script>if (1<p>2)</script><svg><g/><title>x</title></svg><!-- c -->b</p>',
    '<p>ab</p>',
  ],
  ['a form in a form', '<form>a<form>b</form>c', '<form>ab</form>c'],
];
test.each(TREES)('reads %s', (_, html, tree) => {
  expect(shown(html)).toBe(tree);
});

test('entities and text make one text, and the first of two attributes counts', () => {
  const [p] = parseHtml('<p ID=a id=b title="x &amp; y">1 &lt; 2 &eacute;</p>').children;
  if (typeof p !== 'object') throw new Error('no element');
  expect(p.children).toEqual(['1 < 2 é']);
  expect([...p.attributes]).toEqual([
    ['id', 'a'],
    ['title', 'x & y'],
  ]);
});

const FILLER = '<i></i>'.repeat(300_000);

test('past 300,000 elements a tag opens nothing, its words stay where it stood, and scripts stay unseen', () => {
  const html = `<main><div>${FILLER}<p>a</p><div><b>b</b>c<br>d</div><script>x</script><style>y</style>e</div>f</main>g`;
  const [main, after] = parseHtml(html).children;
  if (typeof main !== 'object') throw new Error('no element');
  const [div, last] = main.children;
  if (typeof div !== 'object') throw new Error('no element');
  expect(div.children.at(-1)).toBe(' a bc de');
  expect([last, after]).toEqual(['f', 'g']);
});

test('a head of 300,000 elements ends where the body begins', () => {
  const root = parseHtml(`<head>${'<meta>'.repeat(300_000)}<body><p>words`);
  expect(root.children.slice(1).map(show).join('').trim()).toBe('words');
});

test('an element has at most 500 attributes, the first ones', () => {
  const names = Array.from({ length: 600 }, (_, number) => `a${number}`);
  const [p] = parseHtml(`<p ${names.join(' ')}>`).children;
  if (typeof p !== 'object') throw new Error('no element');
  expect([...p.attributes.keys()]).toEqual(names.slice(0, 500));
});
