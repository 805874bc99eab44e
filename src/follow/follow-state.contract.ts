import { expect, test } from 'vitest';
import type { KnownItem } from '../dialects/feed-change.ts';
import type { FollowState, SourceState, StateCommit } from './follow-state.ts';

const EVENT = {
  id: '1',
  action: 'update',
  url: 'https://docs.example/p',
  time: '2025-08-21T12:00:00Z',
  provenance: { by: 'some-dialect', originId: '1' },
} as const;
const STATE: SourceState = {
  source: 'docs_example',
  entry: 'https://docs.example/.well-known/ai-changefeed',
  dialect: 'some-dialect',
  memory: { lastId: '1', validators: { etag: '"f"' }, places: [10, 5] },
};

/** What every {@link FollowState} does. `open` gives a new, empty one. */
export function describeFollowState(name: string, open: () => Promise<FollowState>): void {
  test(`${name}: what was committed is found again by its entry, and replaced by the next commit`, async () => {
    await using state = await open();
    expect(await state.find(STATE.entry)).toBeUndefined();
    expect(await state.isTaken('docs_example')).toBe(false);
    await state.commit(commit({}));
    expect(await state.find(STATE.entry)).toEqual(STATE);
    expect(await state.isTaken('docs_example')).toBe(true);
    const { memory: _, ...without } = STATE;
    await state.commit(commit({ state: without }));
    expect(await state.find(STATE.entry)).toEqual(without);
    await state.commit(commit({ state: { ...without, memory: { lastId: '2' } } }));
    expect(await state.find(STATE.entry)).toEqual({ ...without, memory: { lastId: '2' } });
  });

  test(`${name}: ids are remembered per source`, async () => {
    await using state = await open();
    await state.commit(commit({ seenIds: ['a', 'b', 'b'] }));
    await state.commit(commit({ seenIds: ['b'] }));
    expect(await state.seenAmong('docs_example', ['a', 'b', 'c'])).toEqual(new Set(['a', 'b']));
    expect(await state.seenAmong('other', ['a'])).toEqual(new Set());
  });

  test(`${name}: checksums are edited in order: a page forgets its sections, a section forgets the page`, async () => {
    await using state = await open();
    const [page, a, b] = ['https://d/p', 'https://d/p#a', 'https://d/p#b'];
    const stored = async () => Object.fromEntries((await state.checksumsOf('docs_example', [page])).get(page) ?? []);
    await state.commit(commit({ checksums: [{ page, boundary: page, checksum: '1' }] }));
    expect(await stored()).toEqual({ [page]: '1' });
    await state.commit(
      commit({
        checksums: [
          { page, boundary: a, checksum: '2' },
          { page, boundary: b, checksum: '3' },
        ],
      }),
    );
    expect(await stored()).toEqual({ [a]: '2', [b]: '3' });
    await state.commit(commit({ checksums: [{ page, boundary: a }] }));
    expect(await stored()).toEqual({ [b]: '3' });
    await state.commit(commit({ checksums: [{ page, boundary: page, checksum: '4' }] }));
    expect(await stored()).toEqual({ [page]: '4' });
    await state.commit(commit({ checksums: [{ page, boundary: page }] }));
    expect(await stored()).toEqual({});
  });

  test(`${name}: pending events keep their order when they are tried again, and go when they are settled`, async () => {
    await using state = await open();
    const pending = ['1', '2', '3'].map((id) => ({ event: { ...EVENT, id }, tries: 1, reason: 'reset' }));
    await state.commit(commit({ pending }));
    await state.commit(
      commit({ pending: [{ event: { ...EVENT, id: '1' }, tries: 2, reason: 'cut' }], settledIds: ['2'] }),
    );
    expect(await state.pendingOf('docs_example')).toEqual([
      { event: { ...EVENT, id: '1' }, tries: 2, reason: 'cut' },
      { event: { ...EVENT, id: '3' }, tries: 1, reason: 'reset' },
    ]);
    expect(await state.pendingOf('other')).toEqual([]);
  });

  test(`${name}: items are known by their keys, and found on their pages while they are there`, async () => {
    await using state = await open();
    const item = (key: string, extra: Partial<KnownItem> = {}): KnownItem => ({
      key,
      page: 'https://d/p',
      version: '1',
      isRemoved: false,
      ...extra,
    });
    const live = async (page: string, most = 9) => (await state.liveItemsOn('docs_example', page, most)).toSorted();
    await state.commit(
      commit({ items: [item('a'), item('b'), item('c', { page: 'https://d/q' }), item('a', { revision: 7 })] }),
    );
    expect(await state.itemsAmong('docs_example', ['a', 'x', 'c'])).toEqual(
      new Map([
        ['a', item('a', { revision: 7 })],
        ['c', item('c', { page: 'https://d/q' })],
      ]),
    );
    expect(await live('https://d/p')).toEqual(['a', 'b']);
    expect(await live('https://d/p', 1)).toHaveLength(1);
    expect(await state.liveItemsOn('other', 'https://d/p', 9)).toEqual([]);
    expect(await state.itemsAmong('other', ['a'])).toEqual(new Map());

    const removed = item('a', { version: '2', isRemoved: true });
    await state.commit(commit({ items: [removed, item('b', { page: 'https://d/q' })] }));
    expect(await state.itemsAmong('docs_example', ['a'])).toEqual(new Map([['a', removed]]));
    expect(await live('https://d/p')).toEqual([]);
    expect(await live('https://d/q')).toEqual(['b', 'c']);
  });

  function commit(part: Partial<StateCommit>): StateCommit {
    return { state: STATE, seenIds: [], checksums: [], items: [], pending: [], settledIds: [], changes: [], ...part };
  }
}
