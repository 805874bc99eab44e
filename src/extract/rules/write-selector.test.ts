import { expect, test } from 'vitest';
import type { HtmlElement } from '../html-tree.ts';
import { parseHtml } from '../parse-html.ts';
import { matchSelectors } from './match-selectors.ts';
import { createReadingRules, readRule } from './reading-rules.ts';
import { writeSelector } from './write-selector.ts';

/** All elements of a body. */
function elementsOf(html: string): HtmlElement[] {
  const found: HtmlElement[] = [];
  const visit = (element: HtmlElement) => {
    for (const child of element.children) {
      if (typeof child === 'string') continue;
      if (!['html', 'body'].includes(child.name)) found.push(child);
      visit(child);
    }
  };
  visit(parseHtml(`<!doctype html><html><body>${html}</body></html>`));
  return found;
}

function ruleFor(html: string): string | undefined {
  const [first] = elementsOf(html);
  return first && writeSelector(first);
}

test.each([
  ['<div id="related">x</div>', '#related'],
  ['<nav class="toc wide left">x</nav>', 'nav.toc.wide'],
  ['<div role="banner">x</div>', 'div[role="banner"]'],
  ['<footer>x</footer>', 'body > footer'],
  ['<div class="md:flex w-1/2">x</div>', 'div.md\\:flex.w-1\\/2'],
  ['<div class="a,b">x</div>', 'div.a\\,b'],
  ['<div id="größe">x</div>', '#größe'],
  ['<div id=":r1a:">x</div>', 'body > div'],
  ['<div class="css-1x2y3z note">x</div>', 'div.note'],
  ['<div id="post-20260301">x</div>', 'body > div'],
])('%s is named %s', (html, rule) => {
  expect(ruleFor(html)).toBe(rule);
});

test('what has no name is named by its place below what has one', () => {
  const [, , inner] = elementsOf('<section id="news"><ul><li>one</ul></section>');
  expect(inner && writeSelector(inner)).toBe('#news > ul > li');
});

test('what stands too deep in boxes without names has no rule', () => {
  expect(elementsOf('<div>'.repeat(8)).map(writeSelector).at(-1)).toBeUndefined();
});

const HOSTILE_NAMES = [
  'x, main',
  'x,main',
  'x>main',
  'x"] , main, [a="',
  "x'] , main",
  '*',
  '/',
  '/**',
  '\\',
  'x\\',
  '</style><script>alert(1)</script>',
  '\u0000',
  '\u2028x',
  '\u{1F600}',
  '\ud800',
  '#a.b[c]',
  'a:not(main)',
  '--',
  '-1',
  '1',
  'x'.repeat(1_000_000),
  'x '.repeat(100_000),
];

test('whatever stands in an attribute, the rule is one selector that means the element itself and no other', () => {
  let ruled = 0;
  for (const name of HOSTILE_NAMES) {
    const quoted = name.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    for (const attribute of ['id', 'class', 'role', 'data-role']) {
      const elements = elementsOf(`<main id="kept"><p>said</p></main><div ${attribute}="${quoted}">x</div>`);
      const hostile = elements.at(-1);
      const rule = hostile && writeSelector(hostile);
      if (rule === undefined || hostile === undefined) continue;
      ruled += 1;
      expect(readRule(rule)).toMatchObject({ ok: true, value: { is: 'elements', selectors: { length: 1 } } });
      let root = hostile;
      while (root.parent !== undefined) root = root.parent;
      const meant: HtmlElement[] = [];
      matchSelectors(root, createReadingRules({ ignore: [rule] }).ignore, (element) => meant.push(element));
      expect([rule.slice(0, 100), meant.length, meant[0] === hostile]).toEqual([rule.slice(0, 100), 1, true]);
    }
  }
  expect(ruled).toBeGreaterThan(HOSTILE_NAMES.length);
});
