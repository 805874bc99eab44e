import { describe, expect, test } from 'vitest';
import { isOtherSite, isSomebodyElses, type KnownAndFound } from './new-owner.ts';
import { ToldSite } from './told-site.ts';

const pageOf = (title: string, ...texts: string[]) => ({
  title,
  checksum: `page of ${texts.join()}`,
  sections: texts.map((text) => ({ checksum: `sum of ${text}` })),
});

const DOCS = ['Home', 'Install', 'Usage', 'Limits'].map((title) => pageOf(title, `${title} one`, `${title} two`));
const looked = (change: (page: (typeof DOCS)[number], at: number) => KnownAndFound['found']): KnownAndFound[] =>
  DOCS.map((known, at) => ({ known, found: change(known, at) }));

const many = (change: (title: string, at: number) => KnownAndFound['found']): KnownAndFound[] =>
  Array.from({ length: 12 }, (_, at) => ({
    known: pageOf(`Title ${at}`, `text ${at}`),
    found: change(`Title ${at}`, at),
  }));

describe('a site that is read by its pages', () => {
  test.each<[string, boolean, KnownAndFound[]]>([
    ['every page is another one', true, looked((_, at) => pageOf(`Casino ${at}`, `bet ${at}`))],
    [
      'its home is another one, and all else is gone',
      true,
      looked((_, at) => (at === 0 ? pageOf('Casino', 'bet') : undefined)),
    ],
    [
      'a redesign: other titles, the same texts',
      false,
      looked(({ sections }, at) => ({ ...pageOf(`New ${at}`), sections })),
    ],
    ['a rewrite: the same titles, other texts', false, looked(({ title }) => pageOf(title, `${title} anew`))],
    [
      'another name of the site behind every title',
      false,
      looked(({ title }) => pageOf(`${title} | Acme`, `${title} anew`)),
    ],
    ['one page is what it was', false, looked((known, at) => (at === 3 ? known : pageOf(`Casino ${at}`, 'bet')))],
    ['one section is what it was', false, looked((_, at) => pageOf(`Casino ${at}`, at === 2 ? 'Usage two' : 'bet'))],
    [
      'a title stands in another one by chance',
      true,
      many((title, at) => pageOf(at === 0 ? `Casino ${title}` : `Bet ${at}`, `bet ${at}`)),
    ],
    ['nothing answers', false, looked(() => undefined)],
    ['most could not be looked at', false, looked((_, at) => pageOf(`Casino ${at}`, 'bet')).slice(0, 1)],
  ])('%s: %s', (_, isOther, pages) => {
    expect(isOtherSite(pages, DOCS.length)).toBe(isOther);
  });

  test('of two pages nothing follows', () => {
    const pages = looked((_, at) => pageOf(`Casino ${at}`, 'bet')).slice(0, 2);
    expect(isOtherSite(pages, 2)).toBe(false);
  });
});

describe('a site whose feed is gone', () => {
  const told = new ToldSite();
  const time = '2026-11-17T12:00:00Z';
  const urlOf = (at: number) => `https://a.example/${at}`;
  for (const at of [1, 2, 3]) {
    told.add({ kind: 'page', action: 'create', url: urlOf(at), checksum: `sha256:${at}`, title: `Post ${at}`, time });
  }
  const found = (title: (at: number) => string, checksum = 'sha256:other') =>
    [1, 2, 3].map((at) => ({ url: urlOf(at), title: title(at), checksum, sections: [] }));

  test.each([
    ['every page is another one', true, found((at) => `Casino ${at}`)],
    ['titles of items stand in those of pages', false, found((at) => `Post ${at} – My Blog`)],
    ['titles of items are longer than those of pages', false, found((at) => `ost ${at}`)],
    ['all pages have the title of the site', false, found(() => 'My Blog')],
    [
      'a checksum is what it was',
      false,
      [...found((at) => `Casino ${at}`).slice(1), { ...found((at) => `Casino ${at}`, 'sha256:1')[0] }],
    ],
    ['no page is left', false, []],
  ])('%s: %s', (_, isOther, pages) => {
    expect(isSomebodyElses(pages as Parameters<typeof isSomebodyElses>[0], told)).toBe(isOther);
  });
});
