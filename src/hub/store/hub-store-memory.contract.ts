import { describe, expect, test } from 'vitest';
import { describeFollowState } from '../../follow/follow-state.contract.ts';
import type { FollowState } from '../../follow/follow-state.ts';
import type { HubStore } from './hub-store.ts';
import {
  all,
  draft,
  ENTRY,
  EVENT,
  type HubStoreTrial,
  ITEMS,
  remembered,
  stateCommit,
} from './hub-store-fixtures.contract.ts';

/** What readers of feeds remember, each source apart. */
export function describeReaderMemory({ name, makePlace, openNew }: HubStoreTrial): void {
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
