import { expect, test } from 'vitest';
import { createPathFilter } from './path-filter.ts';

const at = (path: string) => `https://docs.example${path}`;

test('without patterns everything belongs', () => {
  const accepts = createPathFilter({});
  expect(['/', '/a?b=c', '/x/y.html'].map(at).every(accepts)).toBe(true);
});

test.each([
  [['/docs/'], '/docs/a', true],
  [['/docs/'], '/docs', false],
  [['/docs/'], '/blog/docs/', false],
  [['docs/'], '/docs/a', true],
  [['*.html$'], '/a/b.html', true],
  [['*.html$'], '/a/b.html?print', false],
  [['/a*z'], '/abcz/more', true],
  [['/$'], '/', true],
  [['/$'], '/a', false],
  [['/search?q='], '/search?q=x', true],
  [['/search?q='], '/search', false],
  [['/käse'], '/k%C3%A4se/1', true],
  [['/a%2fb'], '/a%2Fb', true],
  [['/a%2Fb'], '/a/b', false],
  [['/x', '/y'], '/y/1', true],
])('include %j of %s: %s', (include, path, expected) => {
  expect(createPathFilter({ include })(at(path))).toBe(expected);
  expect(createPathFilter({ exclude: include })(at(path))).toBe(!expected);
});

test('exclude counts more than include, however short it is', () => {
  const accepts = createPathFilter({ include: ['/docs/guide/long/'], exclude: ['/docs/'] });
  expect(accepts(at('/docs/guide/long/a'))).toBe(false);
});

test('what is no URL belongs nowhere, and a pattern made to be slow is not', () => {
  const accepts = createPathFilter({ include: [`/${'*a'.repeat(2000)}$`] });
  expect(accepts('https://')).toBe(false);
  expect(accepts(at(`/${'a'.repeat(5000)}b`))).toBe(false);
});
