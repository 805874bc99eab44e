import { expect, test } from 'vitest';
import { extractPage } from './extract-page.ts';
import { extractReading } from './extract-reading.ts';

const SENTENCE = 'Every mug is thrown by hand and fired twice, so that no two of them are alike. ';
const TEXT = `<p>${SENTENCE.repeat(10)}</p>`;
const read = (html: string, url = 'https://shop.example/mug') => extractReading(html, url).markdown;

test('what a shop calls furniture goes, whatever its element', () => {
  const markdown = read(
    `<div class="top-bar announcement">Free cups</div><main><h1>Mug</h1>${TEXT}<div id="reviews"><p>Lovely cup</p></div></main><div class="site-footer"><p>Imprint of us.</p></div>`,
  );
  expect(markdown).toContain('thrown by hand');
  expect(markdown).not.toMatch(/Free cups|Lovely cup|Imprint/);
});

test('what holds most of the text is the page, whatever its name', () => {
  expect(read(`<h1>Mug</h1><div class="popup-content related">${TEXT}</div>`)).toContain('thrown by hand');
});

test('in a manual, names are not read', () => {
  const markdown = read(
    `<main><h1>Cookies</h1><pre>set()</pre>${TEXT}<div class="related reviews"><p>A part of it.</p></div></main>`,
  );
  expect(markdown).toContain('A part of it.');
});

test('a heading that promises more of the kind goes with what stands under it', () => {
  const markdown = read(
    `<main><h1>Mug</h1>${TEXT}<section><h2>You may also like</h2><p>A bowl of clay</p></section><section><h2>Care</h2><p>Wash it cold.</p></section></main>`,
  );
  expect(markdown).not.toContain('bowl');
  expect(markdown).toContain('Wash it cold.');
});

test('what a click unfolds is read, what it opens over the page is not', () => {
  const markdown = read(
    `<main><h1>Mug</h1>${TEXT}<div class="accordion-panel" style="display:none"><p>Holds a pint.</p></div><div class="size-modal" style="display:none"><p>Centimetres.</p></div></main>`,
  );
  expect(markdown).toContain('Holds a pint.');
  expect(markdown).not.toContain('Centimetres');
});

test('a main that holds little of the text is not the whole of it', () => {
  expect(read(`<main><h1>Mugs</h1><p>Sort by name.</p></main><div>${TEXT}${TEXT}</div>`)).toContain('thrown by hand');
});

test('what is shown to those without scripts is read where nothing else is shown', () => {
  const posts = `<div><p>Hello all.</p>${TEXT}</div>`;
  expect(read(`<div id="app"></div><noscript>${posts}</noscript>`, 'https://forum.example/t/1')).toContain(
    'Hello all.',
  );
  expect(read(`<main><h1>Mug</h1>${TEXT}</main><noscript>${posts}</noscript>`)).not.toContain('Hello all.');
  expect(read('<p>Hi</p><noscript>Please enable JavaScript.</noscript>')).toBe('Hi');
});

test('what is streamed for a script to put in place is read where nothing else is shown', () => {
  expect(read(`<main><p>Mug</p><template id="B:1"></template></main><div hidden id="S:1">${TEXT}</div>`)).toContain(
    'thrown by hand',
  );
  expect(
    read(`<main><h1>Mug</h1>${TEXT}</main><div hidden id="S:1"><p>${'Later. '.repeat(200)}</p></div>`),
  ).not.toContain('Later.');
});

test('a CDATA section in a page ends at the next ">", as browsers read it', () => {
  expect(read(`<body><![CDATA[ <div>x</div>${TEXT}`)).toContain('thrown by hand');
});

test('a quoted post is read once', () => {
  const post = '<p>The glaze came off after a week in the dishwasher.</p>';
  const markdown = read(`<h1>Glaze</h1><div>${post}</div><div><blockquote>${post}</blockquote><p>Mine too.</p></div>`);
  expect(markdown.match(/The glaze came off/g)).toHaveLength(1);
  expect(markdown).toContain('Mine too.');
});

test('an article is read without the teasers beside it, with its title', () => {
  const markdown = read(
    `<meta property="og:type" content="article"><main><h1>Clay</h1><div><div>${TEXT.repeat(4)}</div><div><p>Ten bowls you must see.</p></div></div></main>`,
    'https://news.example/clay',
  );
  expect(markdown).toContain('# Clay');
  expect(markdown).toContain('thrown by hand');
  expect(markdown).not.toContain('Ten bowls');
});

test('buttons and counters that are no buttons go; in a sentence such words stay', () => {
  const markdown = read(
    `<main><h1>Mug</h1>${TEXT}<div>Add to cart</div><div>12 reviews</div><p>Press “Add to cart” to buy.</p></main>`,
  );
  expect(markdown).not.toMatch(/^Add to cart$|12 reviews/m);
  expect(markdown).toContain('Press “Add to cart” to buy.');
});

test.each([
  '<div class="ad-slot"><a href="https://ads.example/1"><img src="/1.gif" alt="Buy shoes"></a></div>',
  '<ins class="adsbygoogle" data-ad-client="ca-1" data-ad-slot="2"><img src="/1.gif" alt="Buy shoes"></ins>',
  '<div id="carbonads"><img src="/1.gif" alt="Buy shoes"></div>',
])('an advertisement that is a picture goes: %s', (ad) => {
  const page = (inserted: string) => `<main><h1>Mug</h1>${TEXT}${inserted}${TEXT}</main>`;
  expect(read(page(ad))).toBe(read(page('')));
});

test('a title element is never content, also where there is no head', () => {
  expect(read('<!doctype html><title>App</title><div id="root"></div>')).toBe('');
});

test('a body that begins late holds less than the page', () => {
  const html = `<html><head></head><div><h1>Mug</h1>${TEXT}</div><body><p>Imprint</p></body></html>`;
  expect(extractPage(html, 'https://shop.example/mug').markdown).toContain('thrown by hand');
  expect(read(html)).toContain('thrown by hand');
});

test('where names leave hardly a text, they are not believed', () => {
  const part = `<div class="related">${TEXT}</div>`;
  const markdown = read(`<h1>Mug</h1>${part}${part.replaceAll('mug', 'bowl')}${part.replaceAll('mug', 'dish')}`);
  expect(markdown).toContain('Every bowl is thrown by hand');
});

test('where hardly a text is shown, what waits for a script is read', () => {
  const markdown = read(`<h1>Mug</h1><p>By hand.</p><div class="fade-in" style="display:none">${TEXT}</div>`);
  expect(markdown).toContain('thrown by hand');
});
