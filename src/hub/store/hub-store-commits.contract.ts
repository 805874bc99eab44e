import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LogLockedError } from '../../errors/log-error.ts';
import type { StateCommit } from '../../follow/follow-state.ts';
import { expectInOrder } from '../../log/expect-in-order.contract.ts';
import type { Change } from '../../model/change.ts';
import type { PageState } from './hub-store.ts';
import {
  all,
  draft,
  ENTRY,
  type HubStoreTrial,
  NOBODY,
  NOON,
  nameOf,
  page,
  stateCommit,
  urlOf,
} from './hub-store-fixtures.contract.ts';

/** What is stored together, or not at all. */
export function describeCommits({ name, makePlace, openNew }: HubStoreTrial): void {
  describe(`${name}: commits`, () => {
    test('changes, pages and snapshots are stored together and found after opening again', async () => {
      const place = await makePlace();
      const texts = ['', 'a\u0000b 😀\n', 'word '.repeat(50_000)];
      const snapshots = new Map(texts.map((text) => [nameOf(text), text]));
      const [first, second] = [
        page('1', nameOf('')),
        { ...page('2'), missingSinceMs: 1_790_000_000_123, movedTo: urlOf('1') },
      ];
      let changes: readonly Change[] = [];
      {
        await using store = await place.open();
        const pages = {
          put: [{ ...page('1'), missingSinceMs: 5 }, second, page('3')],
          remove: [],
          foundBy: 'links',
        } as const;
        changes = await store.commit({ source: 'a', drafts: [draft('a'), draft('a')], pages, snapshots });
        await store.commit({ source: 'a', drafts: [], pages: { put: [first], remove: [urlOf('3'), urlOf('4')] } });
        await store.commit({ source: 'b', drafts: [], pages: { put: [page('9')], remove: [urlOf('1')] } });
      }
      await using store = await place.open();
      expect(changes.map(({ seq }) => seq)).toEqual([1, 2]);
      expect(await all(store)).toEqual(changes);
      const { pages, foundBy } = await store.pagesOf('a');
      expect(foundBy).toBe('links');
      expect(Object.fromEntries(pages)).toEqual({ [urlOf('1')]: first, [urlOf('2')]: second });
      expect(await store.pageOf('a', urlOf('1'))).toEqual(first);
      expect(await store.pageOf('a', urlOf('9'))).toBeUndefined();
      const { movedTo: _, ...unmoved } = second;
      expect(await store.pagesBehind('a', '', 5)).toEqual([first, unmoved]);
      expect(await store.pagesBehind('a', '', 1)).toEqual([first]);
      expect(await store.pagesBehind('a', urlOf('1'), 5)).toEqual([unmoved]);
      expect(await store.pagesBehind('nobody', '', 5)).toEqual([]);
      expect(await store.pagesOf('nobody')).toEqual({ pages: new Map() });
      for (const text of texts) expect(await store.snapshot(nameOf(text))).toBe(text);
      expect(await store.snapshot(NOBODY)).toBeUndefined();
    });

    test('a commit of many pages is one run that nobody sees a part of, and others have their turn meanwhile', async () => {
      const place = await makePlace();
      let [turns, isDone] = [0, false];
      const put = Array.from({ length: 1100 }, (_, at) => page(String(at)));
      {
        await using store = await place.open();
        const [first] = await store.commit({ source: 'a', drafts: [draft('a')] });
        const heard: number[] = [];
        store.onChanges((changes) => heard.push(changes.length));
        const drafts = put.map(({ record: { url } }) => ({ ...draft('a'), url }));
        const many = store.commit({ source: 'a', drafts, pages: { put, remove: [], foundBy: 'links' } });
        await new Promise((resolve) => setImmediate(resolve));
        const beside = store.followStateOf('b').commit(stateCommit({ changes: [draft('b')] }));
        void many.finally(() => {
          isDone = true;
        });
        const facts: Promise<void>[] = [];
        for (; !isDone; turns += 1) {
          await new Promise((resolve) => setImmediate(resolve));
          facts.push(store.putFact('turn', String(turns)));
          const { length } = await all(store);
          const last = await store.lastChange();
          if (isDone) break;
          expect([length, last, await store.lastChangeIdOf('a')]).toEqual([1, first, first?.id]);
          expect(await store.recentChanges(5)).toEqual([first]);
        }
        await Promise.all([beside, ...facts]);
        const changes = await many;
        expect(new Set(changes.map(({ time }) => time)).size).toBe(1);
        expect(changes.map(({ seq }) => seq)).toEqual(put.map((_, at) => at + 2));
        expect(heard).toEqual([1100, 1]);
        expect(turns).toBeGreaterThan(2);
        expectInOrder(await all(store));
      }
      await using store = await place.open();
      expect((await all(store)).map(({ source }) => source)).toEqual(['a', ...put.map(() => 'a'), 'b']);
      const { pages, foundBy } = await store.pagesOf('a');
      expect(pages).toEqual(new Map(put.map((state) => [state.record.url, state])));
      expect(foundBy).toBe('links');
    });

    test('of a commit with a draft that is refused nothing is kept, and nobody hears of it', async () => {
      await using store = await openNew();
      const heard: Change[] = [];
      store.onChanges((changes) => heard.push(...changes));
      const refused = { ...draft('a'), url: 'nowhere' };
      await expect(
        store.commit({
          source: 'a',
          drafts: [draft('a'), refused],
          pages: { put: [page('1')], remove: [], foundBy: 'sitemaps' },
          snapshots: new Map([[nameOf('x'), 'x']]),
        }),
      ).rejects.toThrow(expect.objectContaining({ name: 'InvalidChangeError' }));
      const state = store.followStateOf('a');
      await expect(state.commit(stateCommit({ seenIds: ['1'], changes: [refused] }))).rejects.toThrow(
        expect.objectContaining({ name: 'InvalidChangeError' }),
      );
      expect(await store.pagesOf('a')).toEqual({ pages: new Map() });
      expect(await store.snapshot(nameOf('x'))).toBeUndefined();
      expect(await state.find(ENTRY)).toBeUndefined();
      expect(await state.seenAmong('a', ['1'])).toEqual(new Set());
      expect(await all(store)).toEqual([]);
      expect(heard).toEqual([]);
      expect(await store.commit({ source: 'a', drafts: [draft('a')] })).toMatchObject([{ seq: 1 }]);
    });

    test('a failure behind the log leaves no change either, and the next commit takes its place', async () => {
      await using store = await openNew();
      const heard: Change[] = [];
      store.onChanges((changes) => heard.push(...changes));
      const broken = { ...page('2'), record: { ...page('2').record, line: undefined } } as unknown as PageState;
      const pages = { put: [page('1'), broken], remove: [] };
      await expect(store.commit({ source: 'a', drafts: [draft('a')], pages })).rejects.toThrow();
      const pending = [{ event: { id: undefined }, tries: 1, reason: 'r' }] as unknown as StateCommit['pending'];
      const state = store.followStateOf('a');
      await expect(state.commit(stateCommit({ changes: [draft('a')], pending }))).rejects.toThrow();
      expect(await all(store)).toEqual([]);
      expect(await store.pagesOf('a')).toEqual({ pages: new Map() });
      expect(await state.find(ENTRY)).toBeUndefined();
      const [change] = await store.commit({ source: 'a', drafts: [draft('a')] });
      expect(change?.seq).toBe(1);
      expect(heard).toEqual([change]);
    });

    test('what was committed before the close is stored, also when nobody waited for it', async () => {
      const place = await makePlace();
      const store = await place.open();
      const long = 'a long text '.repeat(100_000);
      const commits = [new Map([[nameOf(long), long]]), new Map<string, string>()].map((snapshots) =>
        store.commit({ source: 'a', drafts: [draft('a')], snapshots }),
      );
      await store[Symbol.asyncDispose]();
      const acked = (await Promise.all(commits)).flat().toSorted((one, other) => one.seq - other.seq);
      await using again = await place.open();
      expect(await all(again)).toEqual(acked);
      expect(await again.snapshot(nameOf(long))).toBe(long);
    });

    test('listeners hear each change once, in order, before the commit resolves, those of feeds too', async () => {
      await using store = await openNew();
      const heard: number[][] = [];
      store.onChanges((changes) => heard.push(changes.map(({ seq }) => seq)));
      store.onChanges((changes) => expect(changes.length).toBeGreaterThan(0));
      await store.commit({ source: 'a', drafts: [draft('a'), draft('a')] });
      expect(heard).toEqual([[1, 2]]);
      await store.followStateOf('b').commit(stateCommit({ changes: [draft('b')] }));
      expect(heard).toEqual([[1, 2], [3]]);
      await store.commit({ source: 'a', drafts: [], pages: { put: [page('1')], remove: [] } });
      const beside = [1, 2, 3].map(() => store.commit({ source: 'a', drafts: [draft('a')] }));
      await Promise.all([...beside, store.followStateOf('b').commit(stateCommit({ changes: [draft('b')] }))]);
      expect(heard.flat()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    });

    test('ids rise and time never goes back, over clock steps, visits, feeds and opening again', async () => {
      const step = fc.record({
        clockStepMs: fc.integer({ min: -10_000_000, max: 10_000_000 }),
        by: fc.constantFrom('visit', 'feed'),
        size: fc.integer({ min: 0, max: 3 }),
        reopen: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
          const place = await makePlace();
          let nowMs = NOON;
          let store = await place.open({ now: () => nowMs });
          let wanted = 0;
          for (const { clockStepMs, by, size, reopen } of steps) {
            nowMs += clockStepMs;
            wanted += size;
            const drafts = Array.from({ length: size }, () => draft('a'));
            if (by === 'visit') await store.commit({ source: 'a', drafts });
            else await store.followStateOf('a').commit(stateCommit({ changes: drafts }));
            if (!reopen) continue;
            await store[Symbol.asyncDispose]();
            store = await place.open({ now: () => nowMs });
          }
          const changes = await all(store);
          await store[Symbol.asyncDispose]();
          expect(changes).toHaveLength(wanted);
          expectInOrder(changes);
        }),
        { numRuns: 20 },
      );
    });

    test('a second writer is turned away while the first one is open', async () => {
      const place = await makePlace();
      const first = await place.open();
      await expect(place.open()).rejects.toThrow(LogLockedError);
      await first.commit({ source: 'a', drafts: [draft('a')] });
      await first[Symbol.asyncDispose]();
      await using second = await place.open();
      expect(await second.lastChange()).toMatchObject({ seq: 1 });
    });
  });
}
