import { expect, test } from 'vitest';
import { extractPage } from './extract-page.ts';

const read = (main: string) => extractPage(`<main><h1>T</h1>${main}</main>`, 'https://docs.example/guide').markdown;

const FORMS: readonly [string, string][] = [
  [
    'kramdown, Python-Markdown, Hugo',
    '<p>Fact<sup id="fnref:1"><a href="#fn:1" role="doc-noteref">1</a></sup>.</p><div role="doc-endnotes"><ol><li id="fn:1"><p>Source. <a href="#fnref:1" role="doc-backlink">&#8617;</a></p></li></ol></div>',
  ],
  [
    'Pandoc',
    '<p>Fact<a href="#fn1" id="fnref1" role="doc-noteref"><sup>1</sup></a>.</p><section role="doc-endnotes"><hr><ol><li id="fn1"><p>Source.<a href="#fnref1" role="doc-backlink">↩︎</a></p></li></ol></section>',
  ],
  [
    'GitHub',
    '<p>Fact<sup><a href="#user-content-fn-1-ab" id="user-content-fnref-1-ab" data-footnote-ref>1</a></sup>.</p><section data-footnotes><ol><li id="user-content-fn-1-ab"><p>Source. <a href="#user-content-fnref-1-ab" data-footnote-backref>↩</a></p></li></ol></section>',
  ],
  [
    'Sphinx',
    '<p>Fact<a href="#id2" id="id1" role="doc-noteref"><span>[</span>1<span>]</span></a>.</p><aside id="id2" role="doc-footnote"><span><span>[</span><a role="doc-backlink" href="#id1">1</a><span>]</span></span><p>Source.</p></aside>',
  ],
  [
    'Sphinx before 5',
    '<p>Fact<a href="#f1" id="id1">[1]</a>.</p><dl><dt id="f1"><span><a href="#id1">1</a></span></dt><dd><p>Source.</p></dd></dl>',
  ],
  [
    'docutils with tables',
    '<p>Fact<a href="#f1" id="id1">[1]</a>.</p><table id="f1"><tr><td><a href="#id1">[1]</a></td><td>Source.</td></tr></table>',
  ],
  [
    'MediaWiki',
    '<p>Fact<sup id="cite_ref-1"><a href="#cite_note-1">[1]</a></sup>.</p><ol><li id="cite_note-1"><span><b><a href="#cite_ref-1">^</a></b></span> <span>Source.</span></li></ol>',
  ],
  [
    'Asciidoctor',
    '<p>Fact<sup>[<a id="_footnoteref_1" href="#_footnotedef_1">1</a>]</sup>.</p><div id="footnotes"><hr><div id="_footnotedef_1"><a href="#_footnoteref_1">1</a>. Source.</div></div>',
  ],
];
test.each(FORMS)('notes are written as such: %s', (_, html) => {
  expect(read(html)).toMatch(/^# T\n\nFact\[\^1\]\.\n\n(?:---\n\n)?\[\^1\]: Source\.$/);
});

test('a note of several blocks is indented', () => {
  const html =
    '<p>Fact<sup><a href="#n">a</a></sup>.</p><ol><li id="n"><p>One.</p><pre>a\n\nb</pre></li></ol><p>After.</p>';
  expect(read(html)).toBe('# T\n\nFact[^a].\n\n[^a]: One.\n\n    ```\n    a\n\n    b\n    ```\n\nAfter.');
});

test('two notes of one number have two labels, two references to one note have one', () => {
  const html =
    '<p>a<sup><a href="#x">1</a></sup> b<sup><a href="#y">1</a></sup> c<sup><a href="#x">1</a></sup></p><ol><li id="x">X</li><li id="y">Y</li></ol>';
  expect(read(html)).toBe('# T\n\na[^1] b[^1-2] c[^1]\n\n[^1]: X\n\n[^1-2]: Y');
});

test.each([
  ['a step', '<p>See <a href="#s2">2</a>.</p><ol><li>One</li><li id="s2">Two</li></ol>'],
  ['a heading', '<p>See<sup><a href="#h">1</a></sup>.</p><h2 id="h">One</h2>'],
  ['a place that is not there', '<p>See<sup><a href="#gone">1</a></sup>.</p>'],
])('a link to %s is no note', (_, html) => {
  expect(read(html)).not.toContain('[^');
});
