import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectLinear } from '../../../test/support/count-steps.ts';
import { plainTitle, textOfHtml } from './plain-text.ts';

test.each([
  ['<p>One</p><p>Two</p>', 'One Two'],
  ['One<br>two<br/>three', 'One two three'],
  ['in<b>line</b>s', 'inlines'],
  ['a&nbsp;&amp;&hellip;&#8217;&#x2014;&#146;&bogus;', 'a &…’—’&bogus;'],
  ['<script>alert("</p>")</script>after', 'after'],
  ['<STYLE>p{}</style >after', 'after'],
  ['<!-- a > b -->after', 'after'],
  ['<img alt="a > b" src=x>after', 'after'],
  ['a < b and b > c', 'a < b and b > c'],
  ['no end <y', 'no end <y'],
  ['<a href="x">link</a', 'link</a'],
  ['&lt;b&gt;', '<b>'],
  ['&amp;lt;', '&lt;'],
  ['<script>never closed', ''],
  ['  \n\t ', ''],
])('%s', (html, text) => {
  expect(textOfHtml(html)).toBe(text);
});

test.each([
  ['It&#8217;s <em>new</em>', 'It’s new'],
  ['Using Array<string> & Map<K, V>', 'Using Array<string> & Map<K, V>'],
  ['AT&amp;T', 'AT&T'],
  ['a <b class="x">b</b>', 'a b'],
])('title: %s', (title, text) => {
  expect(plainTitle(title)).toBe(text);
});

test.each(['<', '<!--', '<script>', '<a b="', "<a b='>", '&', '<b ', '</script', '<style></style>'])(
  'hostile HTML takes linear steps: %s',
  async (piece) => {
    textOfHtml(piece.repeat(100_000));
    plainTitle(piece.repeat(100_000));
    await expectLinear<typeof import('./plain-text.ts'), string>(
      new URL('./plain-text.ts', import.meta.url),
      ({ textOfHtml, plainTitle }, html) => textOfHtml(html).length + plainTitle(html).length,
      (count) => piece.repeat(count),
      1000,
    );
  },
);

test('of text that is escaped nothing is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'<>&"\'a b;#39/!-') }), (text) => {
      const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      expect(textOfHtml(`<p>${html}</p>`)).toBe(text.replace(/\s+/g, ' ').trim());
    }),
  );
});
