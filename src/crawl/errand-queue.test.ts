import { expect, test } from 'vitest';
import { ErrandQueue } from './errand-queue.ts';

function queueOf(...addresses: readonly string[]): ErrandQueue {
  const queue = new ErrandQueue();
  for (const address of addresses) queue.add({ address });
  return queue;
}
const left = (queue: ErrandQueue) =>
  queue
    .takeAll()
    .map(({ address }) => address)
    .join('');

test('errands are done in order, but for one that comes next', () => {
  const queue = queueOf('a', 'b');
  expect(queue.takeFirst()).toEqual({ address: 'a' });
  queue.addFirst({ address: 'x' });
  queue.add({ address: 'c' });
  expect(queue.size).toBe(3);
  expect(left(queue)).toBe('xbc');
  expect(queue.takeFirst()).toBeUndefined();
});

test.each([
  [0.5, 'd', 'ecfbga'],
  [1, 'g', 'fedcba'],
  [0, 'a', 'bcdefg'],
])('after one at %d of what is left, its neighbours come first', (place, picked, order) => {
  const queue = queueOf('0', ...'abcdefg');
  queue.takeFirst();
  expect(queue.pick(place)).toEqual({ address: picked });
  queue.goOnAroundPicked();
  expect(left(queue)).toBe(order);
});

test('one that is picked to no avail leaves the others in their order', () => {
  const queue = queueOf(...'abcde');
  expect(queue.pick(0.5)).toEqual({ address: 'c' });
  queue.drop(({ address }) => address === 'b');
  expect(left(queue)).toBe('ade');
  expect(queue.pick(1)).toBeUndefined();
});
