import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { expectLinear } from '../../test/support/count-steps.ts';
import { shortOrLong } from '../../test/support/short-or-long.ts';
import type { Page } from '../model/page.ts';
import { extractPage } from './extract-page.ts';
import { EXTRACTOR } from './extractor-version.ts';

const URL_OF_PAGE = 'https://docs.example/guide';

function read(main: string, title = 'Guide'): Page {
  return extractPage(
    `<!doctype html><html><head><title>${title}</title></head><body><main>${main}</main></body></html>`,
    URL_OF_PAGE,
  );
}

function anchorsOf(page: Page): string[] {
  return page.sections.map(({ anchor }) => anchor);
}

clause('AICF-A3', 'a heading is named by its id, and a section inserted before it changes no name', () => {
  const before = read(
    '<h2 id="tiers">Tiers</h2><p>a</p><h2>Refunds</h2><p>b</p><section id="id3"><h2>Taxes</h2><p>c</p></section>',
  );
  const after = read(
    '<h2>New</h2><p>n</p><h2 id="tiers">Tiers</h2><p>a</p><h2>Refunds</h2><p>b</p><section id="id4"><h2>Taxes</h2><p>c</p></section>',
  );
  expect(anchorsOf(before)).toEqual(['tiers', 'refunds', 'taxes']);
  expect(anchorsOf(after)).toEqual(['new', 'tiers', 'refunds', 'taxes']);
});

clause('AICF-P2', 'an anchor stays when the text under it changes, and with an id also when its words change', () => {
  const before = read('<h2 id="tiers">Tiers</h2><p>old</p><h2>Refunds</h2><p>old</p>');
  const after = read('<h2 id="tiers">Price tiers</h2><p>new</p><h2>Refunds</h2><p>new</p>');
  expect(anchorsOf(after)).toEqual(anchorsOf(before));
});

clause('AICF-E11', 'the checksum of a section is its own: another section does not move it', () => {
  const [a, b] = read('<h2>A</h2><p>one</p><h2>B</h2><p>two</p>').sections;
  const [editedA, sameB] = read('<h2>A</h2><p>one, edited</p><h2>B</h2><p>two</p>').sections;
  expect(editedA?.checksum).not.toBe(a?.checksum);
  expect(sameB?.checksum).toBe(b?.checksum);
});

test('the anchor is the id of the heading, of an element in it or just before it, or of the section around it', () => {
  const page = read(`
    <h2 id="own">One</h2>
    <h2><a id="child"></a>Two</h2>
    <h2><a name="named">Three</a></h2>
    <a name="before"></a> <h2>Four</h2>
    <section id="around"><h2>Five</h2><p>x</p><section id="inner"><h3>Six</h3></section></section>
    <div id="group"><h2>Seven</h2><h2>Eight</h2></div>`);
  expect(anchorsOf(page)).toEqual(['own', 'child', 'named', 'before', 'around', 'inner', 'seven', 'eight']);
});

test('an id that a build hands out is no anchor', () => {
  const ids = [
    ':r1:',
    'radix-7',
    'radix-:r3:',
    'headlessui-tab-4',
    'react-aria-12',
    'headlessui-tab-:r4:',
    '«r1»',
    '_r_1_',
    'ember123',
    '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
    '0123456789abcdef0123',
    'x y',
  ];
  for (const id of ids) expect(anchorsOf(read(`<h2 id="${id}">Taxes</h2>`)), id).toEqual(['taxes']);
  expect(anchorsOf(read('<h2 id="radix-7">Radix 7</h2>'))).toEqual(['radix-7']);
});

test('on an element around or inside a heading, a number is no anchor either', () => {
  for (const id of ['id3', 'heading-12345', '0123456789abcdef', 'idm4711', 'react-19']) {
    expect(anchorsOf(read(`<section id="${id}"><h2>Taxes</h2></section>`)), id).toEqual(['taxes']);
    expect(anchorsOf(read(`<h2><a id="${id}"></a>Taxes</h2>`)), id).toEqual(['taxes']);
  }
  expect(anchorsOf(read('<section id="react-19"><h2>React 19</h2></section>'))).toEqual(['react-19']);
});

test('the id of a plain wrapper is the anchor where it is named after the heading', () => {
  const one = '<h1>T</h1><div id="body"><h2>One</h2><p>a</p>';
  expect(anchorsOf(read(`${one}</div>`))).toEqual(['t', 'one']);
  expect(anchorsOf(read(`${one}<h2>Two</h2></div>`))).toEqual(['t', 'one', 'two']);
  expect(anchorsOf(read('<h1>T</h1><div id="price-list"><h2>Price</h2></div>'))).toEqual(['t', 'price-list']);
});

test('an id that an author wrote is the anchor, whatever it looks like', () => {
  const ids = [
    's1',
    'section-3',
    'step-2',
    'h-12',
    'react-hooks',
    'radix-ui',
    'Ünïcode',
    'a.b:c',
    'faq',
    '2024',
    'v2.1.0',
    'cafe',
    'id1',
    'id3.2',
    '20240115',
    'v20240115',
    'error-10001',
    'e10001',
    'react-19',
    'd1e5',
    'deadbeef1234',
    'ember-guide',
  ];
  for (const id of ids) expect(anchorsOf(read(`<h2 id="${id}">Taxes</h2>`)), id).toEqual([id]);
});

test('a heading without id is named by its path, in any script, and never by nothing', () => {
  const page = read('<h1>Guide</h1><h2>Install</h2><h3>On Linux</h3><h2>Установка</h2><h3>安装</h3><h2>→ ★</h2>');
  expect(anchorsOf(page).slice(0, 5)).toEqual(['guide', 'install', 'install-on-linux', 'установка', 'установка-安装']);
  expect(anchorsOf(page)[5]).toMatch(/^symbol-[0-9a-f]{8}$/);
});

test('of several headings with one id the first keeps it, the others add their parent, then a count', () => {
  const page = read(`
    <h2 id="get">Get</h2><h3 id="example">Example</h3>
    <h2 id="put">Put</h2><h3 id="example">Example</h3><h3 id="example">Example</h3>`);
  expect(anchorsOf(page)).toEqual(['get', 'example', 'put', 'put~example', 'put~example~~2']);
});

test('the title is the h1 where the title element agrees, else the title element', () => {
  expect(read('<h1>Guide</h1>', 'Guide | Example').title).toBe('Guide');
  expect(read('<h1>Guide</h1>', 'Other page').title).toBe('Other page');
  expect(read('<h1>Guide</h1><h1>More</h1>', 'Guide | Example').title).toBe('Guide | Example');
  expect(extractPage('<main><h1>Alone</h1></main>', URL_OF_PAGE).title).toBe('Alone');
});

test('the page has the version of its extractor, the preamble and the whole as Markdown', () => {
  const page = read('<p>First <em>words</em>.</p><h2 id="a">A</h2><p>Text</p>');
  expect(page).toMatchObject({
    url: URL_OF_PAGE,
    extractor: EXTRACTOR,
    markdown: 'First *words*.\n\n## A\n\nText',
    sections: [{ anchor: 'a', heading: 'A', level: 2, markdown: '## A\n\nText' }],
  });
  expect(page.preamble).not.toBe(read('<h2 id="a">A</h2><p>Text</p>').preamble);
});

test('the page checksum depends on title, preamble and sections in order, and on their ids', () => {
  const page = read('<p>x</p><h2 id="a">A</h2><p>1</p><h2 id="b">B</h2>');
  expect(read('<p>x</p><h2 id="a2">A</h2><p>1</p><h2 id="b">B</h2>').checksum).not.toBe(page.checksum);
  expect(read('<p>x</p><h2 id="b">B</h2><h2 id="a">A</h2><p>1</p>').checksum).not.toBe(page.checksum);
  expect(read('<p>y</p><h2 id="a">A</h2><p>1</p><h2 id="b">B</h2>').checksum).not.toBe(page.checksum);
});

const SAME: readonly [string, string, string][] = [
  ['emphasis', '<h2>A</h2><p>one two three</p>', '<h2>A</h2><p>one <b>two</b> three</p>'],
  ['image host', '<h2>A</h2><img src="a.png" alt="gauge">', '<h2>A</h2><img src="//cdn.example/a.png" alt="gauge">'],
  ['link spelling', '<h2>A</h2><a href="/x">x</a>', '<h2>A</h2><a href="https://docs.example/x">x</a>'],
  ['same-page link', '<h2>A</h2><p>see <a href="#b">below</a></p>', '<h2>A</h2><p>see <a href="#c">below</a></p>'],
  [
    'masked address',
    '<h2>A</h2><a href="/cdn-cgi/l/email-protection#1a">mail</a>',
    '<h2>A</h2><a href="/cdn-cgi/l/email-protection#2b">mail</a>',
  ],
];
test.each(SAME)('%s is not compared', (_, before, after) => {
  expect(read(after).sections[0]?.checksum).toBe(read(before).sections[0]?.checksum);
});

const DIFFERENT: readonly [string, string, string][] = [
  ['a word', '<h2>A</h2><p>old</p>', '<h2>A</h2><p>new</p>'],
  ['a heading word', '<h2 id="a">Old</h2>', '<h2 id="a">New</h2>'],
  ['a joined word', '<h2>A</h2><p>every day</p>', '<h2>A</h2><p>everyday</p>'],
  ['a link target', '<h2>A</h2><a href="/x">x</a>', '<h2>A</h2><a href="/y">x</a>'],
  ['a link query', '<h2>A</h2><a href="/x?page=1">x</a>', '<h2>A</h2><a href="/x?page=2">x</a>'],
  ['an image description', '<h2>A</h2><img alt="a">', '<h2>A</h2><img alt="b">'],
  ['indentation of code', '<h2>A</h2><pre>if x:\n  y</pre>', '<h2>A</h2><pre>if x:\n    y</pre>'],
  ['a line end in code', '<h2>A</h2><pre>a b</pre>', '<h2>A</h2><pre>a\nb</pre>'],
  ['a mark moved to another cell', '<h2>A</h2><table><tr><td>x<td></table>', '<h2>A</h2><table><tr><td><td>x</table>'],
  ['a note', '<h2>A</h2><aside><p>Careful.</p></aside>', '<h2>A</h2><aside><p>Relax.</p></aside>'],
  [
    'an unchosen tab',
    '<h2>A</h2><div role="tabpanel" hidden>npm i</div>',
    '<h2>A</h2><div role="tabpanel" hidden>npm ci</div>',
  ],
  [
    'a folded answer',
    '<h2>A</h2><details><summary>Q</summary>yes</details>',
    '<h2>A</h2><details><summary>Q</summary>no</details>',
  ],
];
test.each(DIFFERENT)('%s is compared', (_, before, after) => {
  expect(read(after).sections[0]?.checksum).not.toBe(read(before).sections[0]?.checksum);
});

test('a form round the whole page is no reason to drop the page', () => {
  const page = extractPage(
    `<body><form id="aspnetForm"><input type="hidden" name="__VIEWSTATE" value="x"><div><h1>Guide</h1><p>${'Words of the page. '.repeat(5)}</p></div></form></body>`,
    URL_OF_PAGE,
  );
  expect(page.markdown).toContain('Words of the page.');
});

test('a page that hides all until a script has run is read all the same', () => {
  const page = extractPage('<body><div style="display:none"><h1>Guide</h1><p>Words.</p></div></body>', URL_OF_PAGE);
  expect(page.markdown).toBe('# Guide\n\nWords.');
});

const HOSTILE: readonly [string, number, (count: number) => string][] = [
  ['nested divs', 100_000, (count) => `${'<div>'.repeat(count)}deep${'</div>'.repeat(count)}`],
  ['nested lists', 100_000, (count) => `${'<ul><li>'.repeat(count)}deep`],
  ['open formats', 100_000, (count) => `${'<b>'.repeat(count)}deep${'</i>'.repeat(count)}`],
  [
    'end tags that match nothing near',
    50_000,
    (count) => `<div><table><td>${'<b>'.repeat(count)}deep${'</div>'.repeat(count)}`,
  ],
  ['headings with one id', 20_000, (count) => '<h2 id="a">deep</h2>'.repeat(count)],
  ['words of one line', 200_000, (count) => `<p>${'deep '.repeat(count)}`],
];
test.each(HOSTILE)('many %s are read in linear steps', async (_, count, make) => {
  expect(extractPage(make(shortOrLong(count / 20, count)), URL_OF_PAGE).markdown).toContain('deep');
  await expectLinear<typeof import('./extract-page.ts'), string>(
    new URL('./extract-page.ts', import.meta.url),
    ({ extractPage }, html) => extractPage(html, 'https://docs.example/'),
    make,
  );
});

test.each([
  '',
  '<',
  '<p',
  '</p>',
  '<!--',
  '<h2>',
  '<h2 id=>x',
  '&#x110000;',
  '\0',
  '<a href="http://[">x</a>',
  '<table><td><h2>x',
])('broken HTML is read, not thrown at: %j', (html) => {
  expect(extractPage(html, URL_OF_PAGE).url).toBe(URL_OF_PAGE);
  expect(extractPage(html, 'not a url').extractor).toBe(EXTRACTOR);
});
