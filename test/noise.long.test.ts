import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { diffPages } from '../src/diff/diff-pages.ts';
import type { PageChange } from '../src/diff/page-change.ts';
import { extractPage } from '../src/extract/extract-page.ts';
import { keepAnchors } from '../src/extract/keep-anchors.ts';
import type { Page } from '../src/model/page.ts';
import { MADE_PAGES } from './noise/made-pages.ts';
import { MUTATIONS, type Mutation } from './noise/mutations.ts';
import { wordEdits } from './noise/word-edits.ts';
import { shortOrLong } from './support/short-or-long.ts';

const CORPUS = new URL('../../shared/corpora/pages/', import.meta.url);
/** On each real page this many mutations are applied together; a failure then names the one that did it. */
const TOGETHER = 15;
/** Of the real pages, these are read: always the same ones. */
const EVERY_NTH = shortOrLong(8, 1);

function changesAfter(before: Page, html: string): PageChange[] {
  return diffPages(before, keepAnchors(extractPage(html, before.url), before));
}

describe.each(MADE_PAGES)('on a page made the $style way', ({ url, html }) => {
  const before = extractPage(html, url);
  const applicable = MUTATIONS.filter((mutation) => mutation.apply(html) !== html);

  test.each(applicable)('$name gives no change', (mutation) => {
    expect(changesAfter(before, mutation.apply(html))).toEqual([]);
  });

  test('all of it together gives no change', () => {
    const noisy = applicable.reduce((soFar, mutation) => mutation.apply(soFar), html);
    expect(changesAfter(before, noisy)).toEqual([]);
  });

  test('most kinds of noise apply', () => {
    expect(applicable.length).toBeGreaterThanOrEqual(MUTATIONS.length - 3);
  });

  test('an edited word is a change of its section', () => {
    const edited = html.replace('requests per minute. The answer', 'requests per hour. The answer');
    expect(edited).not.toBe(html);
    expect(changesAfter(before, edited)).toMatchObject([{ action: 'update', anchor: 'requests' }]);
  });
});

test('every kind of noise is tried on at least one page made here', () => {
  const untried = MUTATIONS.filter(({ apply }) => MADE_PAGES.every(({ html }) => apply(html) === html));
  expect(untried).toEqual([]);
  expect(MUTATIONS.length).toBeGreaterThanOrEqual(20);
});

test('one text in five themes has the same fingerprints', () => {
  const outlines = MADE_PAGES.map(({ url, html }) => {
    const { title, preamble, sections } = extractPage(html, url);
    return { title, preamble, sections: sections.map(({ anchor, checksum, body }) => ({ anchor, checksum, body })) };
  });
  for (const outline of outlines) expect(outline).toEqual(outlines[0]);
});

const corpusIsHere = existsSync(CORPUS);
if (!corpusIsHere) process.stderr.write('noise: ../shared/corpora/pages is not here, real pages are skipped\n');

describe.skipIf(!corpusIsHere)(
  `on real documentation pages${corpusIsHere ? '' : ' (SKIPPED: no ../shared/corpora/pages)'}`,
  () => {
    let pages: { id: string; html: string; text: string; before: Page }[] = [];
    beforeAll(() => {
      pages = readCorpus('documentation', EVERY_NTH).map((page) => ({
        ...page,
        before: extractPage(page.html, page.url),
      }));
    });

    const groups = Array.from({ length: Math.ceil(MUTATIONS.length / TOGETHER) }, (_, group) =>
      MUTATIONS.slice(group * TOGETHER, (group + 1) * TOGETHER),
    );
    test.each(groups.map((group) => ({ names: group.map(({ name }) => name).join(', '), group })))(
      'no change by: $names',
      ({ group }) => {
        const fired = new Map(group.map(({ name }) => [name, 0]));
        const wrong: string[] = [];
        for (const { id, html, before } of pages) {
          let noisy = html;
          for (const { name, apply } of group) {
            const next = apply(noisy);
            if (next !== noisy) fired.set(name, (fired.get(name) ?? 0) + 1);
            noisy = next;
          }
          if (changesAfter(before, noisy).length > 0) wrong.push(`${id}: ${culprits(before, html, group)}`);
        }
        expect(wrong).toEqual([]);
        for (const [name, count] of fired) expect(count, `${name} fired`).toBeGreaterThan(pages.length / 5);
      },
    );

    test('an edited word of the main content is a change on more than 97 % of the pages', () => {
      const unseen: string[] = [];
      let [tried, edits] = [0, 0];
      for (const { id, html, text, before } of pages) {
        const edited = wordEdits(html, text, 2);
        if (edited.length > 0) tried += 1;
        edits += edited.length;
        if (edited.some((version) => changesAfter(before, version).length === 0)) unseen.push(id);
      }
      const share = 1 - unseen.length / tried;
      process.stderr.write(
        `noise: ${edits} edits on ${tried} of ${pages.length} pages, all seen on ${(share * 100).toFixed(1)} %\n`,
      );
      expect(tried).toBeGreaterThan(pages.length * 0.95);
      expect(share, `not seen on ${unseen.join(', ')}`).toBeGreaterThan(0.97);
    });
  },
);

function culprits(before: Page, html: string, group: readonly Mutation[]): string {
  const alone = group.filter(({ apply }) => changesAfter(before, apply(html)).length > 0);
  return alone.length === 0 ? 'only together' : alone.map(({ name }) => name).join(', ');
}

function readCorpus(wanted: string, everyNth: number): { id: string; url: string; html: string; text: string }[] {
  const files = readdirSync(new URL('truth/', CORPUS)).sort();
  const found = files.map((file) => JSON.parse(readFileSync(new URL(`truth/${file}`, CORPUS), 'utf8')));
  const chosen = found.filter(({ type }) => type === wanted).filter((_, index) => index % everyNth === 0);
  return chosen.map(({ id, url, truth }) => {
    const html = gunzipSync(readFileSync(new URL(`html/${id}.html.gz`, CORPUS))).toString('utf8');
    return { id, url, html, text: truth.main_content };
  });
}
