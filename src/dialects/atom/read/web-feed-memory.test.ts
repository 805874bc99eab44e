import { expect, test } from 'vitest';
import { MemoryFollowState } from '../../../follow/memory-follow-state.ts';
import { rememberedIn } from '../../../follow/remembered.ts';
import type { ItemSketch } from './web-feed-item.ts';
import { WebFeedMemory } from './web-feed-memory.ts';

const sketch = (key: string, version: string, page = '//a.example/'): ItemSketch => ({
  format: 'atom',
  id: key,
  key,
  version,
  page,
  url: `https:${page}`,
  hasOwnUrl: true,
});

/** One reading of a feed: what each item is. */
async function read(state: MemoryFollowState, ...sketches: readonly ItemSketch[]): Promise<string[]> {
  const memory = new WebFeedMemory(rememberedIn(state, { dialect: 'atom', source: 's' }), 'e');
  await memory.knownAmong(sketches);
  const verdicts: string[] = [];
  for (const one of sketches) verdicts.push((await memory.judge(one)).is);
  await state.commit({
    state: { source: 's', entry: 'e', dialect: 'atom' },
    seenIds: [],
    checksums: [],
    items: [...memory.learned.values()],
    pending: [],
    settledIds: [],
    changes: [],
  });
  return verdicts;
}

test('an item is new, then the same, then changed', async () => {
  await using state = new MemoryFollowState();
  expect(await read(state, sketch('a', '1-x'))).toEqual(['new']);
  expect(await read(state, sketch('a', '1-x'))).toEqual(['same']);
  expect(await read(state, sketch('a', '1-y'))).toEqual(['changed']);
  expect(await read(state, sketch('a', '1-x'))).toEqual(['changed']);
});

test('texts that are read in another way than before are no change, and the next change is one', async () => {
  await using state = new MemoryFollowState();
  await read(state, sketch('a', '1-x'));
  expect(await read(state, sketch('a', '2-q'))).toEqual(['same']);
  expect(await read(state, sketch('a', '2-r'))).toEqual(['changed']);
});

test('one item twice in a feed is told once, also when both change', async () => {
  await using state = new MemoryFollowState();
  expect(await read(state, sketch('a', '1-x'), sketch('b', '1-x'))).toEqual(['new', 'same']);
  expect(await read(state, sketch('a', '1-y'), sketch('b', '1-y'))).toEqual(['changed', 'same']);
});

test('ids that are new each time leave no more behind than there are items', async () => {
  await using state = new MemoryFollowState();
  for (let round = 0; round < 20; round += 1) await read(state, sketch(`r${round}`, '1-x'), sketch(`s${round}`, '1-y'));
  expect(await state.liveItemsOn('s', '//a.example/', 100)).toHaveLength(2);
  await read(state, sketch('r', '1-z'), sketch('s', '1-y'));
  expect(await state.liveItemsOn('s', '//a.example/', 100)).toHaveLength(2);
});
