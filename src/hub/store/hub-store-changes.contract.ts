import { describe, expect, test } from 'vitest';
import type { ChangeDraft } from '../../model/change.ts';
import type { ChangeQuery } from './hub-store.ts';
import { all, draft, type HubStoreTrial, stateCommit, urlOf } from './hub-store-fixtures.contract.ts';

/** Changes as they are asked for, and the pages that they tell of. */
export function describeStoredChanges({ name, openNew }: HubStoreTrial): void {
  describe(`${name}: reading changes`, () => {
    test('of one source or of all, behind "after", at most "limit"', async () => {
      await using store = await openNew();
      const ids = ['a', 'b', 'b', 'c', 'ab', 'a', 'a'];
      for (let round = 0; round < 200; round += 1) {
        await store.commit({ source: 'a', drafts: ids.map((id) => draft(id)) });
      }
      const stored = await all(store);
      expect(stored).toHaveLength(1400);
      const queries: ChangeQuery[] = [
        {},
        { source: 'a' },
        { source: 'ab', after: 5 },
        { source: 'b', after: 3, limit: 301 },
        { source: 'a', after: 6, limit: 2 },
        { source: 'c', limit: 0 },
        { source: 'c', after: 1400 },
        { source: 'nobody' },
        { after: 700, limit: 3 },
      ];
      for (const query of queries) {
        const { source: id, after = 0, limit = stored.length } = query;
        const wanted = stored.filter((change) => change.seq > after && (id === undefined || change.source === id));
        expect(await all(store, query), JSON.stringify(query)).toEqual(wanted.slice(0, limit));
      }
      await expect(all(store, { source: 'a', limit: -1 })).rejects.toThrow(RangeError);
    });

    test('by id, the newest, and the newest first', async () => {
      await using store = await openNew();
      expect(await store.lastChange()).toBeUndefined();
      expect(await store.changeById('01ARZ3NDEKTSV4RRFFQ69G5FAV')).toBeUndefined();
      expect(await store.recentChanges(5)).toEqual([]);
      for (const size of [1, 5, 1, 6]) {
        await store.commit({ source: 'a', drafts: Array.from({ length: size }, () => draft('a')) });
      }
      const stored = await all(store);
      for (const change of stored) expect(await store.changeById(change.id)).toEqual(change);
      const between = `${stored[4]?.id.slice(0, -1)}~`;
      for (const id of ['', '0', 'zzz', between, `${stored[0]?.id}0`]) {
        expect(await store.changeById(id), id).toBeUndefined();
      }
      for (const change of stored) expect(await store.lastChangeUpTo(change.id)).toEqual(change);
      expect(await store.lastChangeUpTo('0')).toBeUndefined();
      expect(await store.lastChangeUpTo(`${stored[4]?.id}0`)).toEqual(stored[4]);
      expect(await store.lastChangeUpTo('zzz')).toEqual(stored.at(-1));
      const [one, , three] = stored;
      expect(await store.changesAt([3, 999, 1, 3, 0])).toEqual([three, one, three]);
      expect(await store.changesAt([])).toEqual([]);
      expect(await store.lastChange()).toEqual(stored.at(-1));
      expect(await store.recentChanges(3)).toEqual(stored.slice(-3).reverse());
      expect(await store.recentChanges(100)).toEqual(stored.toReversed());
      expect(await store.recentChanges(0)).toEqual([]);
    });

    test('of one source, the newest first', async () => {
      await using store = await openNew();
      for (const id of ['a', 'b', 'a', 'ab', 'a']) await store.commit({ source: id, drafts: [draft(id), draft(id)] });
      const ofA = (await all(store)).filter((change) => change.source === 'a').reverse();
      expect(await store.recentChanges(4, 'a')).toEqual(ofA.slice(0, 4));
      expect(await store.recentChanges(100, 'a')).toEqual(ofA);
      expect(await store.recentChanges(0, 'a')).toEqual([]);
      expect(await store.recentChanges(5, 'nobody')).toEqual([]);
    });

    test('the newest change of each source is known', async () => {
      await using store = await openNew();
      expect(await store.lastChangeIdOf('a')).toBeUndefined();
      for (const id of ['a', 'b', 'a', 'c']) await store.commit({ source: id, drafts: [draft(id), draft(id)] });
      const stored = await all(store);
      const newest = ['a', 'b', 'c'].map((id) => stored.findLast((change) => change.source === id)?.id);
      expect(await Promise.all(['a', 'b', 'c'].map((id) => store.lastChangeIdOf(id)))).toEqual(newest);
      expect(await store.lastChangeIdOf('nobody')).toBeUndefined();
    });
  });

  describe(`${name}: pages that feeds told of`, () => {
    test('a page is known under the source whose feed told of it, also where no event was handed on', async () => {
      await using store = await openNew();
      const by = (url: string, other: Partial<ChangeDraft> = {}) => ({
        ...draft('a'),
        url: urlOf(url),
        provenance: { by: 'd', originId: url },
        ...other,
      });
      const changes = [by('told'), by('api', { kind: 'endpoint' }), by('found', { provenance: { by: 'compare' } })];
      const items = [{ key: 'k', page: urlOf('known'), version: '1', isRemoved: false }];
      await store.followStateOf('a').commit(stateCommit({ changes, items }));
      const told = async (source: string, path: string) => [path, await store.hasTold(source, urlOf(path))];
      expect(await Promise.all(['told', 'known', 'api', 'found', 'other'].map((path) => told('a', path)))).toEqual([
        ['told', true],
        ['known', true],
        ['api', false],
        ['found', false],
        ['other', false],
      ]);
      expect(await told('b', 'told')).toEqual(['told', false]);
    });
  });
}
