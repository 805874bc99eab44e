import { expect, test } from 'vitest';
import { extractReading } from './extract-reading.ts';

const PROSE = `<p>${'The council said on Monday that the new bridge opens in spring, after years of delay and cost. '.repeat(4)}</p>`;

const read = (html: string, url: string) => extractReading(html, url).markdown;

/** An article whose body stands in an element of its own. */
const article = (before: string, after: string) =>
  `<meta property="og:type" content="article"><nav><a href="/">Home</a></nav><article><h1>A bridge</h1>${before}<div class="body">${PROSE}${PROSE}${PROSE}</div>${after}</article>`;

test.each([
  ['a lead', article('<p>It costs 6 percent more.</p>', ''), '6 percent more'],
  [
    'a table',
    article('', '<table><tr><th>Year</th><th>Cost</th></tr><tr><td>2031</td><td>30</td></tr></table>'),
    '2031',
  ],
  ['a correction', article('', '<h2>Correction</h2><p>An earlier version gave a wrong date.</p>'), 'wrong date'],
  ['a last part', article('', `<section><h2>What comes next</h2>${PROSE}</section>`), 'What comes next'],
  ['footnotes', article('', '<ol><li>See the report of the council, page 4.</li></ol>'), 'page 4'],
])('an article keeps %s beside its body', (_, html, words) => {
  expect(read(html, 'https://news.example/2031/03/a-new-bridge-opens')).toContain(words);
});

test('what follows the body of an article stays in its order', () => {
  const markdown = read(
    article('', '<h2>First</h2><p>One word more.</p><h2>Second</h2><p>Two words more.</p>'),
    'https://news.example/a',
  );
  expect(markdown.indexOf('First')).toBeGreaterThan(0);
  expect(markdown.indexOf('Second')).toBeGreaterThan(markdown.indexOf('One word more'));
});

/** Terms of a company, one clause of which has a name that shops use for furniture. */
const terms = (id: string, heading: string) =>
  `<main><h1>Terms</h1>${PROSE}<section id="${id}"><h2>${heading}</h2><p>Ideas that you send may be used.</p></section><section><h2>Law</h2>${PROSE}</section></main>`;

test.each([
  ['feedback', 'Feedback'],
  ['cookies', 'Cookies'],
  ['login-and-accounts', 'Login and accounts'],
  ['related-companies', 'Related companies'],
  ['share-price', 'Share price'],
  ['x', 'Recommended dosage'],
  ['x', 'Reviews of the literature'],
  ['x', 'Comments on the draft'],
])('a section of the author stays, whatever its name: %s, %s', (id, heading) => {
  expect(read(terms(id, heading), 'https://company.example/about/terms')).toContain('Ideas that you send');
});

test('a sentence that opens two sections stands in both', () => {
  const sentence = '<p>Every plan comes with a guarantee of thirty days for all of you.</p>';
  const markdown = read(
    `<main><h1>Plans</h1><h2>Small</h2>${sentence}<h2>Large</h2>${sentence}${PROSE}</main>`,
    'https://company.example/x',
  );
  expect(markdown).toContain('## Large\n\nEvery plan');
});

test('facts and questions are no buttons', () => {
  const markdown = read(
    `<main><h1>Fair</h1>${PROSE}<p>Location: Main hall</p><p>Sold out</p><button aria-expanded="false" aria-controls="f">Is there a contract?</button><div id="f" hidden><p>No.</p></div></main>`,
    'https://company.example/x',
  );
  for (const words of ['Location: Main hall', 'Sold out', 'Is there a contract?']) expect(markdown).toContain(words);
});
