import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortOrLong } from '../../../../test/support/short-or-long.ts';
import type { PageRecord } from '../../../log/pages-file.ts';
import type { Change } from '../../../model/change.ts';
import type { ListMarks } from '../lists/list-marks.ts';
import { planLists } from '../lists/plan-lists.ts';
import { publishResourceSync, type ResourceSyncOptions } from './resourcesync.ts';

const site = new URL('https://docs.example/r&d/');
const PATHS = ['', 'a', 'a/', 'a/b?c&d', 'a/é', 'b/<x>', 'b/y', 'c', 'zz'].map((path) => new URL(path, site).href);
const BEGIN_MS = Date.UTC(2026, 0, 1);

interface PublishedBefore {
  readonly pages: ReadonlyMap<string, PageRecord>;
  readonly log: number;
  readonly marks: readonly ListMarks[];
  readonly documents: ReadonlyMap<string, Buffer>;
}

interface Published {
  readonly pages: ReadonlyMap<string, PageRecord>;
  readonly changes: readonly Change[];
  readonly before?: PublishedBefore;
}

interface Edit {
  readonly page: number;
  readonly is: 'there' | 'gone' | 'noise';
  readonly title: string | undefined;
}

/** All that is there after a publish, what was written of it, and what the next publish knows of this one. */
function publishNow({ pages, changes, before }: Published, options: ResourceSyncOptions) {
  const plan = planLists(changes, before?.marks, options);
  const { files, paths } = publishResourceSync({ pages, changes, plan, intact: new Set(), before }, options);
  const written = new Map(files.map(({ path, bytes }) => [path, Buffer.from(bytes)]));
  const documents = new Map(
    paths.map((path) => [path, written.get(path) ?? before?.documents.get(path) ?? Buffer.from('none')]),
  );
  return { documents, written, next: { pages, log: changes.length, marks: plan.marks ?? [], documents } };
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
    listEntries: fc.constantFrom(undefined, undefined, undefined, 6),
    listBytes: fc.constantFrom(undefined, undefined, undefined, 3000),
    parts: fc.constantFrom(undefined, { above: 1, aboutEntries: 1 }, { above: 1, aboutEntries: 3 }),
    collections: fc.subarray([{ path: 'a/' }, { path: 'b/' }]),
  }),
  // Two may be of the same minute, as where a clock is set back.
  publishes: fc.array(fc.record({ edits: fc.array(edit, { maxLength: 5 }), later: fc.nat({ max: 3 }) }), {
    minLength: 2,
    maxLength: 12,
  }),
});

test('what is kept of lists is byte for byte those that are made anew', () => {
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

test('of a long Resource List an edit writes the part of its page, and a new page at most two', () => {
  const parts = { above: 10, aboutEntries: 10 };
  const pages = new Map(
    Array.from({ length: 400 }, (_, at) => `${site.href}page-${at}`).map((url) => [url, recordOf(url, url, BEGIN_MS)]),
  );
  const changes: Change[] = Array.from(pages.keys(), (url, at) => ({
    ...{ seq: at + 1, id: String(at + 1), source: 'docs', kind: 'page', action: 'create', url, provenance: {} },
    time: new Date(BEGIN_MS).toISOString(),
  }));
  const first = publishNow({ pages, changes }, { site, parts });
  const partsOf = (documents: ReadonlyMap<string, unknown>) =>
    [...documents.keys()].filter((path) => /resourcelist-/.test(path));
  expect(partsOf(first.documents).length).toBeGreaterThan(20);

  const later = BEGIN_MS + 60_000;
  for (const url of [`${site.href}page-7`, `${site.href}page-77b`, `${site.href}a`, `${site.href}z`]) {
    const edited = new Map(pages).set(url, recordOf(url, 'other', later));
    const { written } = publishNow({ pages: edited, changes, before: first.next }, { site, parts });
    expect(partsOf(written).length).toBeGreaterThan(0);
    expect(partsOf(written).length).toBeLessThanOrEqual(pages.has(url) ? 1 : 2);
  }
});

function textsOf(documents: ReadonlyMap<string, Buffer>): Record<string, string> {
  return Object.fromEntries(Array.from(documents, ([path, bytes]) => [path, String(bytes)]));
}
