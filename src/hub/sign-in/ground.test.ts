import { expect, test } from 'vitest';
import { groundOf } from './ground.ts';

test('another token, another way or a restored backup is another ground', () => {
  const grounds = [
    groundOf(['token', 'a', undefined]),
    groundOf(['token', 'b', undefined]),
    groundOf(['token', 'a', '5f0c93aa']),
    groundOf(['oidc', 'a', undefined]),
    groundOf(['tokena', undefined]),
  ];
  expect(new Set(grounds).size).toBe(grounds.length);
  expect(groundOf(['token', 'a', undefined])).toBe(grounds[0]);
});
