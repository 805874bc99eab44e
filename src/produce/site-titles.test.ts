import { expect, test } from 'vitest';
import { isRetitledBySite, ownTitles, SiteTitles } from './site-titles.ts';

test('what most titles share is of the site', () => {
  const titles = new SiteTitles();
  for (const page of ['Install', 'Use', 'Remove']) titles.note(`${page} | Acme 1.5 | Docs | Docs`);
  expect([...titles.shared((count) => count === 3)]).toEqual(['Acme 1.5', 'Docs']);
});

const SITE = new Set(['Acme 1.5', 'Docs']);

test.each([
  ['another version of the site', 'Search | Acme 1.4', 'Search | Acme 1.5'],
  ['another sign between the parts', 'Search — Acme 1.5', 'Search - Acme 1.5'],
  ['the name of the site taken out', 'Search | Acme 1.5', 'Search'],
  ['the name of the site alone', 'Acme 1.4', 'Acme 1.5'],
  ['the name of the site in front', 'Acme 1.4: beta - Search', 'Acme 1.5 - Search'],
])('%s is no other title', (_, before, after) => {
  expect(isRetitledBySite({ before, after }, SITE)).toBe(true);
});

test.each([
  ['another name of the page', 'Search | Acme 1.5', 'Find | Acme 1.5'],
  ['a part more', 'Search | Acme 1.5', 'Search | Beta | Acme 1.5'],
  ['the same title', 'Search | Acme 1.5', 'Search | Acme 1.5'],
])('%s is not of the site', (_, before, after) => {
  expect(isRetitledBySite({ before, after }, SITE)).toBe(false);
});

test('a page has its own part alone', () => {
  expect(ownTitles({ before: 'Use | Acme 1.4', after: 'Usage | Acme 1.5' }, SITE)).toEqual({
    before: 'Use',
    after: 'Usage',
  });
});
