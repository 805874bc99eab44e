import fc from 'fast-check';
import { parseDocument } from 'htmlparser2';
import { expect, test } from 'vitest';
import { escapeHtml, foreignLink, foreignText } from './html-text.ts';

const shownOf = (text: string) => foreignText(text, 100).replace(/^<bdi>|<\/bdi>$/g, '');

test('markup is text', () => {
  expect(shownOf(`<script>alert("1")</script> & 'x'`)).toBe(
    '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;',
  );
});

test.each([
  ['a direction override', 'abc\u202Etxt.exe', 'abc<span class="odd">U+202E</span>txt.exe'],
  ['an isolate', '\u2067x', '<span class="odd">U+2067</span>x'],
  ['a zero-width space', 'a\u200Bb', 'a<span class="odd">U+200B</span>b'],
  ['a control', 'a\u0000b\u001B', 'a<span class="odd">U+0000</span>b<span class="odd">U+001B</span>'],
  ['hidden tags', 'a\u{E0041}b', 'a<span class="odd">U+E0041</span>b'],
  ['a lone surrogate', 'a\uD800b', 'a<span class="odd">U+D800</span>b'],
  ['a line separator', 'a\u2028b', 'a<span class="odd">U+2028</span>b'],
  ['a filler', '\u3164', '<span class="odd">U+3164</span>'],
])('%s is made visible', (_, text, shown) => {
  expect(shownOf(text)).toBe(shown);
});

test('emoji, joined scripts and accents stay as they are', () => {
  for (const text of ['👩‍👩‍👧', '❤️', 'می‌خواهم', 'e\u0301', 'שלום', '日本語']) expect(shownOf(text)).toBe(text);
});

test('towers of marks are cut, and so is a long text', () => {
  expect(shownOf(`a${'\u0301'.repeat(50)}b`)).toBe(`a${'\u0301'.repeat(4)}b`);
  expect(foreignText('😀'.repeat(10), 3)).toBe('<bdi>😀😀😀…</bdi>');
});

test('lines become one', () => {
  expect(shownOf(' a\n\t b\r\n ')).toBe('a b');
});

test('only addresses of the web become links, and their words never become markup', () => {
  expect(foreignLink('https://a.example/?x="><script>', 'A')).toBe(
    '<a href="https://a.example/?x=%22%3E%3Cscript%3E" rel="noopener noreferrer nofollow">A</a>',
  );
  for (const address of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    '//evil.example/',
    'https://bank.example@evil.example/',
    'no url',
    '',
  ]) {
    expect(foreignLink(address, 'A'), address).toBe('A');
  }
});

test('whatever a text is, it stays inside its element', () => {
  const hostile = fc.string({ unit: fc.constantFrom(...'<>"\'&/=a \u202E\u0000\n', '<!--', ']]>', '</bdi>') });
  fc.assert(
    fc.property(hostile, (text) => {
      const { children } = parseDocument(`<p title="${escapeHtml(text)}">${foreignText(text, 50)}</p>`);
      expect(children.length).toBe(1);
      expect(JSON.stringify(elementsOf(children))).toMatch(/^\["p","bdi"(,"span")*\]$/);
    }),
  );
});

function elementsOf(nodes: readonly object[]): string[] {
  return nodes.flatMap((node) => {
    if (!('children' in node) || !('name' in node)) return [];
    return [String(node.name), ...elementsOf(node.children as object[])];
  });
}
