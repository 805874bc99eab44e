import { expect, test } from 'vitest';
import { readPageDocument } from './read-page.ts';

const PAGE_URL = 'https://example.com/a';
const DEADLINE_MS = 10_000;

const MiB = 1024 * 1024;
const block = (json: string) => `<script type="application/ld+json">${json}</script>`;

test.each<[string, string]>([
  ['100,000 links', '<a href="/x?utm_source=1&a=2">word</a> '.repeat(100_000)],
  ['30,000 images', '<img src="/x.png" alt="a">'.repeat(30_000)],
  ['10,000 headings', '<h1>x</h1>'.repeat(10_000)],
  ['100,000 empty h1', `<nav>${'<h1> </h1>'.repeat(100_000)}</nav>`],
  ['links in links', '<a href="/x"><div>word '.repeat(10_000)],
  ['30,000 meta', '<meta name="a" content="b">'.repeat(30_000)],
  [
    'a huge attribute',
    `<a href="/${'x'.repeat(2 * MiB)}" rel="${'y '.repeat(MiB)}">t</a><img src="a" alt="${'z '.repeat(MiB)}">`,
  ],
  [
    'a huge lang and title',
    `<html lang="${'a-'.repeat(MiB)}"><title>${' '.repeat(MiB)}x</title><meta name=description content="${'d'.repeat(MiB)}">`,
  ],
  ['10 MB of JSON-LD', block(`[${'{"@type":"Thing"},'.repeat(580_000)}{}]`)],
  ['many blocks of JSON-LD', block('{"@context":"https://schema.org","@type":"Thing"}').repeat(20_000)],
  ['deep JSON-LD', block(`${'{"a":['.repeat(200_000)}1${']}'.repeat(200_000)}`)],
  [
    'a context beside many nodes',
    block(`{"@context":{"a":"${'x'.repeat(MiB)}"},"@graph":[${'{},'.repeat(50_000)}{}]}`) + block('{"@context":"b"}'),
  ],
  ['a comment in JSON-LD', block(`<!--${' //'.repeat(MiB / 2)}`)],
  ['parentheses in a link', `<p>a <a href="/${'(a)'.repeat(MiB / 4)}">b</a></p>`],
  ['signs without words', `<p>${'-'.repeat(2 * MiB)}</p>`],
  ['Markdown signs', `<p>${']('.repeat(200_000)}${'![ '.repeat(200_000)}</p>`],
  ['blank lines in code', `<pre>${'\n> '.repeat(200_000)}x</pre>`],
])('%s: bounded in time and size', (_, html) => {
  const start = process.cpuUsage();
  const document = readPageDocument(html, PAGE_URL);
  const { user } = process.cpuUsage(start);
  expect(user / 1000).toBeLessThan(DEADLINE_MS);
  expect(document.structure.links?.length ?? 0).toBeLessThanOrEqual(10_000);
  expect(document.structure.images?.length ?? 0).toBeLessThanOrEqual(10_000);
  expect(JSON.stringify(document).length).toBeLessThan(html.length * 4 + MiB);
});
