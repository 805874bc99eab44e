import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { gunzip } from './gunzip.ts';

test('gives back what was compressed', async () => {
  expect(Buffer.from(await gunzip(gzipSync('hello'), 5)).toString()).toBe('hello');
});

test.each([
  ['a bomb', gzipSync(Buffer.alloc(10_000_000)), 1_000_000],
  ['one byte too many', gzipSync('hello'), 4],
  ['a cut', gzipSync('hello'.repeat(100)).subarray(0, -5), 1000],
  ['damage', gzipSync('hello').fill(7, 12, 16), 1000],
])('%s is a failure', async (_, bytes, maxBytes) => {
  await expect(gunzip(bytes, maxBytes)).rejects.toThrow();
});
