import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Due, DueQueue, isEarlier } from './due-queue.ts';

const id = fc.integer({ min: 0, max: 30 }).map((number) => `s${number}`);
const step = fc.oneof(
  fc.record({ is: fc.constant('put' as const), id, dueAtMs: fc.integer({ min: 0, max: 50 }) }),
  fc.record({ is: fc.constant('remove' as const), id }),
  fc.record({ is: fc.constant('pop' as const) }),
);

test('whatever is put, moved and removed: the first is the earliest, and each id stands once', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const queue = new DueQueue<Due>();
      const model = new Map<string, number>();
      for (const each of steps) {
        if (each.is === 'put') {
          queue.put({ id: each.id, dueAtMs: each.dueAtMs, order: 0 });
          model.set(each.id, each.dueAtMs);
        } else {
          const gone = each.is === 'remove' ? each.id : (queue.first?.id ?? 'none');
          expect(queue.remove(gone)?.dueAtMs).toBe(model.get(gone));
          model.delete(gone);
        }
        expect(queue.size).toBe(model.size);
        expect(queue.first?.dueAtMs ?? Number.POSITIVE_INFINITY).toBe(Math.min(...model.values()));
      }
      expect(drain(queue).map(({ dueAtMs }) => dueAtMs)).toEqual([...model.values()].sort((a, b) => a - b));
    }),
    { numRuns: 500 },
  );
});

test('what is due at the same moment comes in its order', () => {
  const queue = new DueQueue<Due>();
  for (const order of [4, 2, 5, 1, 3, 0]) queue.put({ id: `s${order}`, dueAtMs: 7, order });
  expect(drain(queue).map(({ order }) => order)).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a step in a queue of 10,000 looks at few entries', () => {
  let compared = 0;
  const queue = new DueQueue<Due>((left, right) => {
    compared += 1;
    return isEarlier(left, right);
  });
  for (let index = 0; index < 10_000; index++)
    queue.put({ id: `s${index}`, dueAtMs: (index * 7919) % 10_007, order: index });
  compared = 0;
  queue.put({ id: 's5000', dueAtMs: 0, order: 0 });
  queue.put({ id: 's5000', dueAtMs: 20_000, order: 0 });
  queue.remove('s1234');
  queue.remove(queue.first?.id ?? '');
  expect(compared).toBeGreaterThan(0);
  expect(compared).toBeLessThan(4 * 2 * 15);
});

function drain(queue: DueQueue<Due>): Due[] {
  const drained: Due[] = [];
  for (let first = queue.first; first !== undefined; first = queue.first) {
    queue.remove(first.id);
    drained.push(first);
  }
  return drained;
}
