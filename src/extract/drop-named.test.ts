import { expect, test } from 'vitest';
import { extractReading } from './extract-reading.ts';

const TEXT = `<p>${'Clay shrinks as it dries, and again in the fire, by a tenth in all. '.repeat(10)}</p>`;
const BESIDE =
  '<figure><img src="/a.png" alt="A kiln"><figcaption>Photo of a kiln</figcaption></figure><aside><p>Win a mug now.</p></aside><p class="article-byline">Staff</p>';
const read = (html: string, url: string) => extractReading(html, url).markdown;

test('an article is read without captions, asides and bylines; its pictures and notes stay', () => {
  const markdown = read(
    `<main><h1>Clay</h1>${TEXT}${BESIDE}<aside class="note"><p>Wear a mask.</p></aside>${TEXT}</main>`,
    'https://magazine.example/blog/why-clay-shrinks',
  );
  expect(markdown).not.toMatch(/Photo of|Win a mug|Staff/);
  expect(markdown).toContain('A kiln');
  expect(markdown).toContain('Wear a mask.');
});

test('a manual keeps them', () => {
  const markdown = read(`<main><h1>Clay</h1>${TEXT}${BESIDE}</main>`, 'https://docs.example/clay');
  expect(markdown).toMatch(/Photo of a kiln[\s\S]*Win a mug[\s\S]*Staff/);
});

test('a page of another kind keeps them too', () => {
  const markdown = read(`<main><h1>Clay</h1>${TEXT}${BESIDE}</main>`, 'https://shop.example/clay');
  expect(markdown).toMatch(/Photo of a kiln[\s\S]*Win a mug[\s\S]*Staff/);
});
