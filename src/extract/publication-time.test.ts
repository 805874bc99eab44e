import { expect, test } from 'vitest';
import { diffPages } from '../diff/diff-pages.ts';
import { extractPage } from './extract-page.ts';

const pageOf = (line: string) =>
  extractPage(
    `<article><h1>The bench</h1>${line}<p>It is made of beech.</p></article>`,
    'https://blog.example/2026/bench/',
  );

/** As NexT, a theme of Hexo, writes it. */
const nextLine = (edited: string) => `<div class="post-meta"><span><span>Posted on</span>
  <time title="Created: 2026-02-21 10:00:00" itemprop="dateCreated datePublished" datetime="2026-02-21T10:00:00Z">2026-02-21</time></span>
  <span><span>Edited on</span> <time itemprop="dateModified" datetime="${edited}T00:00:00Z">${edited}</time></span>
  <span><span>In</span> <a href="/categories/Tools/" rel="index"><span itemprop="name">Tools</span></a></span></div>`;

/** As Landscape, another one, does. */
const LANDSCAPE = `<div class="article-meta"><a href="/2026/bench/"><time class="dt-published" datetime="2026-02-21T10:00:00.000Z" itemprop="datePublished">2026-02-21</time></a>
  <div class="article-category"><a href="/categories/Tools/">Tools</a></div></div>`;

test('when a page was published is worded by the theme, and when its file was touched is no edit', () => {
  const before = pageOf(LANDSCAPE);
  expect(before.markdown).toBe('# The bench\n\nIt is made of beech.');
  expect(diffPages(before, pageOf(nextLine('2026-03-01')))).toEqual([]);
  expect(diffPages(before, pageOf(nextLine('2026-04-01')))).toEqual([]);
});

test('a time of modification among words is no edit', () => {
  const lineOf = (time: string) =>
    pageOf(`<p>The text below is a draft of the joiners, as they left it on the evening of
      <time itemprop="dateModified" datetime="${time}">${time}</time>, and nobody has read it since then at all.</p>`);
  expect(diffPages(lineOf('2026-03-01'), lineOf('2026-04-01'))).toEqual([]);
});

test.each([
  ['a date of something else', (day: string) => `<p>Doors open: <time datetime="${day}">${day}</time></p>`],
  [
    'a sentence with the date of publication',
    (day: string) =>
      `<p>Since this was published on <time itemprop="datePublished" datetime="${day}">${day}</time> the price of beech has doubled.</p>`,
  ],
])('%s is content', (_, lineOf) => {
  expect(diffPages(pageOf(lineOf('2026-03-01')), pageOf(lineOf('2026-04-01')))).toHaveLength(1);
});
