import { expect, test } from 'vitest';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { EXTRACTOR } from '../extractor-version.ts';
import { createReadingRules, NO_RULES, readRule } from './reading-rules.ts';

const at = (path: string) => `https://docs.example${path}`;

test.each([
  ['/log/**', ['/log/', '/log', '/log/index.html', '/log/a', '/log/2026/a.html?x=/y'], ['/', '/logs/', '/a/log/']],
  ['/log', ['/log', '/log/', '/log/index.html'], ['/log/a', '/log.html']],
  ['/log/index.html', ['/log/'], ['/log/a']],
  ['/blog/*/', ['/blog/a/', '/blog/a', '/blog/a/index.htm'], ['/blog/', '/blog/a/b']],
  ['/blog/*', ['/blog/a', '/blog/a/', '/blog/'], ['/blog', '/blog/a/b', '/blog/a/b/']],
  ['/*', ['/', '/a.html'], ['/a/b']],
  ['/**/*.html', ['/', '/a/', '/a/b.html'], ['/a', '/a.txt']],
  ['/blog/20??/*.html', ['/blog/2026/a.html'], ['/blog/202/a.html', '/blog/2026/a/b.html', '/blog/2026/a']],
  ['/**/draft-*', ['/draft-a', '/x/y/draft-'], ['/x/draft-a/b', '/x/mydraft-a']],
  ['/a/**/z', ['/a/z', '/a/b/z', '/a/z/b/z'], ['/a/z/b', '/b/a/z']],
  ['/', ['/', '/index.html'], ['/a']],
  ['/größe', ['/gr%C3%B6%C3%9Fe/'], ['/gr']],
])('the path %s', (rule, meant, others) => {
  const { accepts } = createReadingRules({ ignore: [rule] });
  expect(meant.filter((path) => accepts(at(path)))).toEqual([]);
  expect(others.filter((path) => !accepts(at(path)))).toEqual([]);
});

test('of pages that are read alone, those that are ignored are left out', () => {
  const { accepts } = createReadingRules({ only: ['/docs/**', 'main'], ignore: ['/docs/old/**'] });
  expect(['/docs/', '/docs/a', '/docs/old/a', '/'].filter((path) => accepts(at(path)))).toEqual(['/docs/', '/docs/a']);
});

test('the extractor is another one with rules for elements, whatever their order, and the same with paths', () => {
  const { extractor } = createReadingRules({ ignore: ['.a', 'b'] });
  expect(extractor).toMatch(new RegExp(`^${EXTRACTOR}\\+[0-9a-f]{12}$`));
  expect(createReadingRules({ ignore: ['b', '.a', '/x/**', 'b'] }).extractor).toBe(extractor);
  expect(createReadingRules({ only: ['b', '.a'] }).extractor).not.toBe(extractor);
  expect(createReadingRules({ ignore: ['/x'], only: ['/y'] }).extractor).toBe(EXTRACTOR);
  expect(createReadingRules({ ignore: [], only: [] })).toBe(NO_RULES);
});

test.each([
  ['', /1 to 500/],
  ['  ', /1 to 500/],
  ['a'.repeat(501), /1 to 500/],
  ['p:hover', /from ":hover" on\. Known are/],
  ['p::before', /from "::before"/],
  ['h1 + p', /from "\+ p"/],
  ['h1 ~ p', /from "~ p"/],
  ['> p', /from "> p"/],
  ['a >', /ends too early/],
  ['a,', /ends too early/],
  [', a', /from ", a"/],
  ['a > > b', /from "> b"/],
  ['.', /ends too early/],
  ['[data-x', /ends too early/],
  ['[data-x=]', /from "\]"/],
  ['[=x]', /from "=x\]"/],
  ['[a="x]', /from/],
  ['a{}', /from "\{\}"/],
  ['a;b', /from ";b"/],
  ['*', /whole page/],
  ['.a, body', /whole page/],
  ['/a b', /does not stand in a path/],
  ['/a/[b]', /does not stand in a path/],
  ['/a/{b,c}', /does not stand in a path/],
  ['/a**', /stands alone between two slashes/],
])('the rule %j is refused with the reason', (text, reason) => {
  const rule = readRule(text);
  expect(rule.ok ? '' : rule.issues[0].message).toMatch(reason);
});

test('a wrong rule is named, and there are not too many', () => {
  const refusedBy = (rules: object) => () => createReadingRules(rules);
  expect(refusedBy({ only: ['main', 'a:b'] })).toThrow(SettingRefusedError);
  expect(refusedBy({ only: ['main', 'a:b'] })).toThrow(/^only "a:b" is refused\. /);
  expect(refusedBy({ ignore: Array.from({ length: 101 }, () => 'a') })).toThrow(/^ignore \(101 rules\) is refused/);
  expect(refusedBy({ ignore: ['a '.repeat(200).trim(), 'b '.repeat(101).trim()] })).toThrow(/\(301 parts/);
});
