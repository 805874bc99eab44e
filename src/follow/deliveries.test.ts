import { expect, test } from 'vitest';
import { createDeliveries } from './deliveries.ts';
import type { TakenCommit } from './follow-state.ts';
import { MemoryFollowState } from './memory-follow-state.ts';

const START = { source: 's', entry: 'e', dialect: 'd' };

test('each delivery is saved once, with the state behind the last one', async () => {
  const { store, commits } = recordingStore();
  const deliveries = createDeliveries(store, START, () => 0);
  await deliveries.add({ seenIds: ['1'], state: () => ({ ...START, memory: '1' }) });
  await deliveries.add({ seenIds: ['2'], state: () => ({ ...START, memory: '2' }) });
  expect(commits).toEqual([]);
  await deliveries.save();
  await deliveries.add({ seenIds: ['3'] });
  await deliveries.save();
  await deliveries.save();
  expect(commits.map(({ seenIds, state }) => [seenIds, state.memory])).toEqual([
    [['1', '2'], '2'],
    [['3'], '2'],
  ]);
});

test('a slow consumer has every event saved soon; a fast one in batches', async () => {
  const { store, commits } = recordingStore();
  let clock = 0;
  const deliveries = createDeliveries(store, START, () => clock);
  await deliveries.add({ seenIds: ['1'] });
  clock += 300;
  await deliveries.add({ seenIds: ['2'] });
  expect(commits).toHaveLength(1);
  for (let count = 0; count < 2500; count += 1) await deliveries.add({ seenIds: [`x${count}`] });
  expect(commits.map(({ seenIds }) => seenIds.length)).toEqual([2, 1000, 1000]);
});

test('a save that fails is not tried again behind the caller’s back', async () => {
  const store = new MemoryFollowState();
  store.commit = async () => {
    throw new Error('disk full');
  };
  const deliveries = createDeliveries(store, START, () => 0);
  await deliveries.add({ seenIds: ['1'] });
  await expect(deliveries.save()).rejects.toThrow('disk full');
  await deliveries.save();
});

function recordingStore() {
  const commits: TakenCommit[] = [];
  const store = new MemoryFollowState();
  store.commit = async (commit) => void commits.push(commit);
  return { store, commits };
}
