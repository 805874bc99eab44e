import { expect, test } from 'vitest';
import { extractPage } from './extract-page.ts';

/** The page stands below a title and a line, as most do; both are cut off again. */
function markdownOf(html: string): string {
  const start = '# T\n\nWords.\n\n';
  const { markdown } = extractPage(`<main><h1>T</h1><p>Words.</p>${html}</main>`, 'https://docs.example/guide/');
  expect(markdown.startsWith(start)).toBe(true);
  return markdown.slice(start.length);
}

type Form = readonly [string, string, string];

const LISTS: readonly Form[] = [
  ['two lists in a row stay two', '<ul><li>a</ul><ul><li>b</ul>', '- a\n\n* b'],
  ['numbered ones too', '<ol><li>a</ol><ol><li>b</ol>', '1. a\n\n1) b'],
  ['numbers that begin later', '<ol start=5><li>a<li>b</ol>', '5. a\n6. b'],
  ['numbers that count down', '<ol reversed><li>a<li>b</ol>', '2. a\n1. b'],
  ['an item with its own number', '<ol><li>a<li value=7>b<li>c</ol>', '1. a\n7. b\n8. c'],
  ['a number that is none', '<ol start=-4><li>a</ol><p>x</p><ol start=x><li>b</ol>', '0. a\n\nx\n\n1. b'],
  ['a nested list that begins later', '<ul><li>one<ol start=3><li>three</ol></ul>', '- one\n\n  3. three'],
  ['a list between items', '<ul><li>one<li>two</li><ul><li>deep</ul></ul>', '- one\n- two\n  - deep'],
  ['code in an item', '<ul><li>Run:<pre>a\n\nb</pre><li>next</ul>', '- Run:\n\n  ```\n  a\n\n  b\n  ```\n- next'],
  ['an item that begins with a list', '<ul><li><ul><li>x</ul></ul>', '- - x'],
  ['an empty item', '<ul><li>a<li></ul><p>after</p>', '- a\n\nafter'],
  ['an item without a list', '<li>a</li>', '- a'],
  ['terms with several meanings', '<dl><dt>A<dd>one<dd>two</dl>', 'A\n: one\n: two'],
  [
    'the members of a class',
    '<dl><dt>class <b>Foo</b></dt><dd><p>Does it.</p><dl><dt>bar()</dt><dd><p>Runs.</p><pre>x</pre></dd></dl></dd></dl>',
    '- class **Foo**\n\n  Does it.\n\n  - bar()\n\n    Runs.\n\n    ```\n    x\n    ```',
  ],
];
test.each(LISTS)('lists: %s', (_, html, markdown) => {
  expect(markdownOf(html)).toBe(markdown);
});

const TABLES: readonly Form[] = [
  ['no head', '<table><tr><td>a<td>b<tr><td>c<td>d</table>', '|  |  |\n| --- | --- |\n| a | b |\n| c | d |'],
  [
    'names of rows',
    '<table><tr><th>Name<td>Kim<tr><th>Age<td>3</table>',
    '|  |  |\n| --- | --- |\n| Name | Kim |\n| Age | 3 |',
  ],
  [
    'a bold head',
    '<table><tr><td><b>a</b><td><b>b</b><tr><td>1<td>2</table>',
    '| **a** | **b** |\n| --- | --- |\n| 1 | 2 |',
  ],
  [
    'cells over several columns and rows',
    '<table><tr><th colspan=2>a<th>b<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5</table>',
    '| a |  | b |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n|  | 4 | 5 |',
  ],
  ['a caption', '<table><caption>Limits</caption><tr><th>a<tr><td>1</table>', 'Limits\n\n| a |\n| --- |\n| 1 |'],
  [
    'lines, lists and code in cells',
    '<table><tr><th>a<th>b<th>c<tr><td>x<br>y<td><ul><li>x<li>y</ul><td><pre>x | y</pre></table>',
    '<table>\n<tr><th>a</th><th>b</th><th>c</th></tr>\n<tr><td>x<br>y</td><td><ul><li>x</li><li>y</li></ul></td><td><pre>x | y</pre></td></tr>\n</table>',
  ],
  [
    'lines and code in cells',
    '<table><tr><th>a<th>b<tr><td>x<br>y<td><pre>x | y</pre></table>',
    '| a | b |\n| --- | --- |\n| x <br> y | `x \\| y` |',
  ],
  ['a backslash before a pipe', '<table><tr><th>a<tr><td>\\|</table>', '| a |\n| --- |\n| \\\\\\| |'],
  [
    'lines of code in cells',
    '<table><tr><td>Old<td>New<tr><td><pre>a\nb</pre><td>c</table>',
    '<table>\n<tr><td>Old</td><td>New</td></tr>\n<tr><td><pre>a\nb</pre></td><td>c</td></tr>\n</table>',
  ],
  ['one cell alone', '<table><tr><td><p>a</p><p>b</p></table>', 'a\n\nb'],
  ['one row alone', '<table><tr><td>int f<td>(<td>int x<td>)</table>', 'int f ( int x )'],
  [
    'a table in a table',
    '<table><tr><td>out<td><table><tr><th>a<tr><td>1</table></table>',
    'out\n\n| a |\n| --- |\n| 1 |',
  ],
  [
    'rows of another length',
    '<table><tr><th>a<th>b<tr><td>1<tr><td>1<td>2<td>3</table>',
    '| a | b |  |\n| --- | --- | --- |\n| 1 |  |  |\n| 1 | 2 | 3 |',
  ],
];
test.each(TABLES)('tables: %s', (_, html, markdown) => {
  expect(markdownOf(html)).toBe(markdown);
});

const WORDS: readonly Form[] = [
  ['keys and output', '<p><kbd>Ctrl</kbd>+<kbd>C</kbd> gives <samp>^C</samp></p>', '`Ctrl`+`C` gives `^C`'],
  ['placeholders', '<p>run <var>name</var></p>', 'run *name*'],
  [
    'raised and lowered',
    '<p>10<sup>6</sup> H<sub>2</sub>O, the 1<sup>st</sup></p>',
    '10<sup>6</sup> H<sub>2</sub>O, the 1st',
  ],
  ['struck words', '<p><del>old</del> <ins>new</ins> <mark>hot</mark></p>', '~~old~~ new hot'],
  ['quoted words', '<p><q>hi</q></p>', '"hi"'],
  ['readings', '<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby></p>', '漢(kan)'],
  ['abbreviations', '<p><abbr title="HyperText">HT</abbr></p>', 'HT'],
  ['emphasis that would not close', '<p><b>Note:</b>text and x<b>(y)</b></p>', 'Note:text and x(y)'],
  ['emphasis side by side', '<p><b>a</b><b>b</b> <i>c</i></p>', '**ab** *c*'],
  ['emphasis in emphasis', '<p><b>a <strong>b</strong> <i>c</i></b></p>', '**a b *c***'],
  ['spaces of all kinds', '<p>a&nbsp;b\u200B c&shy;d\n e</p>', 'a b cd e'],
  ['line breaks', '<p>a<br><br>b<br>c<br></p>', 'a\n\nb\\\nc'],
  ['a rule between blocks', '<p>a</p><hr><p>b</p><hr>', 'a\n\n---\n\nb'],
  ['a button in a sentence', '<p>Press <button>Save</button> now.</p>', 'Press Save now.'],
  ['right to left', '<p dir="rtl">שלום <b>עולם</b></p>', 'שלום **עולם**'],
  [
    'KaTeX',
    '<p><span><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span aria-hidden="true">x2</span></p>',
    '$x^2$',
  ],
  [
    'MathML alone',
    '<p><math display="block"><msup><mi>a</mi><mn>2</mn></msup><mo>=</mo><mfrac><mn>1</mn><mi>n</mi></mfrac></math></p>',
    '$$a^2=\\frac{1}{n}$$',
  ],
];
test.each(WORDS)('words: %s', (_, html, markdown) => {
  expect(markdownOf(html)).toBe(markdown);
});

const LINKS: readonly Form[] = [
  ['parentheses in pairs', '<p><a href="/a_(b)">x</a></p>', '[x](https://docs.example/a_(b))'],
  ['a parenthesis alone', '<p><a href="/a)b">x</a></p>', '[x](https://docs.example/a%29b)'],
  ['spaces and brackets', '<p><a href="/a b">[x]</a></p>', '[\\[x\\]](https://docs.example/a%20b)'],
  ['nothing to show', '<p>a<a href="/x"></a><a href="/x"><img src="i.png" alt=""></a></p>', 'a'],
  ['no address', '<p><a href="javascript:go()">a</a> <a>b</a></p>', 'a b'],
  ['after an exclamation', '<p>Go!<a href="/x">x</a></p>', 'Go\\![x](https://docs.example/x)'],
  [
    'side by side',
    '<p><a href="/a">a</a><a href="/b">b</a></p>',
    '[a](https://docs.example/a) [b](https://docs.example/b)',
  ],
  ['round a card', '<a href="/c"><h3>Card</h3><p>Text</p></a>', '### [Card](https://docs.example/c)\n\nText'],
  ['round blocks', '<a href="/c"><div>One</div><div>Two</div></a>', '[One](https://docs.example/c)\n\nTwo'],
  ['a term that links to itself', '<dl><dt id="x"><a href="#x"><code>x</code></a><dd>y</dl>', '`x`\n: y'],
  [
    'a picture that is a link',
    '<p><a href="/x"><img src="a.png" alt="A"></a></p>',
    '[![A](https://docs.example/guide/a.png)](https://docs.example/x)',
  ],
  [
    'a picture loaded late',
    '<p><img src="data:image/gif;base64,R0" data-src="/a.png" alt="A"></p>',
    '![A](https://docs.example/a.png)',
  ],
  ['a picture in sizes', '<p><img srcset="/s.png 1x, /l.png 2x" alt="A"></p>', '![A](https://docs.example/s.png)'],
  ['a picture without address', '<p><img src="data:," alt="A *b*"></p>', '![A \\*b\\*]'],
  ['emoji that are pictures', '<p>Go <img src="r.png" alt="🚀"> <img src="s.png" alt=":smile:"></p>', 'Go 🚀 :smile:'],
];
test.each(LINKS)('links and images: %s', (_, html, markdown) => {
  expect(markdownOf(html)).toBe(markdown);
});

const HEADINGS: readonly Form[] = [
  ['a number', '<h2>1. Start</h2>', '## 1. Start'],
  ['two lines', '<h2>One<br>two <div>three</div></h2>', '## One two three'],
  ['bold and a link to itself', '<h2 id="a"><a href="#a"><b>A</b> <code>b</code></a></h2>', '## A `b`'],
  ['a sharp at the end', '<h2>C #</h2>', '## C \\#'],
  ['in an item', '<ol><li><h3>One</h3><p>x</p><li><h3>Two</h3></ol>', '### One\n\nx\n\n### Two'],
  ['in a table', '<table><tr><td><h3>One</h3>x<td>y</table>', '### One\n\nx\n\ny'],
];
test.each(HEADINGS)('headings: %s', (_, html, markdown) => {
  expect(markdownOf(html)).toBe(markdown);
});

const CALLS: readonly Form[] = [
  [
    'Sphinx, MkDocs',
    '<div class="admonition note"><p class="admonition-title">Note</p><p>Mind.</p><ul><li>a</ul></div>',
    '> [!NOTE]\n> Mind.\n>\n> - a',
  ],
  [
    'Docusaurus',
    '<div class="theme-admonition"><div class="h"><span><svg></svg></span>tip</div><div><p>Mind.</p></div></div>',
    '> [!TIP]\n> Mind.',
  ],
  [
    'Starlight',
    '<aside aria-label="Caution"><p aria-hidden="true">Caution</p><div><p>Mind.</p></div></aside>',
    '> [!CAUTION]\n> Mind.',
  ],
  ['mdBook', '<blockquote><p>Warning</p><p>Mind.</p></blockquote>', '> [!WARNING]\n> Mind.'],
  [
    'Asciidoctor',
    '<div class="admonitionblock"><table><tr><td class="icon"><div>Note</div></td><td class="content"><p>Mind.</p></td></tr></table></div>',
    '> [!NOTE]\n> Mind.',
  ],
  [
    'GitHub',
    '<div class="markdown-alert"><p class="t"><svg></svg>Important</p><p>Mind.</p></div>',
    '> [!IMPORTANT]\n> Mind.',
  ],
  ['a bold word in a line', '<div><b>Note</b>: mind.</div>', '**Note**: mind.'],
  ['a word alone', '<div><p>Note</p></div>', 'Note'],
  ['a quote', '<blockquote><p>a</p><footer>— <cite>Kim</cite></footer></blockquote>', '> a\n>\n> — *Kim*'],
  ['what is folded', '<details><summary>More <b>of</b> it</summary><p>a</p></details>', '**More of it**\n\na'],
  [
    'a figure',
    '<figure><img src="a.png" alt="A"><figcaption>The <b>A</b></figcaption></figure>',
    '![A](https://docs.example/guide/a.png)\n\nThe **A**',
  ],
];
test.each(CALLS)('notes and quotes: %s', (_, html, markdown) => {
  expect(markdownOf(html)).toBe(markdown);
});
