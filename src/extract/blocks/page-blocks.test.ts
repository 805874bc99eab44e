import { expect, test } from 'vitest';
import { createReadingRules, NO_RULES } from '../rules/reading-rules.ts';
import { type PageBlock, pageBlocks } from './page-blocks.ts';

const URL = 'https://docs.example/';
const PAGE = `<!doctype html><title>Docs</title>
<body><header class="site"><a href="/">Docs</a></header>
<nav class="toc"><ul><li><a href="/a">A</a><li><a href="/b">B</a></ul></nav>
<main><h1>Words</h1><p>The first paragraph says a lot of things that matter.</p>
<aside class="promo"><p>Buy one, get one.</p></aside>
<div class="build-stamp">Built at noon by nobody.</div>
<div><div><p>Inside of two boxes.</p></div></div></main>
<footer><p>Imprint</p></footer></body>`;

function linesOf(blocks: readonly PageBlock[], depth = 0): string[] {
  return blocks.flatMap(({ name, rule, leftOut, words, blocks: inside }) => [
    `${'  '.repeat(depth)}${rule ?? name}${leftOut === undefined ? '' : ` (${leftOut})`}: ${words}`,
    ...linesOf(inside, depth + 1),
  ]);
}

test('a page is told as its blocks, with what the frame leaves out', () => {
  expect(linesOf(pageBlocks(PAGE, URL, NO_RULES).blocks)).toEqual([
    'header.site (frame): Docs',
    'nav.toc (frame): A B',
    '  nav.toc > ul (frame): A B',
    '    nav.toc > ul > li (frame): A',
    '    nav.toc > ul > li (frame): B',
    'body > main: Words The first paragraph says a lot of things that matter. Buy one, get one. Built at noo…',
    '  body > main > h1: Words',
    '  body > main > p: The first paragraph says a lot of things that matter.',
    '  aside.promo: Buy one, get one.',
    '    aside.promo > p: Buy one, get one.',
    '  div.build-stamp: Built at noon by nobody.',
    '  body > main > div > div > p: Inside of two boxes.',
    'body > footer (frame): Imprint',
    '  body > footer > p (frame): Imprint',
  ]);
});

test('a rule leaves a block out, and what stands in it', () => {
  const { blocks } = pageBlocks(PAGE, URL, createReadingRules({ ignore: ['aside.promo'] }));
  expect(linesOf(blocks).filter((line) => line.includes('(rule)'))).toEqual([
    '  aside.promo (rule): Buy one, get one.',
    '    aside.promo > p (rule): Buy one, get one.',
  ]);
  const only = pageBlocks(PAGE, URL, createReadingRules({ only: ['.build-stamp'] }));
  expect(linesOf(only.blocks).filter((line) => !line.includes('(rule)'))).toEqual([
    expect.stringContaining('body > main: Words'),
    '  div.build-stamp: Built at noon by nobody.',
  ]);
});

test('a page of fifty thousand blocks is told by its outer ones', () => {
  const many = '<section><h2>Part</h2><p>Text.</p></section>'.repeat(17_000);
  const { blocks, more } = pageBlocks(`<main>${many}</main><footer>End</footer>`, URL, NO_RULES);
  const lines = linesOf(blocks);
  expect(lines).toHaveLength(200);
  expect(lines.at(-1)).toContain('footer');
  expect(more).toBe(3 * 17_000 + 2 - 200);
});

test.each([
  ['nothing', ''],
  ['no HTML', '{"a": [1, 2]}'],
  ['a page that shows nothing', '<body><div hidden><p>Hidden words.</p></div></body>'],
  ['nesting without end', '<div class="a">'.repeat(20_000)],
  ['tags that never end', '<div class="'.repeat(10_000)],
])('%s is no trouble', (_, html) => {
  expect(pageBlocks(html, URL, NO_RULES).blocks.length).toBeLessThanOrEqual(200);
});
