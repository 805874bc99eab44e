import { expect, test } from 'vitest';
import { diffPages } from '../diff/diff-pages.ts';
import type { PageChange } from '../diff/page-change.ts';
import { extractPage } from './extract-page.ts';
import { keepAnchors } from './keep-anchors.ts';

const URL_OF_PAGE = 'https://docs.example/guide';
const LONG = 'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt. '.repeat(8);

function changesBetween(before: string, after: string): PageChange[] {
  const read = extractPage(before, URL_OF_PAGE);
  return diffPages(read, keepAnchors(extractPage(after, URL_OF_PAGE), read));
}

/** What a page may be built like. In each one 10 becomes 20, and that is a change. */
const EDITED: readonly [string, string][] = [
  [
    'a short section beside a long one',
    `<section id=a><h2>A</h2><p>${LONG}</p></section><section id=b><h2>B</h2><p>Price is 10.</p></section>`,
  ],
  [
    'a short part beside one with the h1',
    `<div><h1>A</h1><p>${LONG}</p></div><div><h2>B</h2><p>Price is 10.</p></div>`,
  ],
  [
    'the shorter of two articles',
    `<main><article><h2>A</h2><p>${LONG}</p></article><article><h2>B</h2><p>Price is 10.</p></article></main>`,
  ],
  [
    'two articles under a header',
    `<header><h1>T</h1></header><main><article>A: ${LONG}</article><article>B: price 10</article></main>`,
  ],
  [
    'footnotes after the article',
    `<main><article><h1>T</h1><p>${LONG}</p></article><section><h2>Footnotes</h2><p>fn 10</p></section></main>`,
  ],
  [
    'links under a heading beside the article',
    `<main><article><h1>T</h1><p>${LONG}</p></article><section><h2>Downloads</h2><a href="/v">Version 10</a></section></main>`,
  ],
  ['words before the article', `<main><p>Price 10.</p><article><h2>A</h2><p>${LONG}</p></article></main>`],
  [
    'the second of two mains',
    `<div role=main><h2>A</h2><p>${LONG}</p></div><div role=main><h2>B</h2><p>Price 10</p></div>`,
  ],
  ['no heading, a paragraph first', `<p>Price is 10 euro.</p><div>${LONG}</div>`],
  ['no heading, code', `<p>Price is 10 euro.</p><div class=highlight><pre>${LONG}</pre></div>`],
  ['a table alone', `<table><tr><td>Price</td><td>10</td></tr><tr><td>Text</td><td>${LONG}</td></tr></table>`],
  [
    'a head cell above one long row',
    `<table><thead><tr><th>Limit 10</th><th>b</th></tr></thead><tbody><tr><td>x</td><td>${LONG}</td></tr></tbody></table>`,
  ],
  ['a cell outside any row', '<main><h2>A</h2><table><td>10<td>x</table></main>'],
  ['a short cell beside a long one', `<table><tr><td>10</td><td>${LONG}</td></tr></table>`],
  ['what a page’s header says', `<header><h1>T</h1><p>Version 10 manual</p></header><main><p>${LONG}</p></main>`],
  ['a version in which something changed', '<main><h2>A</h2><p>Last changed in version 3.4: default is 10.</p></main>'],
  ['an item about updated fields', '<main><h2>A</h2><ul><li>Last updated fields are now 10</li></ul></main>'],
  ['a line that begins with a date', '<main><h2>A</h2><p>Published 2024-01-02: price 10</p></main>'],
  ['a sentence about copyright', '<main><h2>A</h2><p>Copyright 2024 law changed to 10</p></main>'],
  ['an item numbered (c)', '<main><h2>A</h2><p>(c) the limit is 10</p></main>'],
  ['a span of time', '<main><h2>A</h2><p>Timeout is <time>10 minutes</time></p></main>'],
  ['a button in a sentence', '<main><h2>A</h2><p>Press <button>Save 10</button> and wait.</p></main>'],
  ['a button at the end of an item', '<main><h2>A</h2><ul><li>Press <button>Save 10</button></li></ul></main>'],
  ['a sentence in a form', '<main><h2>A</h2><form><p>The price is 10 euro.</p><button>Buy</button></form></main>'],
  [
    'what a button unfolds',
    '<main><h1>T</h1><div><button aria-controls=x aria-expanded=false>Q</button><div id=x hidden>10</div></div></main>',
  ],
  ['a task', '<main><h2>A</h2><ul><li><label><input type=checkbox> Wait 10 days</label></li></ul></main>'],
  ['a form round the page', '<form><input type=hidden name=x><p>The price is 10 euro.</p></form>'],
  ['an aside without main', `<h1>T</h1><p>${LONG}</p><aside><p>Warning: limit is 10.</p></aside>`],
  ['a folded answer', '<main><h1>T</h1><h2 id=a><button>Q</button></h2><div hidden>10</div></main>'],
  [
    'a panel that a tab shows',
    '<main><h1>T</h1><div><button role=tab aria-controls=p1>a</button><button role=tab aria-controls=p2>b</button></div><div id=p1>npm</div><div id=p2 style="display:none">yarn 10</div></main>',
  ],
  [
    'a panel beside the one shown',
    '<main><h1>T</h1><div class=panel>npm</div><div class=panel style="display:none">yarn 10</div></main>',
  ],
];
test.each(EDITED)('a real edit is seen: %s', (_, html) => {
  expect(html).toContain('10');
  expect(changesBetween(html, html)).toEqual([]);
  expect(changesBetween(html, html.replace('10', '20'))).toHaveLength(1);
});

/** A theme made of divs alone, round the part with the title. */
const AROUND: readonly [string, string, string][] = [
  ['an announcement', '<div><p>We released version 10! Read <a href="/blog">the post</a>.</p></div>', ''],
  ['a slogan', '<div id="tagline">Docs for everyone</div>', ''],
  ['a menu', '<div><a href="/a">A</a> | <a href="/b">B</a></div>', ''],
  ['a list of posts', '', '<div><h4>Latest posts</h4><ul><li><a href="/a">One</a></li></ul></div>'],
  ['an address', '', '<div id="footer"><p>Example Ltd, 10 Main Street</p></div>'],
];
test.each(AROUND)('beside the part with the title, %s gives nothing', (_, before, after) => {
  const content = `<div id="content"><h1>T</h1><p>${LONG}</p><h2>A</h2><p>${LONG}</p></div>`;
  expect(changesBetween(`<body>${content}</body>`, `<body>${before}${content}${after}</body>`)).toEqual([]);
});

test('a section added or edited beside a long one is named', () => {
  const a = `<article><h2>A</h2><p>${LONG}</p></article>`;
  const b = '<article><h2>B</h2><p>Price is 10.</p></article>';
  expect(changesBetween(`<main>${a}</main>`, `<main>${a}${b}</main>`)).toMatchObject([
    { action: 'create', anchor: 'b' },
  ]);
  const [[, sections] = ['', '']] = EDITED;
  expect(changesBetween(sections, sections.replace('10', '20'))).toMatchObject([{ action: 'update', anchor: 'b' }]);
});

test('a section called Contents is one where it holds more than links', () => {
  const html = '<main><h1 id=t>T</h1><p>x</p><h2 id=c>Contents</h2><pre>box of 10</pre><h2 id=d>D</h2><p>y</p></main>';
  expect(changesBetween(html, html.replace('10', '20'))).toMatchObject([{ action: 'update', anchor: 'c' }]);
  const toc =
    '<main><h1 id=t>T</h1><h2>Contents</h2><ul><li><a href="#a">A</a></li><li><a href="#b">B</a></li></ul></main>';
  expect(changesBetween('<main><h1 id=t>T</h1></main>', toc)).toEqual([]);
});

/** What generators write into pages: before, after. None of it is said by an author. */
const NOISE: readonly [string, string, string][] = [
  [
    'a date beside an icon',
    '<aside class="md-source-file"><span class="md-source-file__fact"><span class="md-icon" title="Last update"><svg></svg></span><span class="git-revision-date-localized-plugin git-revision-date-localized-plugin-date">January 3, 2024</span></span></aside>',
    '<aside class="md-source-file"><span class="md-source-file__fact"><span class="md-icon" title="Last update"><svg></svg></span><span class="git-revision-date-localized-plugin git-revision-date-localized-plugin-date">May 5, 2024</span></span></aside>',
  ],
  [
    'Doxygen’s line',
    '<p>Generated on Tue Jan 1 2024 10:22:11 for Proj by Doxygen 1.9.8</p>',
    '<p>Generated on Wed Jan 2 2024 11:22:11 for Proj by Doxygen 1.9.9</p>',
  ],
  [
    'Doxygen’s short line',
    '<small>Generated by&#160;<a href="x">doxygen</a> 1.9.1</small>',
    '<small>Generated by&#160;<a href="x">doxygen</a> 1.9.2</small>',
  ],
  ['a build time', '<p>Page built at 2024-01-01 10:00</p>', '<p>Page built at 2024-01-02 11:00</p>'],
  ['a rendering time', '<p>Rendered in 1ms</p>', '<p>Rendered in 2.5 seconds</p>'],
  ['a request id', '<p>Request ID: abc123</p>', '<p>Request ID: 9f8e7d-11</p>'],
  ['views, rounded', '<div>1.2k views</div>', '<div>1,301 views</div>'],
  ['views, told', '<div>Viewed 123 times</div>', '<div>Viewed 124 times</div>'],
  ['a stamp with a name', '<p>Last updated on March 3, 2031 by Kim Doe</p>', '<p>Last updated: 3 days ago</p>'],
  [
    'a stamp with a time',
    '<p>Last modified: Tue, 3 Mar 2031 10:00:00 GMT</p>',
    '<p>Last edited at 2031-03-04T11:00Z</p>',
  ],
  [
    'a stamp in an item',
    '<ul><li>a</li><li>Last updated 2031-01-01</li></ul>',
    '<ul><li>a</li><li>Last updated 2031-01-02</li></ul>',
  ],
  ['a copyright line', '<p>Copyright 2024 Example Ltd. All rights reserved.</p>', '<p>© 2025 Example Ltd.</p>'],
  [
    'a build hash in an image’s address',
    '<p><a href="/_images/x-1abcdef.png"><img alt=x></a></p>',
    '<p><a href="/_images/x-9fe1e2a.png"><img alt=x></a></p>',
  ],
  ['rows of a sidebar', '<aside><a href="/a">A</a></aside>', '<aside><a href="/b">B</a> <a href="/c">C</a></aside>'],
  ['the id of a wrapper', '<div id="css-1"><h3>Deep</h3></div>', '<div id="css-2"><h3>Deep</h3></div>'],
];
test.each(NOISE)('noise gives nothing: %s', (_, before, after) => {
  const page = (noise: string) => `<main><h1>T</h1><p>Words.</p><h2>A</h2><p>More words.</p>${noise}</main>`;
  expect(changesBetween(page(before), page(after))).toEqual([]);
});
