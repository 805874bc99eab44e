import { expect, test } from 'vitest';
import { Random, seedIn } from './hub-random.ts';

test('a torture takes the seed that is said, and one of its own where none is', () => {
  expect(seedIn(['hub-kill', 'seed=1090019532', '100'])).toBe(1_090_019_532);
  expect(seedIn(['hub-kill', '100'])).toBeUndefined();
});

test.each(['seed=', 'seed=x', 'seed=-1', 'seed=1.5', 'seed=4294967296'])('%s is refused', (word) => {
  expect(() => seedIn([word])).toThrow('is no seed');
});

test('the same seed gives the same choices', () => {
  const draw = (seed: number) => {
    const random = new Random(seed);
    return Array.from({ length: 20 }, () => random.fraction());
  };
  expect(draw(77)).toEqual(draw(77));
  expect(draw(77)).not.toEqual(draw(78));
});
