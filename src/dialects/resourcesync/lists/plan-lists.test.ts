import { expect, test } from 'vitest';
import type { Change } from '../../../model/change.ts';
import { changeListIndex, closedChangeList, openChangeList } from './change-lists.ts';
import { planLists } from './plan-lists.ts';

const site = new URL('https://docs.example/');

function change(seq: number, minute: number, facts: Partial<Change>): Change {
  return {
    seq,
    id: String(seq),
    source: 'docs',
    kind: 'page',
    action: 'update',
    url: `${site.href}p${seq}`,
    time: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
    provenance: {},
    ...facts,
  };
}

/** All entries of all lists as they are planned, and where each list begins. */
function listed(
  changes: readonly Change[],
  options: Parameters<typeof planLists>[2],
  before?: Parameters<typeof planLists>[1],
) {
  const plan = planLists(changes, before, options);
  const at = { site, changes, collections: plan.collections };
  const lists = plan.lists.map((each) => [
    ...each.firsts.slice(0, -1).map((_, index) => closedChangeList(each, index, at)),
    openChangeList(each, at),
  ]);
  return { plan, at, lists: lists.map((each) => each.map(({ document }) => document)) };
}

test('50,001 changes are a full list and an open one, also when they came together', () => {
  const changes = Array.from({ length: 50_001 }, (_, at) => change(at + 1, 0, { action: 'create' }));
  const { lists, plan, at } = listed(changes, { site, listBytes: 50 * 1024 * 1024 });
  expect(lists[0]?.map(({ entries }) => entries.length)).toEqual([50_000, 1]);
  expect(plan.marks).toEqual([{ describes: site.href, firsts: [1, 50_001] }]);
  const [each] = plan.lists;
  if (each === undefined) throw new Error('There is a list.');
  expect(changeListIndex(each, at).document.entries.map(({ md }) => md.until !== undefined)).toEqual([true, false]);
});

test('without a wish a list is closed at half a megabyte, since a publish writes the open one anew', () => {
  const changes = Array.from({ length: 6000 }, (_, at) => change(at + 1, 0, { action: 'create' }));
  const { lists } = listed(changes, { site });
  expect(lists[0]?.map(({ entries }) => entries.length > 1000)).toEqual([true, true]);
});

test('a page is told of once for each publish, by what happened to it as a whole; endpoints are not', () => {
  const { lists } = listed(
    [
      change(1, 0, { action: 'create', url: `${site.href}a`, title: 'A' }),
      change(2, 1, { url: `${site.href}a`, anchor: 'x y', title: 'A' }),
      change(3, 1, { url: `${site.href}b`, anchor: 'z', action: 'create' }),
      change(4, 1, { url: `${site.href}a`, anchor: 'w', title: 'A now' }),
      change(5, 1, { url: `${site.href}b`, action: 'delete' }),
      change(6, 1, { kind: 'endpoint', url: `${site.href}api` }),
    ],
    { site },
  );
  expect(lists[0]?.[0]?.entries).toEqual([
    {
      loc: `${site.href}a`,
      lastmod: Date.UTC(2026, 0, 1),
      md: { change: 'created', datetime: Date.UTC(2026, 0, 1), title: 'A' },
      links: [],
    },
    {
      loc: `${site.href}a`,
      lastmod: Date.UTC(2026, 0, 1, 0, 1),
      md: { change: 'updated', datetime: Date.UTC(2026, 0, 1, 0, 1), title: 'A now' },
      links: ['x%20y', 'w'].map((anchor) => ({ rel: 'section', href: `${site.href}a#${anchor}` })),
    },
    { loc: `${site.href}b`, md: { change: 'deleted', datetime: Date.UTC(2026, 0, 1, 0, 1) }, links: [] },
  ]);
});

test('what is split step by step is split as at once, and every change is in exactly one list', () => {
  const changes = Array.from({ length: 40 }, (_, at) =>
    change(at + 1, at >> 2, { url: `${site.href}${at % 3}/${at % 7}` }),
  );
  const options = { site, listEntries: 3, collections: [{ path: '/1/' }, { path: '/2/' }] };
  let marks: Parameters<typeof planLists>[1];
  for (let length = 4; length <= 40; length += 4) marks = planLists(changes.slice(0, length), marks, options).marks;
  const { plan, lists } = listed(changes, options);
  expect(marks).toEqual(plan.marks);
  const told = lists.flat().flatMap(({ entries }) => entries.map(({ loc, md }) => `${md.datetime} ${loc}`));
  const wanted = changes.map(({ time, url }) => `${Date.parse(time)} ${url}`);
  expect(told.toSorted()).toEqual([...new Set(wanted)].toSorted());
});

test.each([[[]], [[2, 3]], [[1, 1]], [[1, 99]]])('marks %j that no publish wrote are not believed', (firsts) => {
  const changes = [change(1, 0, {}), change(2, 1, {}), change(3, 2, {})];
  const { plan } = listed(changes, { site, listEntries: 2 }, [{ describes: site.href, firsts }]);
  expect(plan.marks).toEqual([{ describes: site.href, firsts: [1, 3] }]);
  expect(plan.lists[0]?.knownClosed).toBe(0);
});
