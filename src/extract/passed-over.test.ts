import { expect, test } from 'vitest';
import { extractPage } from './extract-page.ts';
import { extractReading } from './extract-reading.ts';

const TEXT = `<p>${'The ferry leaves the harbour at dawn and comes back with the evening tide. '.repeat(4)}</p>`;

function read(body: string, url = 'https://news.example/2031/05/a-day-at-sea'): string {
  const html = `<meta property="og:type" content="article"><main><h1>A day at sea</h1>${TEXT}${body}${TEXT}</main>`;
  return extractReading(html, url).markdown;
}

test.each([
  [
    'a form with its heading',
    '<form><h3>Stay in the loop</h3><p>All news at once.</p><input type="email"><button>Go</button></form>',
    'loop',
  ],
  [
    'the labels of a form',
    '<form><label>First name</label><input><span>This field is required.</span><textarea></textarea></form>',
    'required',
  ],
  [
    'a box round a field',
    '<div><h3>Never miss a post</h3><p>Weekly, for free.</p><div><input type="email"></div></div>',
    'Weekly',
  ],
  [
    'a link set as a button',
    '<div><a class="wp-block-button__link btn btn-primary" href="/book">Book a seat today</a></div>',
    'Book',
  ],
  ['a paragraph that is a link', '<p><strong><a href="/shop">Shop rain coats</a></strong></p>', 'Shop'],
  [
    'a list of places',
    '<div><div><a href="#one">1 One</a></div><div><a href="#two">2 Two</a></div><div><a href="#three">3 Three</a></div></div>',
    'Three',
  ],
])('%s is passed over', (_, html, word) => {
  expect(read(html)).not.toContain(word);
});

test.each([
  [
    'a link in a sentence',
    '<p>Tickets are sold <a class="button" href="/book">at the pier of the old town, every day but Monday</a>.</p>',
    'Monday',
  ],
  ['an item that is a link', '<ul><li><p><a href="/shop">Rain coats</a></p></li></ul>', 'Rain coats'],
  ['a heading set as a button', '<a class="btn" href="/x"><h2>The way back</h2></a>', 'The way back'],
  ['a long text round a field', `<div>${TEXT}${TEXT}<p>Reckon it yourself.</p><input type="text"></div>`, 'Reckon'],
])('%s is read', (_, html, word) => {
  expect(read(html)).toContain(word);
});

test('what no reading for people leaves out stays in the reading for changes', () => {
  const html = `<main><h1>Offers</h1>${TEXT}<p><a class="btn" href="/book">Book a seat</a></p></main>`;
  expect(extractPage(html, 'https://news.example/offers').markdown).toContain('Book a seat');
});
