import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extractPage } from './extract-page.ts';
import { destination, escapeLineStart, escapeText, inlineCode } from './markdown-text.ts';

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const markdownOf = (body: string) => extractPage(`<main>${body}</main>`, 'https://docs.example/').markdown;

const PIECES = [
  ...'\\`*_~[](){}<>#+-=.!|:&;^$" \n',
  'a',
  'B9',
  '1. ',
  '- ',
  '# ',
  '[x] ',
  '](',
  '[^1]',
  '[a]: ',
  '&amp;',
  '<b>',
  '---',
  '```',
  '~~',
  '![',
  'http://x.example/',
  '一',
];
const texts = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 14 }).map((pieces) => pieces.join(''));

/** What a reader of Markdown could take for markup in one line of text; undefined where it is text alone. */
function markupIn(line: string): string | undefined {
  const patterns = [
    /^(?:#{1,6}(?: |$)|[-+*](?: |$)|>|\d{1,9}[.)](?: |$)|[-=|:][-=|: ]*$|: |\[[ xX]\] |\[[^[\]]+\]:)/,
    /(?<!\\)(?:\\\\)*`/,
    /(?<!\\)(?:\\\\)*<[a-z/!?]/i,
    /(?<!\\)(?:\\\\)*&#?\w+;/,
    /(?<!\\)(?:\\\\)*\]\(/,
    /(?<!\\)(?:\\\\)*\[\^/,
    /(?<!\\)(?:\\\\)*(?:\*(?! |$)|(?<! |^)\*)(?<!\\\*)/,
    /(?<!\\)(?:\\\\)*(?:~(?! |$)|(?<! |^)~)(?<!\\~)/,
  ];
  return patterns.map((pattern) => pattern.exec(line)?.[0]).find((found) => found !== undefined);
}

const unescaped = (line: string) => line.replace(/\\([!-/:-@[-`{-~])/g, '$1');

test('no text becomes markup, and every text can be read back', () => {
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 4 }), (nodes) => {
      const html = nodes
        .map((text, at) => (at % 2 === 0 ? escapeHtml(text) : `<span>${escapeHtml(text)}</span>`))
        .join('');
      const markdown = markdownOf(`<p>${html}</p><p>Words.</p>`);
      const line = markdown.slice(0, markdown.lastIndexOf('Words.')).trim();
      const text = nodes.join('').replace(/\s+/g, ' ').trim();
      expect(unescaped(line)).toBe(text);
      expect(markupIn(line)).toBeUndefined();
    }),
    { numRuns: 2000 },
  );
});

test('a reference in pieces is no reference', () => {
  expect(markdownOf('<p>&amp;B9<span>;</span> and &amp;a<i></i><span>mp;</span></p>')).toBe('&B9\\; and &amp\\;');
});

test('the test above sees markup', () => {
  for (const line of [
    '# a',
    'a *b*',
    '`a`',
    '[a](b)',
    '<b>',
    '&amp;',
    '- a',
    '1. a',
    '---',
    '[a]: b',
    'a ~~b~~',
    '[^1]',
  ])
    expect(markupIn(line), line).toBeDefined();
});

test('text that is in no danger stays as it is', () => {
  for (const text of ['snake_case', 'array[0]', 'a * b', '1 < 2', 'AT&T', 'C:\\Users', 'f(x) = $5', 'a # b', 'x | y'])
    expect(escapeText(text), text).toBe(text);
  for (const line of ['2.5 of it', '-1 is less', '#1 of 3', 'a - b', '=> b'])
    expect(escapeLineStart(line), line).toBe(line);
});

test('inside a link brackets are text', () => {
  expect(escapeText('a[0] \\[', true)).toBe('a\\[0\\] \\\\\\[');
});

test('an address ends where it should', () => {
  expect(destination('https://a.example/x_(y)')).toBe('https://a.example/x_(y)');
  expect(destination('https://a.example/x)(')).toBe('https://a.example/x%29%28');
  expect(destination('https://a.example/<a b>`|')).toBe('https://a.example/%3Ca%20b%3E%60%7C');
});

test('code with backticks is closed by more of them', () => {
  expect(inlineCode('a')).toBe('`a`');
  expect(inlineCode('`a``')).toBe('``` `a`` ```');
});
