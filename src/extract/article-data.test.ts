import { expect, test } from 'vitest';
import { expectLinear } from '../../test/support/count-steps.ts';
import { articleDataOf } from './article-data.ts';

const script = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;

test('a post and who wrote it', () => {
  const html = script({ '@type': 'BlogPosting', author: { '@type': 'Person', name: 'Ada Clay' } });
  expect(articleDataOf(html)).toEqual({ isArticle: true, authors: ['Ada Clay'] });
  expect(articleDataOf(script({ '@type': ['NewsArticle'], author: [{ name: 'Ada Clay' }] })).authors).toEqual([
    'Ada Clay',
  ]);
});

test('the author may stand in a meta element', () => {
  expect(articleDataOf('<meta name="author" content="Ada Clay">').authors).toEqual(['Ada Clay']);
});

test('a name of one word is no name to look for', () => {
  expect(articleDataOf('<meta name="author" content="Editors">').authors).toEqual([]);
});

test.each([
  ['a page of a manual', script({ '@type': 'TechArticle' })],
  ['a list of posts', script({ '@type': 'Blog', blogPost: [{ '@type': 'BlogPosting' }] })],
  ['data that is shown as an example', '<pre>{"@type": "BlogPosting"}</pre>'],
  ['nothing', ''],
])('%s is no article', (_, html) => {
  expect(articleDataOf(html).isArticle).toBe(false);
});

test('data that never ends is read in linear steps', async () => {
  const endless = (count: number) => `<script type="application/ld+json">${'"author":{"a":"'.repeat(count)}`;
  articleDataOf(endless(100_000));
  await expectLinear<typeof import('./article-data.ts'), string>(
    new URL('./article-data.ts', import.meta.url),
    ({ articleDataOf }, html) => articleDataOf(html),
    endless,
  );
});
