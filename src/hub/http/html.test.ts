import { expect, test } from 'vitest';
import { Html, html, NO_HTML, outsideText } from './html.ts';

test('what stands in a hole is text, in elements and in attributes', () => {
  const hostile = `"><script>alert('1')</script>`;
  expect(String(html`<a title="${hostile}">${hostile}</a>`)).toBe(
    '<a title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;">&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;</a>',
  );
});

test('HTML in a hole stays HTML, lists are joined, nothing is nothing', () => {
  const items = ['a', '<b>'].map((word) => html`<li>${word}</li>`);
  expect(String(html`<ul>${items}</ul>${undefined}${false}${NO_HTML}${0}`)).toBe(
    '<ul><li>a</li><li>&lt;b&gt;</li></ul>0',
  );
  expect(html`x`).toBeInstanceOf(Html);
});

test('a hole that is not quoted is refused, and one inside of a script', () => {
  expect(() => html`<a href=${'x'}>x</a>`).toThrow('not quoted');
  expect(() => html`<${'b'}>x`).toThrow('not quoted');
  expect(() => html`<b ${'onclick'}>x`).toThrow('not quoted');
  expect(String(html`<option${html` selected`}${undefined}>x`)).toBe('<option selected>x');
  expect(String(html`<a href="?a=${'1'}&b=${'"'}">x`)).toBe('<a href="?a=1&b=&quot;">x');
  expect(() => html`<script>let a = ${'1'}</script>`).toThrow('not quoted');
});

test('text from outside is cut and isolated', () => {
  expect(String(outsideText('a\u202eb<', 10))).toBe('<bdi>a<span class="odd">U+202E</span>b&lt;</bdi>');
  expect(String(outsideText('abcdef', 3))).toBe('<bdi>abc…</bdi>');
});
