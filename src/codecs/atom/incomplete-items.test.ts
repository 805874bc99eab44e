import { expect, test } from 'vitest';
import { decodeWebFeed } from './decode-feed.ts';

function itemOf(text: string) {
  const decoded = decodeWebFeed(text, { url: 'https://blog.example/feed' });
  if (!decoded.ok) throw new Error(decoded.issues[0].message);
  return decoded.value.items[0];
}

const atom = (entry: string) =>
  itemOf(`<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"
    xmlns:dc="http://purl.org/dc/elements/1.1/"><entry><id>tag:a</id>${entry}</entry></feed>`);
const rss = (item: string) =>
  itemOf(`<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"
    xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><item>${item}</item></channel></rss>`);

test.each([
  ['<title type="">News &amp; more</title>', 'News & more'],
  ['<title type=" ">News</title>', 'News'],
  ['<title type="plain">News</title>', 'News'],
  ['<media:title>News</media:title>', 'News'],
  ['<media:group><media:title>News</media:title></media:group>', 'News'],
  ['<media:group><media:content url="/a.mp4"><media:title>News</media:title></media:content></media:group>', 'News'],
  ['<dc:title>News</dc:title>', 'News'],
  ['<title/><dc:title>News</dc:title>', 'News'],
  ['<title>Own</title><media:title>News</media:title>', 'Own'],
])('the title of an Atom entry: %s', (title, read) => {
  expect(atom(title)?.title).toBe(read);
});

test.each([
  ['<media:title>News</media:title>'],
  ['<media:content url="https://cdn.example/a.mp4"><media:title>News</media:title></media:content>'],
  ['<title> </title><dc:title>News</dc:title>'],
])('the title of an RSS item: %s', (title) => {
  expect(rss(title)?.title).toBe('News');
});

test('a content that is no text is still none', () => {
  expect(atom('<title>A</title><content type="image/png">aGk=</content>')).not.toHaveProperty('content');
});

const FILE = 'https://cdn.example/1.mp3';

test('an item without a link stands at its enclosure, and a link comes first', () => {
  const enclosure = `<enclosure url="${FILE}" length="1" type="audio/mpeg"/>`;
  expect(rss(`<title>A</title><guid isPermaLink="false">1</guid>${enclosure}`)?.url).toBe(FILE);
  expect(rss(`<title>A</title><link>https://blog.example/a</link>${enclosure}`)?.url).toBe('https://blog.example/a');
  expect(rss(`<title>A</title><guid>https://blog.example/g</guid>${enclosure}`)?.url).toBe('https://blog.example/g');
  expect(rss(`<title>A</title><enclosure url="ftp://x/"/><media:content url="${FILE}"/>`)?.url).toBe(FILE);
  expect(atom(`<title>A</title><link rel="enclosure" href="${FILE}"/>`)?.url).toBe(FILE);
  expect(atom(`<title>A</title><media:group><media:content url="${FILE}"/></media:group>`)?.url).toBe(FILE);
  const json = (item: object) =>
    itemOf(JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'F', items: [item] }));
  expect(json({ id: '1', title: 'A', attachments: [{ url: FILE, mime_type: 'audio/mpeg' }] })?.url).toBe(FILE);
  expect(json({ id: '1', external_url: 'https://blog.example/a', attachments: [{ url: FILE }] })?.url).toBe(
    'https://blog.example/a',
  );
});
