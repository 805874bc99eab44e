import { describe, expect, test } from 'vitest';
import type { ChangeDraft } from '../../model/change.ts';
import type { ChangeQuery, PageState, SourceCheck } from './hub-store.ts';
import {
  DAY,
  draft,
  type HubStoreTrial,
  health,
  NOON,
  nameOf,
  page,
  source,
  urlOf,
} from './hub-store-fixtures.contract.ts';

/** What a store may let go: texts that nobody uses, the beginning of its log, old checks. */
export function describeKeeping({ name, makePlace, openNew, hasOwnClock = false }: HubStoreTrial): void {
  const timedTest = test.skipIf(hasOwnClock);
  describe(`${name}: snapshots`, () => {
    timedTest('those are dropped that no page has and no change of late names', async () => {
      let nowMs = NOON;
      await using store = await openNew({ now: () => nowMs });
      const put = async (...texts: string[]) => {
        const snapshots = new Map(texts.map((text) => [nameOf(text), text]));
        await store.commit({ source: 'a', drafts: [], snapshots });
      };
      const kept = async () => {
        const names = ['paged', 'before', 'after', 'again', 'old', 'replaced'];
        const found = await Promise.all(names.map((text) => store.snapshot(nameOf(text))));
        return found.filter((text) => text !== undefined);
      };
      await put('paged', 'before', 'after', 'again', 'old', 'replaced');
      const pages = (...put: PageState[]) => ({ source: 'a', drafts: [], pages: { put, remove: [] } });
      await store.commit(pages(page('1', nameOf('paged')), page('2', nameOf('replaced'))));
      nowMs += DAY;
      await put('again');
      const provenance = { by: 'compare', before: nameOf('before'), after: nameOf('after') };
      await store.commit({ source: 'a', drafts: [{ ...draft('a'), provenance }] });
      expect(await store.dropSnapshots(NOON)).toBe(0);
      expect(await store.dropSnapshots(NOON + 2)).toBe(1);
      expect(await kept()).toEqual(['paged', 'before', 'after', 'again', 'replaced']);
      nowMs += DAY;
      await store.commit(pages(page('2')));
      expect(await store.dropSnapshots(NOON + 10 * DAY)).toBe(4);
      expect(await kept()).toEqual(['paged']);
    });

    timedTest('a use counts from the time of the change when the clock steps back', async () => {
      let nowMs = NOON;
      await using store = await openNew({ now: () => nowMs });
      await store.commit({ source: 'a', drafts: [draft('a')] });
      nowMs -= 5 * DAY;
      const provenance = { after: nameOf('x') };
      const drafts = [{ ...draft('a'), provenance }];
      await store.commit({ source: 'a', drafts, snapshots: new Map([[nameOf('x'), 'x']]) });
      expect(await store.dropSnapshots(NOON)).toBe(0);
      nowMs -= 5 * DAY;
      await store.commit({ source: 'a', drafts: [], snapshots: new Map([[nameOf('x'), 'x']]) });
      expect(await store.dropSnapshots(NOON)).toBe(0);
      expect(await store.dropSnapshots(NOON + 2)).toBe(1);
    });

    timedTest(
      'each edition of a page is found as it was, and stays for as long as the page has it, whatever is dropped before it',
      async () => {
        let nowMs = NOON;
        await using store = await openNew({ now: () => nowMs });
        const lines = Array.from({ length: 80 }, (_, at) => `Line ${at} of a page that is edited a little at a time.`);
        const editions = Array.from({ length: 6 }, (_, at) => lines.with(at * 9, `Edition ${at} ü.`).join('\n'));
        // The last edition is the second one again.
        const told = [...editions, editions[1] ?? ''];
        for (const [at, text] of told.entries()) {
          nowMs += DAY;
          const former = told[at - 1];
          const provenance = { ...(former !== undefined && { before: nameOf(former) }), after: nameOf(text) };
          await store.commit({
            source: 'a',
            drafts: [{ ...draft('a'), provenance }],
            pages: { put: [page('1', nameOf(text))], remove: [] },
            snapshots: new Map([[nameOf(text), text]]),
          });
        }
        const found = async () => Promise.all(editions.map((text) => store.snapshot(nameOf(text))));
        expect(await found()).toEqual(editions);
        await store.dropSnapshots(nowMs - DAY);
        expect((await found()).slice(2)).toEqual([undefined, undefined, editions[4], editions[5]]);
        await store.dropSnapshots(nowMs + 1);
        const held = await found();
        expect(held[1]).toBe(editions[1]);
        expect(held[5]).toBeUndefined();
        await store.commit({ source: 'a', drafts: [], pages: { put: [], remove: [urlOf('1')] } });
        await store.dropSnapshots(nowMs + DAY);
        expect(await found()).toEqual(editions.map(() => undefined));
      },
    );

    timedTest('a page that had it counts as a use', async () => {
      let nowMs = NOON;
      await using store = await openNew({ now: () => nowMs });
      await store.commit({ source: 'a', drafts: [], snapshots: new Map([[nameOf('x'), 'x']]) });
      nowMs += DAY;
      await store.commit({ source: 'a', drafts: [], pages: { put: [page('1', nameOf('x'))], remove: [] } });
      await store.commit({ source: 'a', drafts: [], pages: { put: [], remove: [urlOf('1')] } });
      expect(await store.dropSnapshots(NOON + DAY)).toBe(0);
      expect(await store.dropSnapshots(NOON + DAY + 1)).toBe(1);
    });
  });

  describe(`${name}: what need not be kept`, () => {
    const page = (number: number): ChangeDraft => ({
      source: number % 2 === 0 ? 'a' : 'b',
      action: 'update',
      url: `https://a.example/${number}`,
    });

    timedTest(
      'a cut log begins behind the cut, also for who asks from the start, and goes on with its numbers',
      async () => {
        const place = await makePlace();
        let nowMs = NOON;
        const ids: string[] = [];
        {
          await using store = await place.open({ now: () => nowMs });
          expect(store.logStart()).toBeUndefined();
          for (let number = 1; number <= 6; number += 1) {
            nowMs = NOON + number * DAY;
            const [change] = await store.commit({ source: 'a', drafts: [page(number)] });
            ids.push(change?.id ?? '');
          }
          expect(await store.seqBefore(NOON)).toBe(0);
          expect(await store.seqBefore(NOON + 4 * DAY)).toBe(3);
          expect(await store.seqBefore(NOON + 100 * DAY)).toBe(6);
          await store.cutLog(3);
          expect(store.logStart()).toEqual({ seq: 3, id: ids[2] });
        }
        await using store = await place.open({ now: () => nowMs });
        expect(store.logStart()).toEqual({ seq: 3, id: ids[2] });
        const seqs = async (query: ChangeQuery) => {
          const found: number[] = [];
          for await (const { seq } of store.changes(query)) found.push(seq);
          return found;
        };
        expect(await seqs({})).toEqual([4, 5, 6]);
        expect(await seqs({ after: 1, source: 'a' })).toEqual([4, 6]);
        expect((await store.recentChanges(9, 'a')).map(({ seq }) => seq)).toEqual([6, 4]);
        expect(await store.changeById(ids[1] ?? '')).toBeUndefined();
        expect(await store.changeById(ids[3] ?? '')).toMatchObject({ seq: 4 });
        expect(await store.lastChangeUpTo(ids[2] ?? '')).toBeUndefined();
        await store.cutLog(2);
        expect(store.logStart(), 'it is not cut backwards').toMatchObject({ seq: 3 });
        const [next] = await store.commit({ source: 'a', drafts: [page(7)] });
        expect(next?.seq).toBe(7);
        await store.cutLog(5);
        expect(store.logStart()).toMatchObject({ seq: 5 });
        expect(await seqs({})).toEqual([6, 7]);
      },
    );

    test('so many bytes of the log are reckoned from its newest changes', async () => {
      await using store = await openNew();
      expect(await store.seqBeyond(1000)).toBe(0);
      await store.commit({ source: 'a', drafts: Array.from({ length: 100 }, (_, number) => page(number)) });
      expect(await store.seqBeyond(1_000_000)).toBe(0);
      const beyond = await store.seqBeyond(10_000);
      expect(beyond).toBeGreaterThan(20);
      expect(beyond).toBeLessThan(98);
    });

    test('old checks are dropped, young ones stay', async () => {
      await using store = await openNew();
      await store.putSources([source('a'), source('b')]);
      const checkOf = (id: string, atMs: number): SourceCheck => ({
        check: { source: id, atMs, tookMs: 1, outcome: 'ok', changes: 0 },
        health: health(1),
      });
      await store.recordChecks([checkOf('a', NOON), checkOf('a', NOON + DAY), checkOf('b', NOON)]);
      await store.dropChecks(NOON + 1);
      expect((await store.checksOf('a', 10)).map(({ atMs }) => atMs)).toEqual([NOON + DAY]);
      expect(await store.checksOf('b', 10)).toEqual([]);
    });

    test('checks that do not fit are told by when they were made', async () => {
      await using store = await openNew();
      await store.putSources([source('a'), source('b')]);
      const checkOf = (id: string, atMs: number): SourceCheck => ({
        check: { source: id, atMs, tookMs: 1, outcome: 'ok', changes: 0 },
        health: health(1),
      });
      const days = [0, 1, 2, 3].flatMap((day) => ['a', 'b'].map((id) => checkOf(id, NOON + day * DAY)));
      await store.recordChecks(days);
      expect(await store.checksBeyond(1_000_000)).toBe(0);
      await store.dropChecks(await store.checksBeyond(500));
      const kept = (await store.checksOf('a', 10)).map(({ atMs }) => atMs);
      expect(kept.length).toBeLessThan(4);
      expect(kept[0]).toBe(NOON + 3 * DAY);
      expect((await store.checksOf('b', 10)).map(({ atMs }) => atMs)).toEqual(kept);
      await store.dropChecks(await store.checksBeyond(0));
      expect(await store.checksOf('a', 10)).toEqual([]);
    });

    timedTest('snapshots that do not fit are told by when they were last used', async () => {
      let nowMs = NOON;
      await using store = await openNew({ now: () => nowMs });
      for (const letter of ['x', 'y', 'z']) {
        nowMs += DAY;
        const text = letter.repeat(100);
        await store.commit({ source: 'a', drafts: [], snapshots: new Map([[`sha256:${letter}`, text]]) });
      }
      expect(await store.snapshotsBeyond(300)).toBe(0);
      await store.dropSnapshots(await store.snapshotsBeyond(200));
      expect(await store.snapshot('sha256:x')).toBeUndefined();
      expect(await store.snapshot('sha256:y')).toBeDefined();
    });
  });
}
