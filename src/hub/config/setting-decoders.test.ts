import { expect, test } from 'vitest';
import { flag, refused } from './setting-decoders.ts';

test('a value is shown as it was written, cut where it is long', () => {
  expect(refused('a.json: port', '80', 'Give a number.').message).toBe('a.json: port "80" is refused. Give a number.');
  expect(refused('a', undefined, 'x').message).toContain('(missing)');
  expect(refused('a', 'x'.repeat(500), 'y').message.length).toBeLessThan(150);
});

test('a value that nobody can write down is refused like any other', () => {
  let deep: unknown = [];
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  const round: Record<string, unknown> = {};
  round.self = round;
  for (const value of [deep, round])
    expect(() => flag(value, 'hints')).toThrow(/^hints \(nested without end\) is refused/);
});
