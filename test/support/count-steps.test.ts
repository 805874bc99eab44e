import { expect, test } from 'vitest';
import { countSteps, expectLinear } from './count-steps.ts';

const PLANTED = new URL('./planted-growth.mjs', import.meta.url);
type Planted = Record<string, (size: number) => unknown>;

test('the steps of one call are the same each time, and grow with the input', async () => {
  const inputs = [100, 100, 100, 400];
  const [, first = 0, again, more = 0] = await countSteps<Planted, number>(
    PLANTED,
    ({ linear }, size) => linear?.(size),
    inputs,
  );
  expect(again).toBe(first);
  expect(more / first).toBeCloseTo(4, 0);
});

test.each(['quadratic', 'quadraticSearch', 'quadraticArray', 'quadraticPattern'])(
  'growth with the square is noticed: %s',
  async (name) => {
    const counting = expectLinear<Planted, { name: string; size: number }>(
      PLANTED,
      (planted, { name, size }) => planted[name]?.(size),
      (size) => ({ name, size }),
    );
    await expect(counting).rejects.toThrow(/steps for 200/);
  },
);

test('what throws is an error of the test', async () => {
  await expect(countSteps<Planted, number>(PLANTED, ({ broken }) => broken?.(1), [1])).rejects.toThrow('planted');
  await expect(countSteps(new URL('../../src/nowhere.ts', import.meta.url), () => 1, [1])).rejects.toThrow(
    'npm run build',
  );
});
