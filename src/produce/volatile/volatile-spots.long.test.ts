import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { shortOrLong } from '../../../test/support/short-or-long.ts';
import { createSiteScope } from '../../crawl/site-scope.ts';
import type { PageRecord } from '../../log/pages-file.ts';
import { LivePageReader } from '../live-pages.ts';

const SITE = new URL('https://site.example/');
const HOUR_MS = 3_600_000;

interface Told {
  readonly look: number;
  readonly where: string;
}

/** Looks at a site again and again, and says what is told of it after the first look. */
function looksAt(pagesAt: (look: number) => Readonly<Record<string, string>>, looks: number) {
  const told: Told[] = [];
  let known: ReadonlyMap<string, PageRecord> = new Map();
  for (let look = 1; look <= looks; look += 1) {
    const reader = new LivePageReader(known, createSiteScope(SITE, SITE), { look });
    for (const [path, html] of Object.entries(pagesAt(look))) {
      const url = new URL(path, SITE);
      const page = {
        kind: 'page' as const,
        url,
        status: 200,
        headers: {},
        mediaType: 'text/html' as const,
        text: html,
        bytesHash: hash('sha256', html, 'base64url'),
        bytesLength: html.length,
        fetchedAtMs: look * HOUR_MS,
      };
      void reader.read({ address: url.href, page, foundBy: undefined, trail: undefined });
    }
    reader.settleFrame();
    known = new Map([...known, ...reader.records]);
    if (look === 1) continue;
    for (const { url, anchor } of reader.changes) {
      told.push({ look, where: url.slice(SITE.href.length) + (anchor === undefined ? '' : `#${anchor}`) });
    }
  }
  return { told, known };
}

/** Numbers that look random and are the same each time. */
function noise(seed: number): number {
  const mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) % 1_000_003;
}

const POOL = ['Paint', 'Ropes', 'Knots', 'Sails', 'Tides', 'Winds', 'Maps', 'Stars', 'Boats', 'Ports'];
const some = (seed: number, count: number) => {
  const start = noise(seed) % POOL.length;
  const step = [1, 3, 7, 9][noise(seed * 31) % 4] ?? 1;
  return Array.from({ length: count }, (_, at) => POOL[(start + at * step) % POOL.length] ?? '');
};

const links = (seed: number) =>
  some(seed, 4).map((name) => `<li><a href="/${name.toLowerCase()}">${name} for all</a></li>`);

/** What misbehaves, by look and page: in the text before the first heading, below it, or behind all. */
interface Quirk {
  readonly below?: (seed: number) => string;
  readonly behind?: (seed: number) => string;
}

const QUIRKS: Readonly<Record<string, Quirk>> = {
  'related links': {
    behind: (seed) => `<aside class="related"><h2>Related</h2><ul>${links(seed).join('')}</ul></aside>`,
  },
  'related links without a name': { behind: (seed) => `<h2>Related</h2><ul>${links(seed).join('')}</ul>` },
  'an advertisement': {
    below: (seed) => `<div class="promo"><p>Buy ${some(seed, 1)} now, and get ${some(seed + 7, 1)} free.</p></div>`,
  },
  'an advertisement that comes and goes': {
    below: (seed) => (noise(seed) % 2 === 0 ? '' : `<div class="promo"><p>Buy ${some(seed, 1)} now.</p></div>`),
  },
  'an advertisement with a heading of its own': {
    behind: (seed) =>
      `<div class="promo"><h3>${some(seed, 1)} are cheap</h3><p>Today only: ${some(seed + 5, 2)}.</p></div>`,
  },
  'a counter in words': { below: (seed) => `<p class="readers">${some(seed, 2).join(' and ')} readers are here.</p>` },
  'a counter without a name': { below: (seed) => `<p>Read by ${noise(seed)} people so far.</p>` },
  'a time': { behind: (seed) => `<p>Last refreshed ${noise(seed)} seconds after midnight.</p>` },
  'a text that is tried out': {
    below: (seed) => `<p>${noise(seed) % 2 === 0 ? 'Sign up and sail.' : 'Come aboard today, it is free.'}</p>`,
  },
};

/** An article of some sections; `edits` are in its third one. */
function article(page: number, edits: number, { below, behind }: Quirk, seed: number): string {
  const text = (part: string) =>
    `<p>The ${part} of page ${page} tells of boats, at some length and in plain words.</p>`;
  return `<html><head><title>Page ${page} | Harbour</title></head><body><main><article class="post"><h1>Page ${page}</h1>
    ${below?.(seed) ?? ''}${text('start')}${text('rest')}<h2 id="one">One</h2>${text('first part')}${text('first end')}
    <h2 id="two">Two</h2>${text('second part')}<p>It was edited ${edits} times.</p>${text('second end')}
    <h2 id="three">Three</h2>${text('third part')}${behind?.(seed) ?? ''}</article></main></body></html>`;
}

const LOOKS = shortOrLong(12, 50);
const EDITS = [5, 9, 10, 31].filter((look) => look <= LOOKS);
const PAGES = shortOrLong([1, 3, 4], [1, 2, 3, 4, 6]);

test.each(Object.keys(QUIRKS).flatMap((name) => PAGES.map((pages) => [name, pages] as const)))(
  '%s on each of %i pages: two false changes at most, and each edit beside it at once',
  (name, pages) => {
    const quirk = QUIRKS[name] ?? {};
    const { told } = looksAt((look) => {
      const entries = Array.from({ length: pages }, (_, at) => {
        const edits = at === 0 ? EDITS.filter((edit) => edit <= look).length : 0;
        return [`p${at}`, article(at, edits, quirk, look * 100 + at)] as const;
      });
      return Object.fromEntries(entries);
    }, LOOKS);
    const isEdit = ({ look, where }: Told) => EDITS.includes(look) && where === 'p0#two';
    expect(told.filter(isEdit).map(({ look }) => look)).toEqual(EDITS);
    expect(told.filter((one) => !isEdit(one)).length, JSON.stringify(told)).toBeLessThanOrEqual(2);
  },
);

/** What the advertisement of each of three pages says at each look. */
const COMING_AND_GOING = [
  ['', 'Ports', ''],
  ['Ports', '', 'Winds'],
  ['Ports', 'Sails', 'Sails'],
  ['Winds', 'Winds', 'Sails'],
];

test('an advertisement that went before anything was known of it is not told when it has come back and gone again', () => {
  const { told } = looksAt((look) => {
    const shown = COMING_AND_GOING[look - 1] ?? ['', look % 2 === 0 ? '' : 'Stars', ''];
    const entries = shown.map((name, at) => {
      const below = () => (name === '' ? '' : `<div class="promo"><p>Buy ${name} now.</p></div>`);
      return [`p${at}`, article(at, 0, { below }, 0)] as const;
    });
    return Object.fromEntries(entries);
  }, 15);
  expect(told.filter(({ where }) => where.startsWith('p1'))).toEqual([]);
});

/** Numbers of which each bit looks random. */
function mixed(seed: number): number {
  const once = Math.imul(noise(seed) ^ (seed >>> 5), 0xc2b2ae35);
  return (once ^ (once >>> 16)) >>> 0;
}

const TEXTS = ['Nobody', 'A few people', 'Dozens of people', 'Hundreds of people', 'Almost everybody'];

test.each([1, 2, 3, 4, 6])(
  'one of five texts in a block with a name, on each of %i pages: two false changes at most',
  (pages) => {
    for (let round = 0; round < shortOrLong(3, 40); round += 1) {
      const below = (seed: number) => `<p class="stats">${TEXTS[mixed(seed) % TEXTS.length]} found this helpful.</p>`;
      const { told } = looksAt((look) => {
        const seed = round * 10_007 + look * 100;
        const entries = Array.from(
          { length: pages },
          (_, at) => [`p${at}`, article(at, 0, { below }, seed + at)] as const,
        );
        return Object.fromEntries(entries);
      }, LOOKS);
      expect(told.length, `round ${round}: ${JSON.stringify(told)}`).toBeLessThanOrEqual(2);
    }
  },
);

/** Pages that show one box each, which some of them lack; the author writes into the text beside it. */
function boxedSite(boxes: readonly string[], edits: number): Readonly<Record<string, string>> {
  const entries = boxes.map((box, at) => {
    const below = () => (box === '' ? '' : `<div class="box"><p>${box}</p></div>`);
    return [`p${at}`, article(at, at === 0 ? edits : 0, { below }, 0)] as const;
  });
  return Object.fromEntries(entries);
}

test('a box that goes from some pages while it changes on others is one box: at most pages at once nothing is told', () => {
  const looks = [
    ['Sails', 'Ropes', '', 'Maps', 'Winds'],
    ['', 'Knots', 'Tides', '', 'Boats'],
  ];
  expect(looksAt((look) => boxedSite(looks[look - 1] ?? [], 0), 2).told).toEqual([]);
});

test('boxes that an author writes on one page after another are told, each at once', () => {
  const boxes = [
    'Mind the gap.',
    'Mind the step.',
    'Mind the tide.',
    'Mind the wind.',
    'Mind the rope.',
    'Mind the crane.',
  ];
  const { told } = looksAt(
    (look) =>
      boxedSite(
        boxes.map((box, at) => (at < look - 1 ? box : '')),
        0,
      ),
    4,
  );
  expect(told.map(({ look, where }) => [look, where.slice(0, 2)])).toEqual([
    [2, 'p0'],
    [3, 'p1'],
    [4, 'p2'],
  ]);
});

test('a box that an author moves to another page is told where it comes', () => {
  const moved = (look: number) => (look < 4 ? ['', '', 'Mind the gap.', '', ''] : ['Mind the gap.', '', '', '', '']);
  const { told } = looksAt((look) => boxedSite(moved(look), 0), 6);
  expect(told).toEqual([{ look: 4, where: 'p0#page-0' }]);
});

test('a paragraph that an author takes out is told at once, while the box of each page changes again and again', () => {
  const { told } = looksAt((look) => {
    const site = boxedSite(
      ['a', 'b', 'c', 'd', 'e'].map((page) => `${page} ${mixed(look)} ${page}`),
      0,
    );
    const shorter = (site.p1 ?? '').replace(/<p>The start of page 1[^<]*<[/]p>/, '');
    expect(shorter).not.toBe(site.p1);
    return look < 8 ? site : { ...site, p1: shorter };
  }, 10);
  expect(told).toEqual([{ look: 8, where: 'p1#page-1' }]);
});

/** Pages of which each has a paragraph, or none, without a name between the others. */
function plainSite(paragraphs: readonly string[]): Readonly<Record<string, string>> {
  const entries = paragraphs.map((text, at) => {
    const below = () => (text === '' ? '' : `<p>${text}</p>`);
    return [`p${at}`, article(at, 0, { below }, 0)] as const;
  });
  return Object.fromEntries(entries);
}

const toldOf = (...looks: (readonly string[])[]) =>
  looksAt((look) => plainSite(looks[look - 1] ?? []), looks.length).told.map(
    ({ look, where }) => `${look} ${where.slice(0, 2)}`,
  );

test.each([
  ['adds a paragraph to most pages', ['', '', '', '', ''], ['Sails', 'Maps', 'Winds', 'Tides', ''], 4],
  ['takes a paragraph from most pages', ['Sails', 'Maps', 'Winds', 'Tides', ''], ['', '', '', '', ''], 4],
  ['writes a paragraph anew on most pages', ['Sails', 'Maps', 'Winds', 'Tides', ''], ['A', 'B', 'C', 'D', ''], 4],
  ['adds one to a page, and takes one from another', ['Sails', '', '', '', ''], ['', 'Maps', '', '', ''], 2],
  ['adds some, takes some and writes some anew', ['Sails', '', 'Maps', ''], ['', 'Tides', 'Knots', ''], 3],
])('an author who %s at once is told of at once', (_, before, after, count) => {
  expect(toldOf(before, after)).toHaveLength(count);
});

test('two lines without a name stay one spot when one of them is another one', () => {
  const pairs = [['A', 'B'], ['A', 'C'], [], ['D', 'E'], ['F', 'E'], ['F', 'G'], [], ['A', 'C'], [], ['D', 'H']];
  const { told } = looksAt((look) => {
    const behind = () => (pairs[look - 1] ?? []).map((name) => `<p>Buy ${name} now, it is cheap.</p>`).join('');
    return { p0: article(0, 0, { behind }, 0) };
  }, pairs.length);
  expect(told.map(({ look }) => look)).toEqual([2, 3]);
});
