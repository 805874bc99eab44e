import { expect, test } from 'vitest';
import { extractPage } from './extract-page.ts';

function markdownOf(main: string): string {
  return extractPage(`<main>${main}</main>`, 'https://docs.example/guide/').markdown;
}

const WRITTEN: readonly [string, string, string][] = [
  ['inline formats', '<p>a <b>bold </b>and <em>soft</em> <code>x*y</code></p>', 'a **bold** and *soft* `x*y`'],
  ['code with backticks', '<p><code>a`b</code></p>', '``a`b``'],
  ['links, made absolute', '<p><a href="../x">that</a></p>', '[that](https://docs.example/x)'],
  [
    'images by their description',
    '<p><img src="a.png" alt="A gauge"><img src="b.png"></p>',
    '![A gauge](https://docs.example/guide/a.png)',
  ],
  ['nested lists', '<ul><li>one<ol><li>three<li>four</ol><li>two</ul>', '- one\n  1. three\n  2. four\n- two'],
  ['paragraphs in items', '<ul><li><p>one</p><p>more</p><li>two</ul>', '- one\n\n  more\n- two'],
  [
    'code blocks with their language',
    '<pre><code class="language-js">a();\n  b();\n</code></pre>',
    '```js\na();\n  b();\n```',
  ],
  ['lines of code that are elements', '<pre><div>a</div><div>b</div></pre>', '```\na\nb\n```'],
  ['fences in code', '<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````'],
  ['tables', '<table><tr><th>a<th>b<tr><td>1<td>x|y</table>', '| a | b |\n| --- | --- |\n| 1 | x\\|y |'],
  ['quotes', '<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
  ['terms', '<dl><dt>Term<dd>Meaning</dl>', 'Term\n: Meaning'],
  ['line breaks', '<p>a<br>b</p>', 'a\\\nb'],
  ['signs that would be markup', '<p># 1*2 &lt;b&gt;</p><p>1. no list</p>', '\\# 1\\*2 \\<b>\n\n1\\. no list'],
];
test.each(WRITTEN)('writes %s', (_, html, markdown) => {
  expect(markdownOf(html)).toBe(markdown);
});

const LEFT_OUT: readonly [string, string][] = [
  ['scripts and drawings', '<script>x</script><style>x</style><svg><text>x</text></svg><template>x</template>'],
  ['controls', '<button>x</button><select><option>x</option></select><textarea>x</textarea>'],
  ['navigation', '<nav>x</nav><div role="navigation">x</div><footer>x</footer>'],
  ['hidden parts', '<p hidden>x</p><p aria-hidden="true">x</p><p style="display:none">x</p>'],
  ['a table of contents', '<p>On this page</p><ul><li><a href="#a">x</a></li><li><a href="#b">y</a></li></ul>'],
  ['stamps', '<p>Last updated: 3 May 2031</p><p>3 hours ago</p><p>5 min read</p>'],
  [
    'ways onward',
    '<p><a href="/edit">Edit this page</a></p><div><a rel="next" href="/n">On</a></div><div><a href="/n">Next: More →</a></div>',
  ],
  ['line numbers', '<pre>1\n2\n3</pre>'],
];
test.each(LEFT_OUT)('leaves out %s', (_, html) => {
  expect(markdownOf(`${html}<p>Words.</p>${html}`)).toBe('Words.');
});

const KEPT: readonly [string, string][] = [
  ['a note', '<aside aria-label="Note"><p>Mind the gap.</p></aside>'],
  ['a heading in the header', '<header><h1>Mind the gap</h1></header>'],
  ['a question as a button', '<h3><button>Mind the gap?</button></h3>'],
  ['a sentence about updates', '<p>The index was last updated by hand, which is why you mind the gap.</p>'],
  ['a list of links with words', '<ul><li><a href="/a">Gap</a>: mind it</li><li><a href="/b">Gap two</a></li></ul>'],
  ['a table of yes and no', '<table><tr><td>Yes</td><td>Copy</td></tr><tr><td>No gap</td><td>Top</td></tr></table>'],
  ['the headings of a changelog', '<h2>Version 2.1.0 gap</h2><h2>Updated May 3, 2031</h2>'],
  ['a list of frameworks', '<ul><li><a href="/n">Next.js gap</a></li><li><a href="/p">Prev</a></li></ul>'],
  ['a sentence with a link to the issues', '<p>Mind the gap, or <a href="/issues">open an issue</a>.</p>'],
  ['a release note', '<p>Updated 3 gaps.</p><p>Created by the compiler.</p><p>Copyright law.</p>'],
  ['a footnote', '<p>Mind the gap<a href="#fn1">[1]</a></p>'],
  ['what is said about cookies', '<div><p>Set a cookie with a name to mind the gap.</p><button>Copy</button></div>'],
];
test('a table cell that says Yes, a version in a heading and a link in a sentence are content', () => {
  const page = markdownOf(KEPT.map(([, html]) => html).join('\n'));
  for (const words of [
    '| Yes | Copy |',
    '| No gap | Top |',
    '## Version 2.1.0',
    '## Updated May 3, 2031',
    '[Prev]',
    '[open an issue]',
    'Updated 3 gaps.',
    'Created by the compiler.',
    'Copyright law.',
  ]) {
    expect(page).toContain(words);
  }
});

test.each(KEPT)('keeps %s', (_, html) => {
  expect(markdownOf(`${html}<p>Words.</p>`)).toMatch(/gap/i);
});
