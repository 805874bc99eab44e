import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_MARKDOWN, markdownHtml } from './markdown-html.ts';

const BASE = 'https://docs.example/guide/limits';
const rendered = (text: string) => String(markdownHtml(text, BASE));

test('headings stand below those of the page, in order, without ids', () => {
  expect(rendered('# Limits\n\n## Tiers\n\n#### Deep\n\n# Again')).toBe(
    '<h3>Limits</h3>\n<h4>Tiers</h4>\n<h5>Deep</h5>\n<h3>Again</h3>\n',
  );
  expect(rendered('### Only\n\n#### Below')).toBe('<h3>Only</h3>\n<h4>Below</h4>\n');
  expect(rendered('# One\n\nTwo\n---')).toContain('<h4>Two</h4>');
});

test('lists, quotes, tables and code are shown as such, and code is text', () => {
  expect(rendered('1. a\n2. **b** and *c*\n\n> quoted')).toBe(
    '<ol>\n<li>a</li>\n<li><strong>b</strong> and <em>c</em></li>\n</ol>\n<blockquote>\n<p>quoted</p>\n</blockquote>\n',
  );
  expect(rendered('7. a')).toContain('<ol start="7">');
  expect(rendered('| Plan | |\n|---:|---|\n| a | b |')).toContain('<th>Plan</th>\n<td></td>');
  expect(rendered('```js" onload="x\n<b>&amp;\n```')).toBe(
    '<pre tabindex="0"><code>&lt;b&gt;&amp;amp;\n</code></pre>\n',
  );
});

test('links lead to the web, and say nothing of where they stand; others are words', () => {
  const rel = 'rel="noopener noreferrer nofollow"';
  expect(rendered('[a](https://x.example/?a=1&b=2)')).toBe(
    `<p><a href="https://x.example/?a=1&amp;b=2" ${rel}>a</a></p>\n`,
  );
  expect(rendered('[a](tiers#b "title")')).toBe(`<p><a href="https://docs.example/guide/tiers#b" ${rel}>a</a></p>\n`);
  for (const address of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java&#x0A;script:alert(1)',
    '&#106;avascript:alert(1)',
    'data:text/html,&lt;script&gt;alert(1)&lt;/script&gt;',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://x.example/1',
    'https://user:password@x.example/',
    'http://[',
  ]) {
    expect(rendered(`[words](<${address}>)`), address).toBe('<p><span>words</span></p>\n');
    expect(rendered(`<${address}>`), address).not.toContain('<a ');
  }
});

test('pictures are never loaded: their words and their address are shown', () => {
  const html = rendered('![a *plan*](https://x.example/a.png "t") and ![](data:image/png;base64,AAAA)');
  expect(html).not.toContain('<img');
  expect(html).toContain('<span class="picture">a plan <code>https://x.example/a.png</code></span>');
  expect(rendered('[![alt](/a.png)](/b)')).toBe(
    '<p><a href="https://docs.example/b" rel="noopener noreferrer nofollow"><span class="picture">alt <code>/a.png</code></span></a></p>\n',
  );
});

test('HTML of the author is text, and what is invisible is visible', () => {
  expect(rendered('<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>')).toBe(
    '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n<p>&lt;img src=x onerror=alert(1)&gt;</p>\n',
  );
  expect(rendered('a\u202eb `\u200b` &#x202e; \ud800')).toBe(
    '<p>a<span class="odd">U+202E</span>b <code><span class="odd">U+200B</span></code> <span class="odd">U+202E</span> <span class="odd">U+D800</span></p>\n',
  );
});

/** What may stand on the page: tags with exactly these attributes. */
const ALLOWED = [
  /^<\/?(?:p|h[3-6]|ul|ol|li|blockquote|pre|code|em|strong|s|hr|br|table|thead|tbody|tr|th|td|span|a)>$/,
  /^<ol start="\d+">$/,
  /^<pre tabindex="0">$/,
  /^<span class="(?:odd|picture)">$/,
  /^<a href="https?:\/\/[^"<>]*" rel="noopener noreferrer nofollow">$/,
];

/** Every `<` begins one of these: what is text is escaped. */
function strangeTags(html: string): string[] {
  const tags = html.match(/<[^>]*>?/g) ?? [];
  return tags.filter((tag) => !ALLOWED.some((pattern) => pattern.test(tag)));
}

test('a tag that is not allowed is found', () => {
  expect(strangeTags('<p><img src="x"></p>')).toEqual(['<img src="x">']);
  expect(strangeTags('<a href="javascript:x" rel="noopener noreferrer nofollow">')).toHaveLength(1);
  expect(strangeTags('<p onclick="x">')).toHaveLength(1);
});

test('nothing but allowed tags comes out, whatever goes in', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...[
        '<script>',
        '</p>',
        '<img src=x onerror=y>',
        '[a](',
        'javascript:x',
        ')',
        '![',
        ']',
        '<http://x>',
        '&lt;',
        '&#60;',
        '"',
      ],
      ...[
        '# ',
        '\n',
        '\n\n',
        '> ',
        '- ',
        '1. ',
        '    ',
        '```',
        '`',
        '**',
        '_',
        '~~',
        '|',
        '|-|-|\n',
        '\\',
        "'",
        '[r]: data:x\n',
        '[r]',
      ],
      ...['<!--', '-->', '<![CDATA[', '\u0000', '\u202e', '\ud800', 'style="x"', '{.a #b}', '&amp;lt;', '<a href=//x>'],
    ),
    fc.string({ maxLength: 8 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      expect(strangeTags(rendered(pieces.join('')))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['deep quotes', '>'.repeat(1_000_000)],
  ['deep lists', '- '.repeat(500_000)],
  ['deep lists over lines', Array.from({ length: 1400 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n')],
  ['open brackets', '['.repeat(1_000_000)],
  ['open links', '[a]('.repeat(250_000)],
  ['emphasis', '*a _b '.repeat(160_000)],
  ['backticks', Array.from({ length: 1400 }, (_, length) => '`'.repeat(length)).join(' ')],
  ['references', '[a]: /b\n'.repeat(120_000)],
  ['one word', 'x'.repeat(1_000_000)],
  ['a table that fills itself', `|${'a|'.repeat(50)}\n|${'-|'.repeat(50)}\n${'b\n'.repeat(9000)}`],
  ['a wide table', `|${'a|'.repeat(500)}\n|${'-|'.repeat(500)}\n${`|${'b|'.repeat(500)}\n`.repeat(500)}`],
])('a megabyte of %s is cut before it is read', (_, text) => {
  const html = rendered(text);
  expect(strangeTags(html)).toEqual([]);
  expect(html.length).toBeLessThan(40 * MAX_MARKDOWN);
});
