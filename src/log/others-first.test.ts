import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inTurns, othersFirst } from './others-first.ts';

test('of several works, one goes on in a turn of the event loop, each in its order', async () => {
  const steps: string[] = [];
  const work = async (name: string) => {
    for (const piece of [1, 2, 3]) {
      await othersFirst();
      steps.push(`${name}${piece}`);
    }
  };
  const works = ['a', 'b', 'c'].map(work);
  const seen: number[] = [];
  while (steps.length < 9) {
    const before = steps.length;
    await nextTurn();
    seen.push(steps.length - before);
  }
  await Promise.all(works);
  expect(Math.max(...seen)).toBe(1);
  expect(steps).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3']);
});

test('a work that fails in its turn holds up nobody', async () => {
  const failing = othersFirst().then(() => Promise.reject(new Error('planted')));
  const other = othersFirst();
  await expect(failing).rejects.toThrow('planted');
  await expect(other).resolves.toBeUndefined();
});

test('steps give what they come to', async () => {
  function* steps() {
    yield;
    yield;
    return 'done';
  }
  expect(await inTurns(steps())).toBe('done');
});
