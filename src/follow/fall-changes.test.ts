import { describe, expect, test } from 'vitest';
import type { Change } from '../model/change.ts';
import { changesAtFall as found, type TakenPage } from './fall-changes.ts';
import { ToldSite } from './told-site.ts';

const changesAtFall = (...given: Parameters<typeof found>) => found(...given).changes;
const url = (name: string) => `https://site.example/${name}`;

function page(name: string, facts: Partial<TakenPage> = {}): TakenPage {
  return {
    url: url(name),
    title: name,
    checksum: `${name}-1`,
    sections: [{ anchor: 's', checksum: `${name}-s-1` }],
    ...facts,
  };
}

function toldSite(...changes: readonly (Partial<Change> & { readonly url: string })[]): ToldSite {
  const told = new ToldSite();
  for (const change of changes) told.add({ kind: 'page', action: 'create', time: '2026-03-01T10:00:00Z', ...change });
  return told;
}

const TOLD_MS = Date.parse('2026-03-01T10:00:00Z');
const GOOD_MS = TOLD_MS + 60_000;
const pageOf = (name: string, checksum = `${name}-1`) => ({ url: url(name), checksum });

describe('a publisher whose checksums are ours', () => {
  const told = () => toldSite(pageOf('a'), pageOf('b'), pageOf('c'));

  test('nothing is told of pages that are as they were told', () => {
    expect(changesAtFall([page('a'), page('b'), page('c')], told(), GOOD_MS)).toEqual([]);
  });

  test('a page that differs is told', () => {
    const pages = [page('a'), page('b'), page('c', { checksum: 'c-2' })];
    expect(changesAtFall(pages, told(), GOOD_MS)).toEqual([
      { action: 'update', url: url('c'), title: 'c', checksum: 'c-2' },
    ]);
  });

  test('of a page whose sections were told, the section that differs', () => {
    const site = told();
    site.add({
      kind: 'page',
      action: 'update',
      url: url('c'),
      anchor: 's',
      checksum: 'c-s-0',
      time: '2026-03-01T10:00:30Z',
    });
    expect(changesAtFall([page('a'), page('b'), page('c')], site, GOOD_MS)).toEqual([
      { action: 'update', url: url('c'), title: 'c', anchor: 's', checksum: 'c-s-1' },
    ]);
    const without = changesAtFall([page('a'), page('b'), page('c', { sections: [] })], site, GOOD_MS);
    expect(without, 'a section that is no more is a change of its page').toMatchObject([
      { url: url('c'), checksum: 'c-1' },
    ]);
  });

  test('what was told by the pages themselves counts, so that a second fall tells it no more', () => {
    const site = told();
    site.add({ kind: 'page', action: 'update', url: url('c'), checksum: 'c-2', time: '2026-03-01T10:02:00Z' });
    expect(changesAtFall([page('a'), page('b'), page('c', { checksum: 'c-2' })], site, GOOD_MS)).toEqual([]);
  });

  test('a page that was never told is new, and one that was told as gone is back', () => {
    const site = toldSite(pageOf('a'), pageOf('b'), pageOf('c'), { url: url('c'), action: 'delete' });
    const found = changesAtFall([page('a'), page('b'), page('c'), page('d')], site, GOOD_MS);
    expect(found.map(({ action, url: of }) => [action, of])).toEqual([
      ['create', url('c')],
      ['create', url('d')],
    ]);
    const old = changesAtFall([page('a'), page('b'), page('d', { dateMs: TOLD_MS })], site, GOOD_MS);
    expect(old, 'one that says itself that it is old').toEqual([]);
  });
});

test('what a feed tells late does not hide what the pages have shown since', () => {
  const told = toldSite(pageOf('a'), pageOf('b'), pageOf('c'));
  const section = { kind: 'page', action: 'update', url: url('c'), anchor: 's' } as const;
  told.add({ ...section, checksum: 'c-s-1', time: '2026-03-01T10:05:00Z', provenance: { by: 'compare' } });
  told.add({ ...section, checksum: 'c-s-0', time: '2026-03-01T10:06:00Z', claimedTime: '2026-03-01T10:01:00Z' });
  expect(changesAtFall([page('a'), page('b'), page('c')], told, GOOD_MS)).toEqual([]);
  told.add({ ...section, checksum: 'c-s-2', time: '2026-03-01T10:08:00Z', claimedTime: '2026-03-01T10:07:00Z' });
  expect(changesAtFall([page('a'), page('b'), page('c')], told, GOOD_MS)).toMatchObject([{ anchor: 's' }]);
});

describe('a publisher with other checksums, or none', () => {
  const told = () => toldSite(pageOf('a', 'x'), pageOf('b', 'y'), { url: url('c') });

  test('only a page that says itself that it was edited since is told', () => {
    const pages = [page('a'), page('b', { dateMs: GOOD_MS - 1 }), page('c', { dateMs: GOOD_MS + 1 })];
    expect(changesAtFall(pages, told(), GOOD_MS)).toEqual([
      { action: 'update', url: url('c'), title: 'c', checksum: 'c-1', note: 're-read' },
    ]);
  });

  test('not twice', () => {
    const site = told();
    site.add({ kind: 'page', action: 'update', url: url('c'), time: new Date(GOOD_MS + 5000).toISOString() });
    expect(changesAtFall([page('a'), page('b'), page('c', { dateMs: GOOD_MS + 1 })], site, GOOD_MS)).toEqual([]);
  });

  test('dates of a build say nothing', () => {
    const names = Array.from({ length: 20 }, (_, index) => `p${index}`);
    const site = toldSite(...names.map((name) => ({ url: url(name) })));
    expect(
      changesAtFall(
        names.map((name) => page(name, { dateMs: GOOD_MS + 1 })),
        site,
        GOOD_MS,
      ),
    ).toEqual([]);
  });

  test('pages that a feed of the newest never told are only old', () => {
    const site = toldSite({ url: url('a') });
    expect(changesAtFall([page('a'), page('b'), page('c')], site, GOOD_MS)).toEqual([]);
  });
});

test('checksums that the log does not reach back to are known from the state', () => {
  const told = toldSite(pageOf('a'));
  told.addChecksums(
    new Map([
      [url('a'), new Map([[url('a'), 'old']])],
      [url('b'), new Map([[url('b'), 'b-1']])],
    ]),
  );
  expect(changesAtFall([page('a'), page('b', { checksum: 'b-2' })], told, GOOD_MS)).toMatchObject([{ url: url('b') }]);
});
