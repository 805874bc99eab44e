import { expect, test } from 'vitest';
import { readPageDocument } from '../src/extract/document/read-page.ts';
import { extractPage } from '../src/extract/extract-page.ts';

/**
 * Pages made to hurt who reads them. Each is read in time that grows with its length, into a document of a size that does,
 * and what stands beside the hostile part is still found where HTML says that it is shown.
 */

const PAGE_URL = 'https://site.example/a/b';
const MiB = 1024 * 1024;
/** Several times what each takes, and far below what any of them takes once the time grows with the square. */
const FIXED_MS = 1000;
const MS_PER_CHARACTER = 0.004;
const MAX_MS = 6000;
/** Escapes make six characters of one, and links are given twice. */
const MAX_GROWTH = 8;

const BEFORE = 'Words before it.';
const AFTER = 'Words after it.';
const inPage = (hostile: string, head = '') =>
  `<html><head><title>T</title>${head}</head><body><main><h1>Title</h1><p>${BEFORE}</p>${hostile}<p>${AFTER}</p></main></body></html>`;
const jsonLd = (json: string) => `<script type="application/ld+json">${json}</script>`;
const numbered = (count: number, markup: (number: number) => string) =>
  Array.from({ length: count }, (_, number) => markup(number)).join('');

function readHostile(html: string): string {
  const start = process.cpuUsage();
  const document = readPageDocument(html, PAGE_URL);
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1000, 'CPU milliseconds').toBeLessThan(
    Math.min(MAX_MS, FIXED_MS + html.length * MS_PER_CHARACTER),
  );
  expect(JSON.stringify(document).length, 'characters of the document').toBeLessThan(html.length * MAX_GROWTH + MiB);
  return document.content.markdown;
}

const nested = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000);

test.each<[string, () => string]>([
  ['100,000 nested div', () => nested('<div>', '</div>')],
  ['100,000 nested b', () => nested('<b>', '</b>')],
  ['100,000 nested tables', () => nested('<table><tr><td>', '</td></tr></table>')],
  ['100,000 nested lists', () => nested('<ul><li>', '</li></ul>')],
  ['100,000 nested quotes', () => nested('<blockquote>', '</blockquote>')],
  ['nested lists with a word each', () => '<ol><li>word '.repeat(20_000) + '</li></ol>'.repeat(20_000)],
  ['nested quotes with a word each', () => '<blockquote>word '.repeat(20_000) + '</blockquote>'.repeat(20_000)],
  ['nested terms with a word each', () => '<dl><dd>word '.repeat(20_000) + '</dd></dl>'.repeat(20_000)],
  ['lines of code in 250 quotes', () => `${'<blockquote>'.repeat(250)}<pre>${'x\n'.repeat(20_000)}</pre>`],
  [
    'every inline element, nested 100,000 deep',
    () =>
      `${'<b><i><em><strong><span><code><a href="/x">'.repeat(14_300)}word${'</a></code></span></strong></em></i></b>'.repeat(14_300)}`,
  ],
  ['buttons nested in headings', () => '<h2><button>w '.repeat(4000)],
  ['buttons beside each other in a heading', () => `<h2>${'<button>w</button>'.repeat(6000)}</h2>`],
  ['300,000 unclosed p', () => '<p>'.repeat(300_000)],
  ['500,000 unclosed unknown elements', () => '<x>'.repeat(500_000)],
  ['end tags of nothing', () => '</p></b></x>'.repeat(200_000)],
  ['300,000 attributes', () => `<p ${numbered(300_000, (number) => `a${number} `)}>x</p>`],
  ['an attribute of 10 MB', () => `<p title="${'x '.repeat(5 * MiB)}" class="${'x '.repeat(MiB)}">x</p>`],
  ['an address of 2 MB', () => `<p>a <a href="/?${'a=1&'.repeat(MiB / 2)}">x</a></p>`],
  ['4 MB of <', () => '<'.repeat(4 * MiB)],
  ['1,000,000 entities', () => `<p>${'&amp;'.repeat(1_000_000)}</p>`],
  ['null bytes', () => `<p>a\0b</p>${'\0'.repeat(MiB)}`],
  ['50,000 links in a paragraph', () => `<p>${numbered(50_000, (number) => `<a href="/${number}">w</a> t `)}</p>`],
  ['100,000 line breaks', () => `<p>${'x <br> '.repeat(100_000)}</p>`],
  [
    '40,000 cells that each span 100,000 by 100,000',
    () => `<table>${`<tr>${'<td colspan=100000 rowspan=100000>1</td>'.repeat(200)}</tr>`.repeat(200)}</table>`,
  ],
  [
    'a table of one wide row and many short ones',
    () => `<table><tr>${'<td>1'.repeat(5000)}${'<tr><td>1'.repeat(5000)}</table>`,
  ],
  ['30,000 headings of one id', () => '<h2 id="same">Same</h2>'.repeat(30_000)],
  ['20,000 headings of one text', () => '<h2>Same</h2><p>t</p>'.repeat(20_000)],
  ['120,000 headings of one text', () => '<h2>Same</h2><p>y</p>'.repeat(120_000)],
  ['10 MB of unclosed paragraphs', () => '<p>a'.repeat(2.5 * MiB)],
  ['10 MB of cells', () => `<table>${'<tr><td>a'.repeat(MiB)}</table>`],
  ['CDATA outside of XML', () => `${'<![CDATA['.repeat(200_000)}>`],
  [
    'CDATA in drawings',
    () => `<svg><![CDATA[${'x'.repeat(MiB)}]]></svg>${'<math><![CDATA[x]]></math>'.repeat(50_000)}`,
  ],
  ['a script of 10 MB', () => `<script>${'if(a<b){"</scrip"}'.repeat(600_000)}</script>`],
  ['100,000 style blocks', () => '<style>a{}</style>'.repeat(100_000)],
  ['a source set of 1 MB', () => `<img srcset="${'a.png 1x, '.repeat(100_000)}"><img srcset="${','.repeat(MiB)}">`],
  ['commas in the midst of a source set', () => `<img srcset="x${','.repeat(50_000)}y">`],
  ['forms with one long word each', () => `<form><input>${'ab'.repeat(200)}</form>`.repeat(80)],
  ['blocks with one long word each', () => `<div><div>${'ab'.repeat(90)}</div></div>`.repeat(2000)],
  ['100,000 options', () => `<select>${'<option value="x">word</option>'.repeat(100_000)}</select>`],
  ['100,000 options without an end', () => `<select>${'<option>word'.repeat(100_000)}</select>`],
  ['marks that Unicode must put in order', () => `<p>a${'\u0345\u0301\u0323'.repeat(20_000)}</p>`],
  ['spaces', () => `<p>a${' \n'.repeat(MiB)}b</p><pre>${' '.repeat(MiB)}x${'\t'.repeat(MiB)}x</pre>`],
  ['signs of Markdown', () => `<p>${']('.repeat(200_000)}${'!['.repeat(200_000)}${'*_`'.repeat(200_000)}</p>`],
])('%s: what stands before and after is read', (_, make) => {
  const markdown = readHostile(inPage(make()));
  expect(markdown).toContain(BEFORE);
  expect(markdown).toContain(AFTER);
});

test.each<[string, () => string]>([
  ['an unclosed comment of 10 MB', () => `<!--${'x-'.repeat(5 * MiB)}`],
  ['an unclosed script', () => `<script>${'a<b '.repeat(MiB)}`],
  ['an unclosed attribute', () => `<p title="${'a>'.repeat(MiB)}`],
])('%s swallows what follows, and nothing before', (_, make) => {
  const markdown = readHostile(inPage(make()));
  expect(markdown).toContain(BEFORE);
  expect(markdown).not.toContain(AFTER);
});

test('plaintext ends the markup: what follows is text or left out, and takes no time', () => {
  expect(readHostile(inPage(`<plaintext>${'</p><b>'.repeat(200_000)}`))).toContain(BEFORE);
});

test.each<[string, () => string]>([
  ['100,000 blocks of JSON-LD', () => jsonLd('{"@type":"Thing"}').repeat(100_000)],
  ['one block of 10 MB', () => jsonLd(`{"a":[${'1,'.repeat(5 * MiB)}1]}`)],
  ['objects nested 100,000 deep', () => jsonLd(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)],
  ['arrays nested 100,000 deep', () => jsonLd('['.repeat(100_000) + ']'.repeat(100_000))],
  ['50,000 keys', () => jsonLd(`{${numbered(50_000, (number) => `"k${number}":1,`)}"z":1}`)],
  ['a title of 10 MB', () => `<title>${'word '.repeat(2 * MiB)}</title>`],
  ['100,000 titles', () => '<title>t</title>'.repeat(100_000)],
  ['100,000 meta elements', () => numbered(100_000, (number) => `<meta name="a${number}" content="b">`)],
])('a head with %s: the page is read', (_, make) => {
  expect(readHostile(inPage('', make()))).toContain(AFTER);
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
    `<p>${'\ud800a\udc00'.repeat(100_000)}</p><h2 id="\ud800">h\udc00</h2><a href="/\ud800">\udfff</a>`,
    jsonLd('{"@type":"Thing","name":"\\ud800 \ud800"}'),
  );
  expect(readHostile(html)).toContain(AFTER);
  const text = JSON.stringify(readPageDocument(html, PAGE_URL));
  expect(text).not.toMatch(/\p{Surrogate}/u);
  expect(text).not.toMatch(/\\ud[89a-f]/);
});

test('UTF-16 read as UTF-8 is read as whatever it says', () => {
  const bytes = Buffer.from(inPage('<p>Größe</p>'.repeat(5000)), 'utf16le');
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
