import { expect, test } from 'vitest';
import { expectLinear } from '../../../test/support/count-steps.ts';
import { shortOrLong } from '../../../test/support/short-or-long.ts';
import { readPageDocument } from './read-page.ts';

const PAGE_URL = 'https://example.com/a';

const MiB = 1024 * 1024;
const block = (json: string) => `<script type="application/ld+json">${json}</script>`;

test.each<[string, number, (count: number) => string]>([
  ['links', 100_000, (count) => '<a href="/x?utm_source=1&a=2">word</a> '.repeat(count)],
  ['images', 30_000, (count) => '<img src="/x.png" alt="a">'.repeat(count)],
  ['headings', 10_000, (count) => '<h1>x</h1>'.repeat(count)],
  ['empty h1', 100_000, (count) => `<nav>${'<h1> </h1>'.repeat(count)}</nav>`],
  ['links in links', 10_000, (count) => '<a href="/x"><div>word '.repeat(count)],
  ['meta', 30_000, (count) => '<meta name="a" content="b">'.repeat(count)],
  [
    'a huge attribute',
    MiB,
    (count) =>
      `<a href="/${'x'.repeat(2 * count)}" rel="${'y '.repeat(count)}">t</a><img src="a" alt="${'z '.repeat(count)}">`,
  ],
  [
    'a huge lang and title',
    MiB,
    (count) =>
      `<html lang="${'a-'.repeat(count)}"><title>${' '.repeat(count)}x</title><meta name=description content="${'d'.repeat(count)}">`,
  ],
  ['10 MB of JSON-LD', 580_000, (count) => block(`[${'{"@type":"Thing"},'.repeat(count)}{}]`)],
  ['blocks of JSON-LD', 20_000, (count) => block('{"@context":"https://schema.org","@type":"Thing"}').repeat(count)],
  ['deep JSON-LD', 200_000, (count) => block(`${'{"a":['.repeat(count)}1${']}'.repeat(count)}`)],
  [
    'a context beside many nodes',
    50_000,
    (count) =>
      block(`{"@context":{"a":"${'x'.repeat(20 * count)}"},"@graph":[${'{},'.repeat(count)}{}]}`) +
      block('{"@context":"b"}'),
  ],
  ['a comment in JSON-LD', MiB / 2, (count) => block(`<!--${' //'.repeat(count)}`)],
  ['parentheses in a link', MiB / 4, (count) => `<p>a <a href="/${'(a)'.repeat(count)}">b</a></p>`],
  ['signs without words', 2 * MiB, (count) => `<p>${'-'.repeat(count)}</p>`],
  ['Markdown signs', 200_000, (count) => `<p>${']('.repeat(count)}${'![ '.repeat(count)}</p>`],
  ['blank lines in code', 200_000, (count) => `<pre>${'\n> '.repeat(count)}x</pre>`],
])('many %s: bounded in steps and size', async (_, count, make) => {
  const html = make(shortOrLong(Math.ceil(count / 20), count));
  const document = readPageDocument(html, PAGE_URL);
  expect(document.structure.links?.length ?? 0).toBeLessThanOrEqual(10_000);
  expect(document.structure.images?.length ?? 0).toBeLessThanOrEqual(10_000);
  expect(JSON.stringify(document).length).toBeLessThan(html.length * 4 + MiB);
  await expectLinear<typeof import('./read-page.ts'), string>(
    new URL('./read-page.ts', import.meta.url),
    ({ readPageDocument }, page) => readPageDocument(page, 'https://example.com/a'),
    make,
    shortOrLong(250, 1000),
  );
});

test.each([
  ['links', '<a href="/x?utm_source=1&a=2">word</a> '],
  ['images', '<img src="/x.png" alt="a">'],
])('no more than 10,000 %s are listed', (_, markup) => {
  const { structure } = readPageDocument(markup.repeat(11_000), PAGE_URL);
  expect(structure.links?.length ?? structure.images?.length).toBeLessThanOrEqual(10_000);
});
