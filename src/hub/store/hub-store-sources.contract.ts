import { describe, expect, test } from 'vitest';
import type { CheckWord, WatchedSource } from './hub-store.ts';
import {
  all,
  check,
  expectForgotten,
  fill,
  type HubStoreTrial,
  health,
  NOON,
  page,
  remembered,
  source,
} from './hub-store-fixtures.contract.ts';

/** Sources, their checks, and facts by name. */
export function describeStoredSources({ name, makePlace, openNew }: HubStoreTrial): void {
  describe(`${name}: sources`, () => {
    test('what is put is there again, in order of id, and a second put replaces the first', async () => {
      const place = await makePlace();
      const full: WatchedSource = {
        config: { id: 'b', kind: 'page', urls: ['https://b.example/ü'], title: 'A\u0000B\u2028"', intervalSeconds: 60 },
        origin: 'config',
        addedAtMs: NOON,
        paused: 'too\u0000loud',
        allowDeletes: true,
        dropped: true,
        health: {
          ...health(1),
          unread: 3,
          error: { code: 'DnsError', httpStatus: 503, message: '\u0000' },
          fallback: 0,
        },
      };
      {
        await using store = await place.open();
        expect(await store.sources()).toEqual([]);
        await store.putSources([{ ...source('b'), paused: 'before' }]);
        await store.putSources([full]);
        await store.putSources([{ ...source('a'), paused: 'before' }]);
        await store.putSources([source('a')]);
      }
      await using store = await place.open();
      expect(await store.sources()).toEqual([source('a'), full]);
    });

    test('a removed source leaves its changes and nothing else', async () => {
      await using store = await openNew();
      await fill(store, 'a');
      await fill(store, 'b');
      const [{ pages: pagesOfB }, statesOfB] = [await store.pagesOf('b'), await remembered(store, 'b')];
      await store.removeSource('a');
      await store.removeSource('never_there');
      await expectForgotten(store, 'a');
      expect((await all(store, { source: 'a' })).length).toBe(2);
      expect((await store.sources()).map(({ config }) => config.id)).toEqual(['b']);
      expect((await store.pagesOf('b')).pages).toEqual(pagesOfB);
      expect(await remembered(store, 'b')).toEqual(statesOfB);
      expect(await store.checksOf('b', 9)).toHaveLength(1);
    });

    test('a source that is added again begins anew, also when a visit outlived the old one', async () => {
      await using store = await openNew();
      await fill(store, 'a');
      await store.removeSource('a');
      await store.commit({ source: 'a', drafts: [], pages: { put: [page('late')], remove: [] } });
      await store.putSources([source('a')]);
      await expectForgotten(store, 'a');
    });
  });

  describe(`${name}: checks`, () => {
    test('a check is kept with the health behind it, of many sources at once, and nothing of a source that is gone', async () => {
      const place = await makePlace();
      {
        await using store = await place.open();
        await store.putSources([source('a')]);
        await store.putSources([source('b')]);
        await store.recordChecks([check('a', 1), check('gone', 2), check('b', 3)]);
        await store.recordChecks([]);
      }
      await using store = await place.open();
      expect(await store.sources()).toEqual([
        { ...source('a'), health: health(1) },
        { ...source('b'), health: health(3) },
      ]);
      expect(await store.checksOf('a', 10)).toEqual([check('a', 1).check]);
      expect(await store.checksOf('gone', 10)).toEqual([]);
    });

    test('the newest 500 of each source are kept, newest first', async () => {
      await using store = await openNew();
      await store.putSources([source('a')]);
      await store.putSources([source('b')]);
      const numbers = Array.from({ length: 1203 }, (_, index) => index);
      for (const half of [numbers.slice(0, 499), numbers.slice(499)]) {
        await store.recordChecks(half.map((number) => check('a', number)));
      }
      await store.putSources([{ ...source('a'), paused: 'a replaced source keeps its checks' }]);
      await store.recordChecks([check('b', 7), check('a', 1203)]);
      const kept = await store.checksOf('a', 1000);
      expect(kept.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 500 }, (_, index) => 1203 - index));
      expect(await store.checksOf('a', 2)).toEqual(kept.slice(0, 2));
      expect(await store.checksOf('b', 1000)).toEqual([check('b', 7).check]);
    });

    test.each<[CheckWord, true | undefined]>([
      ['ok', undefined],
      ['fallback', undefined],
      ['error', true],
    ])('after an outcome "%s", allowDeletes is %s', async (outcome, allowed) => {
      await using store = await openNew();
      await store.putSources([{ ...source('a'), allowDeletes: true }]);
      await store.putSources([{ ...source('b'), allowDeletes: true }]);
      await store.recordChecks([check('a', 1, outcome)]);
      expect((await store.sources()).map(({ allowDeletes }) => allowDeletes)).toEqual([allowed, true]);
    });
  });

  test(`${name}: facts are kept by name`, async () => {
    const place = await makePlace();
    {
      await using store = await place.open();
      expect(await store.fact('token')).toBeUndefined();
      await store.putFact('token', 'first');
      await store.putFact('token', 'a\u0000b');
      await store.putFact('empty', '');
    }
    await using store = await place.open();
    expect(await store.fact('token')).toBe('a\u0000b');
    expect(await store.fact('empty')).toBe('');
  });
}
