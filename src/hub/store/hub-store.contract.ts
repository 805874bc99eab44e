import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LogLockedError } from '../../errors/log-error.ts';
import { describeFollowState } from '../../follow/follow-state.contract.ts';
import type { FollowState, StateCommit } from '../../follow/follow-state.ts';
import type { Change, ChangeDraft } from '../../model/change.ts';
import type {
  ChangeQuery,
  CheckWord,
  HubStore,
  PageState,
  SourceCheck,
  SourceHealth,
  WatchedSource,
} from './hub-store.ts';

export interface HubStoreWorld {
  readonly now: () => number;
}

/** One place where a hub can live. Opening it again finds what was stored there. */
export interface HubStorePlace {
  open(world?: HubStoreWorld): Promise<HubStore>;
}

const NOON = Date.parse('2026-03-01T12:00:00Z');
const DAY = 86_400_000;
const NOBODY = 'sha256:0';

/** What every {@link HubStore} promises. `makePlace` gives a new, empty place each time. */
export function describeHubStore(name: string, makePlace: () => Promise<HubStorePlace>): void {
  const openNew = async (world?: HubStoreWorld) => (await makePlace()).open(world);

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

  describe(`${name}: commits`, () => {
    test('changes, pages and snapshots are stored together and found after opening again', async () => {
      const place = await makePlace();
      const texts = ['', 'a\u0000b 😀\n', 'word '.repeat(50_000)];
      const snapshots = new Map(texts.map((text) => [nameOf(text), text]));
      const [first, second] = [page('1', nameOf('')), { ...page('2'), missingSinceMs: 1_790_000_000_123 }];
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
      expect(await store.pagesOf('nobody')).toEqual({ pages: new Map() });
      for (const text of texts) expect(await store.snapshot(nameOf(text))).toBe(text);
      expect(await store.snapshot(NOBODY)).toBeUndefined();
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
      expect(await store.lastChange()).toEqual(stored.at(-1));
      expect(await store.recentChanges(3)).toEqual(stored.slice(-3).reverse());
      expect(await store.recentChanges(100)).toEqual(stored.toReversed());
      expect(await store.recentChanges(0)).toEqual([]);
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

  describe(`${name}: snapshots`, () => {
    test('those are dropped that no page has and no change of late names', async () => {
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

    test('a use counts from the time of the change when the clock steps back', async () => {
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

    test('a page that had it counts as a use', async () => {
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

  describe(`${name}: what need not be kept`, () => {
    const page = (number: number): ChangeDraft => ({
      source: number % 2 === 0 ? 'a' : 'b',
      action: 'update',
      url: `https://a.example/${number}`,
    });

    test('a cut log begins behind the cut, also for who asks from the start, and goes on with its numbers', async () => {
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
      expect(await store.changeById(ids[1] ?? '')).toBeUndefined();
      expect(await store.changeById(ids[3] ?? '')).toMatchObject({ seq: 4 });
      await store.cutLog(2);
      expect(store.logStart(), 'it is not cut backwards').toMatchObject({ seq: 3 });
      const [next] = await store.commit({ source: 'a', drafts: [page(7)] });
      expect(next?.seq).toBe(7);
      await store.cutLog(5);
      expect(store.logStart()).toMatchObject({ seq: 5 });
      expect(await seqs({})).toEqual([6, 7]);
    });

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

    test('snapshots that do not fit are told by when they were last used', async () => {
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

  describe(`${name}: what readers of feeds remember`, () => {
    describeFollowState('for each source', async () => asOneState(await openNew()));

    test('two sources that read the same feed know nothing of each other', async () => {
      const place = await makePlace();
      {
        await using store = await place.open();
        const [a, b] = [store.followStateOf('a'), store.followStateOf('b')];
        const pending = [{ event: { ...EVENT, id: '2' }, tries: 1, reason: 'reset' }];
        const checksums = [{ page: EVENT.url, boundary: EVENT.url, checksum: 'c' }];
        await a.commit(stateCommit({ seenIds: ['1'], pending, checksums, items: ITEMS, changes: [draft('a')] }));
        expect(await remembered(store, 'b')).toEqual(await remembered(store, 'nobody'));
        await b.commit({
          ...stateCommit({ seenIds: ['1'] }),
          state: { source: 'b', entry: ENTRY, dialect: 'd', memory: '9' },
        });
        await a[Symbol.asyncDispose]();
      }
      await using store = await place.open();
      expect(await remembered(store, 'a')).toEqual({
        state: { source: 'a', entry: ENTRY, dialect: 'd', memory: '1' },
        seen: new Set(['1']),
        checksums: new Map([[EVENT.url, new Map([[EVENT.url, 'c']])]]),
        items: new Map(ITEMS.map((item) => [item.key, item])),
        liveItems: ['k'],
        pending: [{ event: { ...EVENT, id: '2' }, tries: 1, reason: 'reset' }],
      });
      expect((await remembered(store, 'b')).state).toEqual({ source: 'b', entry: ENTRY, dialect: 'd', memory: '9' });
    });

    test('the id is that of the hub, whatever the reader would call the source', async () => {
      await using store = await openNew();
      const state = store.followStateOf('acme');
      expect(await state.isTaken('docs_example')).toBe(false);
      const commit = { ...stateCommit({ seenIds: ['1'], changes: [draft('docs_example')] }) };
      await state.commit({ ...commit, state: { source: 'docs_example', entry: ENTRY, dialect: 'd' } });
      expect(await state.find(ENTRY)).toEqual({ source: 'acme', entry: ENTRY, dialect: 'd' });
      expect(await state.isTaken('acme')).toBe(false);
      expect(await state.seenAmong('docs_example', ['1'])).toEqual(new Set(['1']));
      expect((await all(store, { source: 'acme' })).map(({ source: id }) => id)).toEqual(['acme']);
    });

    test('a fallback has a position of its own and knows the events of the feed itself', async () => {
      await using store = await openNew();
      const state = store.followStateOf('acme');
      const mirror = 'https://mirror.example/.well-known/ai-changefeed';
      await state.commit(stateCommit({ seenIds: ['1'] }));
      expect(await state.find(mirror)).toBeUndefined();
      expect(await state.seenAmong('mirror_example', ['1', '2'])).toEqual(new Set(['1']));
      const there = { source: 'x', entry: mirror, dialect: 'd', memory: '2' };
      await state.commit({ ...stateCommit({ seenIds: ['2'] }), state: there });
      expect((await state.find(ENTRY))?.memory).toBe('1');
      expect((await state.find(mirror))?.memory).toBe('2');
      expect(await state.seenAmong('acme', ['1', '2'])).toEqual(new Set(['1', '2']));
    });
  });
}

const ENTRY = 'https://docs.example/.well-known/ai-changefeed';
const EVENT = {
  id: '1',
  action: 'update',
  url: 'https://docs.example/p',
  time: '2025-08-21T12:00:00Z',
  provenance: { by: 'd', originId: '1' },
} as const;
const ITEMS = [{ key: 'k', page: EVENT.url, version: '1', isRemoved: false }];

function source(id: string): WatchedSource {
  const config = { id, kind: 'site', url: `https://${id}.example/` } as const;
  return { config, origin: 'api', addedAtMs: NOON, health: health(0) };
}

function health(number: number): SourceHealth {
  return { changed: false, failures: number, intervalMs: 60_000, dueAtMs: NOON + number, changeGapsMs: [1, 2.5] };
}

function check(id: string, number: number, outcome: CheckWord = 'ok'): SourceCheck {
  const error = { code: 'DnsError', message: 'no such host' };
  const record = { source: id, atMs: number, tookMs: 1.5, outcome, changes: 0, pages: 3 };
  return { check: outcome === 'error' ? { ...record, error } : record, health: health(number) };
}

function draft(id: string): ChangeDraft {
  return { source: id, action: 'update', url: EVENT.url };
}

function urlOf(path: string): string {
  return `https://docs.example/${path}`;
}

function page(path: string, snapshot?: string): PageState {
  const url = urlOf(path);
  const line = new TextEncoder().encode(`{"file":"f","extractor":"1","url":"${url}","title":"\u0000 ü"}\n`);
  const record = { url, file: 'f', extractor: '1', line };
  return snapshot === undefined ? { record } : { record, snapshot };
}

function nameOf(text: string): string {
  return `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`;
}

function stateCommit(part: Partial<StateCommit>): StateCommit {
  const state = { source: 'a', entry: ENTRY, dialect: 'd', memory: '1' };
  return { state, seenIds: [], checksums: [], items: [], pending: [], settledIds: [], changes: [], ...part };
}

async function all(store: HubStore, query: ChangeQuery = {}): Promise<Change[]> {
  const changes: Change[] = [];
  for await (const change of store.changes(query)) changes.push(change);
  return changes;
}

/** A source with something in every corner. */
async function fill(store: HubStore, id: string): Promise<void> {
  await store.putSources([source(id)]);
  await store.commit({
    source: id,
    drafts: [draft(id)],
    pages: { put: [page('1'), page('2')], remove: [], foundBy: 'links' },
  });
  const pending = [{ event: { ...EVENT, id: '2' }, tries: 1, reason: 'reset' }];
  const checksums = [{ page: EVENT.url, boundary: EVENT.url, checksum: 'c' }];
  await store
    .followStateOf(id)
    .commit(stateCommit({ seenIds: ['1'], checksums, items: ITEMS, pending, changes: [draft(id)] }));
  await store.recordChecks([check(id, 1)]);
}

async function expectForgotten(store: HubStore, id: string): Promise<void> {
  expect(await store.pagesOf(id)).toEqual({ pages: new Map() });
  expect(await store.checksOf(id, 9)).toEqual([]);
  expect(await remembered(store, id)).toEqual(await remembered(store, 'nobody'));
}

async function remembered(store: HubStore, id: string) {
  const state = store.followStateOf(id);
  return {
    state: await state.find(ENTRY),
    seen: await state.seenAmong(id, ['1', '2']),
    checksums: await state.checksumsOf(id, [EVENT.url]),
    items: await state.itemsAmong(id, ['k']),
    liveItems: await state.liveItemsOn(id, EVENT.url, 9),
    pending: await state.pendingOf(id),
  };
}

/** The states of all sources as that of one follower: each call goes to the state of the source that it names. */
function asOneState(store: HubStore): FollowState {
  const owners = new Map<string, string>();
  return {
    find: async (entry) => store.followStateOf(owners.get(entry) ?? 'nobody').find(entry),
    isTaken: async (id) => [...owners.values()].includes(id),
    seenAmong: (id, ids) => store.followStateOf(id).seenAmong(id, ids),
    checksumsOf: (id, pages) => store.followStateOf(id).checksumsOf(id, pages),
    itemsAmong: (id, keys) => store.followStateOf(id).itemsAmong(id, keys),
    liveItemsOn: (id, page, most) => store.followStateOf(id).liveItemsOn(id, page, most),
    pendingOf: (id) => store.followStateOf(id).pendingOf(id),
    commit: (commit) => {
      owners.set(commit.state.entry, commit.state.source);
      return store.followStateOf(commit.state.source).commit(commit);
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

function expectInOrder(changes: readonly Change[]): void {
  for (const [index, change] of changes.entries()) {
    const before = changes[index - 1];
    expect(change.seq).toBe(index + 1);
    if (before === undefined) continue;
    expect(change.id > before.id, `${change.id} after ${before.id}`).toBe(true);
    expect(Date.parse(change.time)).toBeGreaterThanOrEqual(Date.parse(before.time));
  }
}
