import { expect, test } from 'vitest';
import { extractPage } from './extract-page.ts';

const markdownOf = (trail: string) =>
  extractPage(
    `<main><h1>Dust</h1><p>It is measured with a laser.</p>${trail}</main>`,
    'https://blog.example/2026/dust/',
  ).markdown;

/** As Fluid, a theme of Hexo, writes it. */
test('a link that names a page and then the step that leads there is none of the text', () => {
  const step = `<div class="post-prevnext"><article class="post-prev col-6">
    <a href="/2026/plane/" title="A plane"><i class="icon-arrowleft"></i>
      <span class="hidden-mobile">A plane</span> <span class="visible-mobile">Previous</span></a></article></div>`;
  expect(markdownOf(step)).toBe('# Dust\n\nIt is measured with a laser.');
});

test.each([
  ['whose words end so', '<p><a href="/plans/">What comes next</a></p>'],
  ['of one element', '<p>Go to the <a href="/plans/"><b>next</b></a> page of the series on dust and air.</p>'],
])('a link %s stays', (_, link) => {
  expect(markdownOf(link)).toMatch(/next/);
});
