import { expect, test } from 'vitest';
import { elementText, type HtmlElement } from '../html-tree.ts';
import { parseHtml } from '../parse-html.ts';
import { matchSelectors } from './match-selectors.ts';
import { createReadingRules } from './reading-rules.ts';
import { ruledTree } from './ruled-tree.ts';

const PAGE = `<body><nav id="top" class="bar wide"><a href="/x" rel="nofollow ugc">A</a></nav>
<main lang="en-GB"><div class="md:note"><p class="a b"><b>B</b></p><section><p DATA-Kind="Ad">C</p></section></div></main></body>`;

/** Which of the letters a selector means. */
function meant(selector: string): string {
  const texts: string[] = [];
  matchSelectors(parseHtml(PAGE), createReadingRules({ ignore: [selector] }).ignore, (element) =>
    texts.push(elementText(element).replace(/\s+/g, '')),
  );
  return texts.join(' ');
}

test.each([
  ['p', 'B C'],
  ['P', 'B C'],
  ['nav, p', 'A B C'],
  ['.bar', 'A'],
  ['.wide.bar', 'A'],
  ['.wid', ''],
  ['#top', 'A'],
  ['nav#top.bar[id]', 'A'],
  ['#TOP', ''],
  ['.md\\:note', 'BC'],
  ['div > p', 'B'],
  ['div>p', 'B'],
  ['main p', 'B C'],
  ['main > p', ''],
  ['main > div section > p', 'C'],
  ['main div div p', ''],
  ['body main * p', 'B C'],
  ['[data-kind]', 'C'],
  ['[data-kind=Ad]', 'C'],
  ['[data-kind=ad]', ''],
  ['[ data-kind = "ad" i ]', 'C'],
  ['[rel~=ugc]', 'A'],
  ['[rel~="nofollow ugc"]', ''],
  ['[lang|=en]', 'BC'],
  ["[href^='/']", 'A'],
  ['[rel$=ugc]', 'A'],
  ['[rel*=follow]', 'A'],
  ['[rel*=""]', ''],
  ['.b, .a, p.a.b', 'B'],
])('the selector %s means %j', (selector, letters) => {
  expect(meant(selector)).toBe(letters);
});

test('hostile nesting costs elements times steps', () => {
  const deep = parseHtml(`${'<div class="a">'.repeat(2000)}x`);
  let tries = 0;
  const counted = (element: HtmlElement): HtmlElement => ({
    ...element,
    get attributes() {
      tries += 1;
      return element.attributes;
    },
    children: element.children.map((child) => (typeof child === 'string' ? child : counted(child))),
  });
  const { ignore } = createReadingRules({ ignore: [`${'.a '.repeat(99)}b`] });
  matchSelectors(counted(deep), ignore, () => expect.fail('there is no b'));
  expect(tries).toBeGreaterThan(2000);
  expect(tries).toBeLessThanOrEqual(2001 * 100);
});

test('what is ignored leaves one text behind; what is chosen stands in document order, once', () => {
  const { root } = ruledTree(parseHtml('<p>a<i>b</i>c</p>'), createReadingRules({ ignore: ['i'] }));
  expect((root.children[0] as HtmlElement).children).toEqual(['ac']);

  const html =
    '<head><title>T</title></head>x<div>y<p class="k">1<b class="k">2</b></p>z</div><em>n</em><p class="k">3</p>';
  const tree = ruledTree(parseHtml(html), createReadingRules({ only: ['.k'] }));
  expect(elementText(tree.root)).toBe('T123');
  expect(tree.chosen?.size).toBe(4);
  expect(ruledTree(parseHtml(html), createReadingRules({ only: ['.none'] })).chosen).toBeUndefined();
});
