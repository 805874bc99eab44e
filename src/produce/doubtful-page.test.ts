import { expect, test } from 'vitest';
import { pageOf } from '../../test/support/live-site.ts';
import { encodePageRecord } from '../log/pages-file.ts';
import { readPage } from './compare-page.ts';
import { doubtOf } from './doubtful-page.ts';

const URL = 'https://docs.example/terms';
const WHOLE = pageOf('Terms');
const before = (html: string) => encodePageRecord({ file: 'x', bytes: html.length }, readPage(html, URL, undefined));
const doubt = (html: string, former = WHOLE) => {
  const known = before(former);
  return doubtOf(known, { page: readPage(html, URL, known), html, bytes: html.length });
};
const until = (mark: string) => WHOLE.slice(0, WHOLE.indexOf(mark));
/** Ten sections of a line each. */
const text = (line: string, kept = 0) =>
  `<title>T</title><main>${Array.from({ length: 10 }, (_, at) => `<h2 id="s${at}">Part ${at}</h2><p>${at < kept ? 'It stays' : line} ${at}.</p>`).join('')}</main></body></html>`;
const MINIFIED = WHOLE.replace(/<\/main>[\s\S]*/, '');

test.each([
  ['replaced', 'a shell', '<title>Docs</title><p>Loading…</p>'],
  ['replaced', 'a notice in words that nobody knows', '<title>Docs</title><h1>Ebbe</h1><p>Komm später.</p>'],
  ['other', 'the same headings over another text', text('Sie sagt das.'), text('It says this.')],
  ['cut', 'a page without its last section', until('<h2 id="three">')],
  ['cut', 'a page in the midst of its last section', until(' of Terms stays.</p>\n</main>')],
])('%s: %s', (kind, _, html, former = WHOLE) => {
  expect(doubt(html, former)).toBe(kind);
});

test.each([
  ['another sentence', pageOf('Terms', 'It says that.')],
  ['one sentence that is left', '<title>Terms – Docs</title><h1>Terms</h1><p>It says this.</p></html>'],
  ['a section removed from a whole page', `${until('<h2 id="three">')}</main></body></html>`],
  ['another text as long as this one', pageOf('Rules', 'Something else.').replaceAll(' part of ', ' piece of ')],
])('no doubt: %s', (_, html) => {
  expect(doubt(html)).toBeUndefined();
});

test('a page that never had an end tag is edited like any other', () => {
  expect(doubt(MINIFIED.replace('The third part of Terms stays.', 'A third part.'), MINIFIED)).toBeUndefined();
  expect(doubt(MINIFIED.replace('The second part', 'A part'), MINIFIED)).toBeUndefined();
});

test('a page of which a fifth stays is edited like any other', () => {
  expect(doubt(text('Sie sagt das.', 2), text('It says this.', 2))).toBeUndefined();
});

test('a short page that says something else is edited like any other', () => {
  const page = (text: string) => `<title>Hours</title><h1>Hours</h1><p>${text}</p>`;
  expect(doubt(page('Closed.'), page('Open from nine to five.'))).toBeUndefined();
});
