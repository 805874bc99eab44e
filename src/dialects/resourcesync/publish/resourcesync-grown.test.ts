import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortOrLong } from '../../../../test/support/short-or-long.ts';
import type { PageRecord } from '../../../log/pages-file.ts';
import type { Change } from '../../../model/change.ts';
import type { ListsBefore } from '../lists/grow-lists.ts';
import { planLists } from '../lists/plan-lists.ts';
import { publishResourceSync, type ResourceSyncOptions } from './resourcesync.ts';

const site = new URL('https://docs.example/r&d/');
const PATHS = ['', 'a', 'a/', 'a/b?c&d', 'a/é', 'b/<x>', 'b/y', 'c', 'zz'].map((path) => new URL(path, site).href);
const BEGIN_MS = Date.UTC(2026, 0, 1);

interface Published {
  readonly pages: ReadonlyMap<string, PageRecord>;
  readonly changes: readonly Change[];
  readonly before?: ListsBefore;
}

interface Edit {
  readonly page: number;
  readonly is: 'there' | 'gone' | 'noise';
  readonly title: string | undefined;
}

/** The files, and what the next publish knows of this one. */
function publishNow({ pages, changes, before }: Published, options: ResourceSyncOptions) {
  const plan = planLists(changes, before?.marks, options);
  const { files } = publishResourceSync({ pages, changes, plan, intact: new Set(), before }, options);
  const documents = new Map(files.map(({ path, bytes }) => [path, Buffer.from(bytes)]));
  return { documents, next: { pages, log: changes.length, marks: plan.marks ?? [], documents } };
}

function recordOf(url: string, text: string, modifiedMs: number): PageRecord {
  const file = hash('sha256', text, 'base64url');
  return { url, file, bytes: text.length, modifiedMs, extractor: '1', line: new Uint8Array() };
}

/** A publish at this minute, with what its edits change. */
function edited({ pages, changes }: Published, edits: readonly Edit[], minute: number): Published {
  const [nextPages, nextChanges, timeMs] = [new Map(pages), [...changes], BEGIN_MS + minute * 60_000];
  const time = new Date(timeMs).toISOString();
  for (const [at, { page, is, title }] of edits.entries()) {
    const url = PATHS[page] ?? '';
    const isKnown = nextPages.has(url);
    if (is === 'gone' && !isKnown) continue;
    if (is === 'gone') nextPages.delete(url);
    else nextPages.set(url, recordOf(url, `${minute} ${at}`, timeMs));
    if (is === 'noise' && isKnown) continue;
    const action = is === 'gone' ? 'delete' : isKnown ? 'update' : 'create';
    const seq = nextChanges.length + 1;
    const facts = { kind: 'page', action, url, time, provenance: {}, ...(title !== undefined && { title }) } as const;
    nextChanges.push({ seq, id: String(seq), source: 'docs', ...facts });
  }
  return { pages: nextPages, changes: nextChanges };
}

const edit: fc.Arbitrary<Edit> = fc.record({
  page: fc.nat({ max: PATHS.length - 1 }),
  is: fc.constantFrom('there', 'there', 'gone', 'noise'),
  title: fc.constantFrom(undefined, undefined, 'A & <b>'),
});
const history = fc.record({
  options: fc.record({
    listEntries: fc.constantFrom(undefined, undefined, 2, 6),
    listBytes: fc.constantFrom(undefined, undefined, 3000, 12_000),
    collections: fc.subarray([{ path: 'a/' }, { path: 'b/' }]),
  }),
  // Two may be of the same minute, as where a clock is set back.
  publishes: fc.array(fc.record({ edits: fc.array(edit, { maxLength: 5 }), later: fc.nat({ max: 3 }) }), {
    minLength: 2,
    maxLength: 12,
  }),
});

test('lists that grow are byte for byte those that are made anew', () => {
  fc.assert(
    fc.property(history, ({ options, publishes }) => {
      const settings = { site, ...options };
      let now: Published = { pages: new Map(), changes: [] };
      let minute = 0;
      for (const { edits, later } of publishes) {
        minute += later;
        const { before } = now;
        const site = edited(now, edits, minute);
        const anew = publishNow({ ...site, ...(before && { before: { ...before, documents: new Map() } }) }, settings);
        const grown = publishNow({ ...site, ...(before && { before }) }, settings);
        expect(textsOf(grown.documents)).toEqual(textsOf(anew.documents));
        now = { ...site, before: grown.next };
      }
    }),
    { seed: 5, numRuns: shortOrLong(25, 200) },
  );
});

test('of documents that grow, what did not change is taken as it stands', () => {
  const there = (page: number): Edit => ({ page, is: 'there', title: undefined });
  const first = edited({ pages: new Map(), changes: [] }, [there(0), there(1), there(2)], 0);
  const { next } = publishNow(first, { site });
  const marked = Array.from(next.documents, ([path, bytes]) => {
    return [path, Buffer.from(String(bytes).replace('<loc>https://docs.example/r&amp;d/<', '<loc>marked<'))] as const;
  });
  const second = edited(first, [there(2), there(3)], 5);
  const { documents } = publishNow({ ...second, before: { ...next, documents: new Map(marked) } }, { site });
  const locsOf = (text = '') =>
    [...text.matchAll(/<loc>(?:https:..docs.example.r&amp;d)?([^<]+)/g)].map(([, loc]) => loc);
  const texts = textsOf(documents);
  expect(locsOf(texts['resourcesync/resourcelist.xml'])).toEqual(['marked', '/a', '/a/', '/a/b?c&amp;d']);
  expect(locsOf(texts['resourcesync/changelist.xml'])).toEqual(['marked', '/a', '/a/', '/a/', '/a/b?c&amp;d']);
});

function textsOf(documents: ReadonlyMap<string, Buffer>): Record<string, string> {
  return Object.fromEntries(Array.from(documents, ([path, bytes]) => [path, String(bytes)]));
}
