import { expect, test } from 'vitest';
import { extractReading } from './extract-reading.ts';

const LONG =
  'The kiln is fired for two days and cools for three, and nobody may open its door before that time is over, whatever the weather does. ';
const paragraphs = (count: number) => `<p>${LONG.repeat(2)}</p>`.repeat(count);
const read = (body: string, url = 'https://magazine.example/blog/how-to-fire-a-kiln') =>
  extractReading(`<body>${body}</body>`, url).markdown;

test('cards that link to other posts are left beside the text, however long their excerpts are', () => {
  const card = `<div><h3><a href="/other">Another post</a></h3><p>Excerpt: ${LONG.repeat(3)}</p></div>`;
  const markdown = read(`<main><h1>Kilns</h1><div>${paragraphs(8)}</div><div>${card.repeat(5)}</div></main>`);
  expect(markdown).toContain('# Kilns');
  expect(markdown).toContain('The kiln is fired');
  expect(markdown).not.toContain('Excerpt');
});

test('what the text begins with stays, set apart or not', () => {
  const lead = `<div><p>Lead: the fire is the last of the five hands, and the only one that nobody can teach, they say here.</p></div>`;
  expect(read(`<main><h1>Kilns</h1>${lead}<div>${paragraphs(6)}</div></main>`)).toContain('Lead:');
});

test('lists, tables and quotes are parts of a text, however long they are', () => {
  const item = `<li>${LONG.repeat(2)}</li>`;
  const markdown = read(`<main><h1>Kilns</h1><p>Before it.</p><ul>${item.repeat(9)}</ul><p>After it.</p></main>`);
  expect(markdown).toMatch(/Before it[\s\S]*The kiln is fired[\s\S]*After it/);
});

test('paragraphs may be lines of a block without any element', () => {
  const text = Array.from({ length: 6 }, () => LONG).join('<br>');
  const markdown = read(
    `<main><h1>Kilns</h1><div>${text}</div><div><p>The desk: ${LONG}</p><p>Read by many.</p></div></main>`,
  );
  expect(markdown).toContain('The kiln is fired');
  expect(markdown).not.toContain('The desk');
});

test('posts of a thread stay together, though only the first is long', () => {
  const post = (text: string) => `<div class="post"><p>${text}</p></div>`;
  const thread = `<main><h1>Kiln trouble</h1><div>${post(LONG.repeat(9))}${post('Same here.')}${post('Solved it.')}</div></main>`;
  for (const url of ['https://talk.example/t/kiln', 'https://talk.example/blog/a-kiln-is-cold']) {
    expect(read(thread, url)).toContain('Solved it.');
  }
});

test('a page that is no running text is not narrowed', () => {
  const rows = '<div>Mug, blue</div>'.repeat(120);
  expect(read(`<main><h1>Kilns</h1><div>${paragraphs(2)}</div><div>${rows}</div></main>`)).toContain('Mug, blue');
});

test('a page that does not call itself an article is narrowed where it plainly is one', () => {
  const around = '<div><p>Rights: public domain</p></div>';
  const page = (count: number, box: string) =>
    `<main><h1>Kilns</h1><div><div>${paragraphs(count)}</div>${box}</div>${around}</main>`;
  const url = 'https://museum.example/kilns';
  expect(read(page(9, ''), url)).not.toContain('Rights');
  expect(read(page(3, `<div><p>Box: ${LONG}</p></div>`), url)).toContain('Box:');
});
