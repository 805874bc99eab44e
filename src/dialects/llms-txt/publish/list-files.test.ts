import { expect, test } from 'vitest';
import { shortOrLong } from '../../../../test/support/short-or-long.ts';
import { listFiles } from './list-files.ts';
import { isOwnList, pageList } from './list-text.ts';
import type { KnownTwin } from './twin-memory.ts';

const site = new URL('https://docs.example/v2/');
const LIMITS = { bytes: 4000, links: 30 };

function twins(paths: readonly string[]): KnownTwin[] {
  const excerpt = 'It says what it is for, how it is called and what it gives back.';
  return paths.map((path) => ({ url: site.href + path, file: 'f', bytes: 10, title: `Page [${path}]`, excerpt }));
}

const numbered = (count: number, nameOf: (number: number) => string) =>
  Array.from({ length: count }, (_, at) => nameOf(at));

/** Addresses that a list links to. */
const linksIn = (text: string) => Array.from(text.matchAll(/\]\(([^)]+)\)/g), ([, url = '']) => url);

/** What a reader finds that begins at llms.txt and goes on from list to list. */
function readAll(files: ReturnType<typeof listFiles>): string[] {
  const texts = new Map(files.map(({ path, text }) => [new URL(encodeURI(path), site).href, text]));
  const found: string[] = [];
  const open = [`${site.href}llms.txt`];
  for (let url = open.pop(); url !== undefined; url = open.pop()) {
    const text = texts.get(url);
    texts.delete(url);
    for (const link of linksIn(text ?? '')) (texts.has(link) ? open : found).push(link);
  }
  expect([...texts.keys()], 'lists that nothing leads to').toEqual([]);
  return found.sort();
}

test('what fits into one list is one list', () => {
  const pages = twins(['', 'a.html', 'guides/', 'guides/one.html']);
  expect(listFiles(pages, { site }, LIMITS)).toEqual([{ path: 'llms.txt', text: pageList(pages, { site }) }]);
});

test('a list that is too long gives its large folders lists of their own, and keeps small ones', () => {
  const pages = twins(['', ...numbered(25, (n) => `guides/${n}.html`), ...numbered(15, (n) => `post-${n}/`)]);
  const files = listFiles(pages, { site, title: 'Docs' }, LIMITS);
  expect(files.map(({ path }) => path)).toEqual(['guides/llms.txt', 'llms.txt']);
  const [guides, root] = files.map(({ text }) => text);
  expect(root).toContain('## Sections\n\n- [guides](https://docs.example/v2/guides/llms.txt): 25 pages\n');
  expect(guides).toMatch(/^# Docs: guides\n\n> The pages below https:\/\/docs\.example\/v2\/guides\/\n/);
  for (const { text } of files) expect(isOwnList(Buffer.from(text))).toBe(true);
});

test('whatever a site looks like, no list is too long, and each page is in one of them', () => {
  const shapes: readonly (readonly string[])[] = [
    numbered(300, (n) => `${n}.html`),
    numbered(300, (n) => `${n}/`),
    numbered(300, (n) => `a/b/c/${n % 3}/${n}.html`),
    numbered(300, (n) => `ü ber/${n % 2}/x%20y/${n}.html`).map(encodeURI),
    numbered(300, (n) => `${n % 7 === 0 ? '%E0%A4%A' : '..%2Fx'}/${n}.html`),
    numbered(300, (n) => `q/${n % 4 === 0 ? `?page=${n}` : `${n}.html?x=a/b`}`),
    ['', ...numbered(30, (n) => `s${n}/`), ...numbered(900, (n) => `s${n % 30}/${n}.html`)],
  ];
  for (const shape of shapes) {
    const pages = twins(shape);
    const files = listFiles(pages, { site }, LIMITS);
    expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
    for (const { path, text } of files) {
      expect(path).toMatch(/^(?:[^/]+\/)*llms(?:-\d+)?\.txt$/);
      expect(path).not.toContain('..');
      expect(linksIn(text).filter((url) => !url.includes('llms')).length).toBeLessThanOrEqual(LIMITS.links);
      expect(Buffer.byteLength(text)).toBeLessThan(2.5 * LIMITS.bytes);
    }
    expect(readAll(files)).toEqual(
      pages.map(({ url }) => (url.endsWith('/') ? `${url}index.html.md` : `${url}.md`)).sort(),
    );
  }
});

test('of a large site no list comes near what static hosts refuse, and an edit is in one of them', () => {
  const count = shortOrLong(10_000, 100_000);
  const pages = twins(numbered(count, (n) => (n % 2 === 0 ? `flat/${n}.html` : `s${n % 100}/t${n % 1000}/${n}.html`)));
  const files = listFiles(pages, { site });
  for (const { text } of files) expect(Buffer.byteLength(text)).toBeLessThan(1_000_000);
  const edited = listFiles(
    pages.map((page, at) => (at === 77 ? { ...page, title: 'Another one' } : page)),
    { site },
  );
  const before = new Map(files.map(({ path, text }) => [path, text]));
  expect(edited.filter(({ path, text }) => before.get(path) !== text)).toHaveLength(1);
});
