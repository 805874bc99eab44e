import { expect, test } from 'vitest';
import { readPageDocument } from '../src/extract/document/read-page.ts';
import { extractPage } from '../src/extract/extract-page.ts';
import { expectLinear } from './support/count-steps.ts';
import { shortOrLong } from './support/short-or-long.ts';

/**
 * Pages made to hurt who reads them. Each is read in steps that grow with its length, into a document of a size that does,
 * and what stands beside the hostile part is still found where HTML says that it is shown.
 */

const PAGE_URL = 'https://site.example/a/b';
const MiB = 1024 * 1024;
/** Escapes make six characters of one, and links are given twice. */
const MAX_GROWTH = 8;
/** In short a page is a hundredth of what it is at length, where only the end of the test bounds the patterns inside of a step. */
const full = (count: number) => shortOrLong(Math.ceil(count / 100), count);

const BEFORE = 'Words before it.';
const AFTER = 'Words after it.';
const inPage = (hostile: string, head = '') =>
  `<html><head><title>T</title>${head}</head><body><main><h1>Title</h1><p>${BEFORE}</p>${hostile}<p>${AFTER}</p></main></body></html>`;
const jsonLd = (json: string) => `<script type="application/ld+json">${json}</script>`;
const numbered = (count: number, markup: (number: number) => string) =>
  Array.from({ length: count }, (_, number) => markup(number)).join('');

function readHostile(html: string): string {
  const document = readPageDocument(html, PAGE_URL);
  expect(JSON.stringify(document).length, 'characters of the document').toBeLessThan(html.length * MAX_GROWTH + MiB);
  return document.content.markdown;
}

/** Four times the hostile part takes no more than a few times the steps. */
function expectGrowth(pageOf: (count: number) => string, size?: number): Promise<void> {
  return expectLinear<typeof import('../src/extract/document/read-page.ts'), string>(
    new URL('../src/extract/document/read-page.ts', import.meta.url),
    ({ readPageDocument }, html) => readPageDocument(html, 'https://site.example/a/b'),
    pageOf,
    size,
  );
}

/** Of a long text only the beginning is looked at for some ends: up to there the steps grow faster than later. */
const BEYOND_WINDOWS = 3000;
const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

type Hostile = [name: string, count: number, make: (count: number) => string, size?: number];

test.each<Hostile>([
  ['nested div', 100_000, (count) => nested('<div>', '</div>', count)],
  ['nested b', 100_000, (count) => nested('<b>', '</b>', count)],
  ['nested tables', 100_000, (count) => nested('<table><tr><td>', '</td></tr></table>', count)],
  ['nested lists', 100_000, (count) => nested('<ul><li>', '</li></ul>', count)],
  ['nested quotes', 100_000, (count) => nested('<blockquote>', '</blockquote>', count)],
  ['nested lists with a word each', 20_000, (count) => nested('<ol><li>word ', '</li></ol>', count)],
  ['nested quotes with a word each', 20_000, (count) => nested('<blockquote>word ', '</blockquote>', count)],
  ['nested terms with a word each', 20_000, (count) => nested('<dl><dd>word ', '</dd></dl>', count)],
  ['lines of code in 250 quotes', 20_000, (count) => `${'<blockquote>'.repeat(250)}<pre>${'x\n'.repeat(count)}</pre>`],
  [
    'inline elements, each in the one before',
    14_300,
    (count) =>
      `${'<b><i><em><strong><span><code><a href="/x">'.repeat(count)}word${'</a></code></span></strong></em></i></b>'.repeat(count)}`,
  ],
  ['buttons nested in headings', 4000, (count) => '<h2><button>w '.repeat(count), shortOrLong(100, 200)],
  ['buttons beside each other in a heading', 6000, (count) => `<h2>${'<button>w</button>'.repeat(count)}</h2>`],
  ['unclosed p', 300_000, (count) => '<p>'.repeat(count)],
  ['unclosed unknown elements', 500_000, (count) => '<x>'.repeat(count)],
  ['end tags of nothing', 200_000, (count) => '</p></b></x>'.repeat(count)],
  ['attributes', 300_000, (count) => `<p ${numbered(count, (number) => `a${number} `)}>x</p>`],
  ['an attribute of 10 MB', MiB, (count) => `<p title="${'x '.repeat(5 * count)}" class="${'x '.repeat(count)}">x</p>`],
  ['an address of 2 MB', MiB / 2, (count) => `<p>a <a href="/?${'a=1&'.repeat(count)}">x</a></p>`],
  ['<', 4 * MiB, (count) => '<'.repeat(count), BEYOND_WINDOWS],
  ['entities', 1_000_000, (count) => `<p>${'&amp;'.repeat(count)}</p>`],
  ['null bytes', MiB, (count) => `<p>a\0b</p>${'\0'.repeat(count)}`, BEYOND_WINDOWS],
  ['links in a paragraph', 50_000, (count) => `<p>${numbered(count, (number) => `<a href="/${number}">w</a> t `)}</p>`],
  ['line breaks', 100_000, (count) => `<p>${'x <br> '.repeat(count)}</p>`],
  [
    'rows of 200 cells that each span 100,000 by 100,000',
    200,
    (count) => `<table>${`<tr>${'<td colspan=100000 rowspan=100000>1</td>'.repeat(200)}</tr>`.repeat(count)}</table>`,
    5,
  ],
  [
    'short rows of a table below one of 5,000 cells',
    5000,
    (count) => `<table><tr>${'<td>1'.repeat(5000)}${'<tr><td>1'.repeat(count)}</table>`,
    5,
  ],
  ['headings of one id', 30_000, (count) => '<h2 id="same">Same</h2>'.repeat(count)],
  ['headings of one text', 120_000, (count) => '<h2>Same</h2><p>y</p>'.repeat(count)],
  ['unclosed paragraphs', 2.5 * MiB, (count) => '<p>a'.repeat(count)],
  ['rows of a table', MiB, (count) => `<table>${'<tr><td>a'.repeat(count)}</table>`],
  ['CDATA outside of XML', 200_000, (count) => `${'<![CDATA['.repeat(count)}>`],
  [
    'CDATA in drawings',
    MiB / 20,
    (count) => `<svg><![CDATA[${'x'.repeat(20 * count)}]]></svg>${'<math><![CDATA[x]]></math>'.repeat(count)}`,
  ],
  ['a script of 10 MB', 600_000, (count) => `<script>${'if(a<b){"</scrip"}'.repeat(count)}</script>`],
  ['style blocks', 100_000, (count) => '<style>a{}</style>'.repeat(count)],
  [
    'a source set of 1 MB',
    100_000,
    (count) => `<img srcset="${'a.png 1x, '.repeat(count)}"><img srcset="${','.repeat(10 * count)}">`,
  ],
  ['commas in the midst of a source set', 50_000, (count) => `<img srcset="x${','.repeat(count)}y">`],
  ['forms with one long word each', 80, (count) => `<form><input>${'ab'.repeat(200)}</form>`.repeat(count)],
  ['blocks with one long word each', 2000, (count) => `<div><div>${'ab'.repeat(90)}</div></div>`.repeat(count)],
  ['options', 100_000, (count) => `<select>${'<option value="x">word</option>'.repeat(count)}</select>`],
  ['options without an end', 100_000, (count) => `<select>${'<option>word'.repeat(count)}</select>`],
  [
    'marks that Unicode must put in order',
    20_000,
    (count) => `<p>a${'\u0345\u0301\u0323'.repeat(count)}</p>`,
    BEYOND_WINDOWS,
  ],
  [
    'spaces',
    MiB,
    (count) => `<p>a${' \n'.repeat(count)}b</p><pre>${' '.repeat(count)}x${'\t'.repeat(count)}x</pre>`,
    BEYOND_WINDOWS,
  ],
  [
    'signs of Markdown',
    200_000,
    (count) => `<p>${']('.repeat(count)}${'!['.repeat(count)}${'*_`'.repeat(count)}</p>`,
    BEYOND_WINDOWS,
  ],
])('%s, many times: what stands before and after is read', async (_, count, make, size) => {
  const markdown = readHostile(inPage(make(full(count))));
  expect(markdown).toContain(BEFORE);
  expect(markdown).toContain(AFTER);
  await expectGrowth((count) => inPage(make(count)), size);
});

test.each<Hostile>([
  ['an unclosed comment', 5 * MiB, (count) => `<!--${'x-'.repeat(count)}`],
  ['an unclosed script', MiB, (count) => `<script>${'a<b '.repeat(count)}`],
  ['an unclosed attribute', MiB, (count) => `<p title="${'a>'.repeat(count)}`],
])('%s swallows what follows, and nothing before', async (_, count, make) => {
  const markdown = readHostile(inPage(make(full(count))));
  expect(markdown).toContain(BEFORE);
  expect(markdown).not.toContain(AFTER);
  await expectGrowth((size) => inPage(make(size)));
});

test('plaintext ends the markup: what follows is text or left out, and takes no time', async () => {
  const make = (count: number) => inPage(`<plaintext>${'</p><b>'.repeat(count)}`);
  expect(readHostile(make(full(200_000)))).toContain(BEFORE);
  await expectGrowth(make);
});

test.each<Hostile>([
  ['many blocks of JSON-LD', 100_000, (count) => jsonLd('{"@type":"Thing"}').repeat(count)],
  ['one block of 10 MB', 5 * MiB, (count) => jsonLd(`{"a":[${'1,'.repeat(count)}1]}`)],
  ['objects nested deep', 100_000, (count) => jsonLd(`${'{"a":'.repeat(count)}1${'}'.repeat(count)}`)],
  ['arrays nested deep', 100_000, (count) => jsonLd('['.repeat(count) + ']'.repeat(count))],
  ['many keys', 50_000, (count) => jsonLd(`{${numbered(count, (number) => `"k${number}":1,`)}"z":1}`)],
  ['a title of 10 MB', 2 * MiB, (count) => `<title>${'word '.repeat(count)}</title>`],
  ['many titles', 100_000, (count) => '<title>t</title>'.repeat(count)],
  ['many meta elements', 100_000, (count) => numbered(count, (number) => `<meta name="a${number}" content="b">`)],
])('a head with %s: the page is read', async (_, count, make) => {
  expect(readHostile(inPage('', make(full(count))))).toContain(AFTER);
  await expectGrowth((size) => inPage('', make(size)));
});

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'http://[',
  'http://a:99999/',
  '//',
  '\0',
  'x'.repeat(MiB),
  '../'.repeat(100_000),
])('<base href> %#: every link is a web address or none', (base) => {
  const document = readPageDocument(
    inPage('<p><a href="x">a link</a></p><img src="y" alt="z">', `<base href="${base}">`),
    PAGE_URL,
  );
  expect(document.content.markdown).toContain('a link');
  for (const { url } of [...(document.structure.links ?? []), ...(document.structure.images ?? [])]) {
    expect(new URL(url).protocol).toMatch(/^https?:$/);
  }
});

test('a base of 100 KB is not written out for each of 2,000 links', () => {
  const html = inPage(`<p>${'<a href="y">x</a> t '.repeat(2000)}</p>`, `<base href="/${'x/'.repeat(50_000)}">`);
  readHostile(html);
});

test('numbers of characters that do not exist become the replacement character', () => {
  const numbers = '&#x110000; &#xD800; &#0; &#99999999999999999999; &#xFFFFFFFFFFFFFFFFFF;';
  expect(readHostile(inPage(`<p>a ${numbers} b</p>`))).toContain('a \uFFFD \uFFFD \uFFFD \uFFFD \uFFFD b');
  readHostile(inPage(`<p>&#${'9'.repeat(MiB)};&#x${'f'.repeat(MiB)};</p>`));
});

test('halves of surrogate pairs never reach the document', () => {
  const html = inPage(
    `<p>${'\ud800a\udc00'.repeat(full(100_000))}</p><h2 id="\ud800">h\udc00</h2><a href="/\ud800">\udfff</a>`,
    jsonLd('{"@type":"Thing","name":"\\ud800 \ud800"}'),
  );
  expect(readHostile(html)).toContain(AFTER);
  const text = JSON.stringify(readPageDocument(html, PAGE_URL));
  expect(text).not.toMatch(/\p{Surrogate}/u);
  expect(text).not.toMatch(/\\ud[89a-f]/);
});

test('UTF-16 read as UTF-8 is read as whatever it says', () => {
  const bytes = Buffer.from(inPage('<p>Größe</p>'.repeat(full(5000))), 'utf16le');
  readHostile(bytes.toString('utf8'));
  readHostile(bytes.swap16().toString('utf8'));
});

test.each(['', '\0', '\uFEFF', '<', '</', '<!', '&', '&#', '<a', '<a b="', '<!--', '<script', '<![CDATA['])(
  '%j is a page without content',
  (html) => {
    expect(() => readPageDocument(html, PAGE_URL)).not.toThrow();
    expect(extractPage(html, PAGE_URL).sections).toEqual([]);
  },
);
