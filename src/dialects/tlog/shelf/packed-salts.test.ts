import { expect, test } from 'vitest';
import { packSalts, unpackSalts } from './packed-salts.ts';

const SALTS = { before: 'ab'.repeat(32), title: '01'.repeat(32) };

test('salts come back under the names of their texts, in 33 bytes for the first and 32 for each other', () => {
  expect(packSalts(SALTS)).toHaveLength(65);
  expect(unpackSalts(packSalts(SALTS))).toEqual(SALTS);
});

test('a change without texts takes no byte', () => {
  expect([packSalts({}), unpackSalts(new Uint8Array())]).toEqual([new Uint8Array(), {}]);
});

test.each([
  ['a byte too few', packSalts(SALTS).subarray(1)],
  ['a byte too many', Uint8Array.of(...packSalts(SALTS), 0)],
  ['a text that no change has', Uint8Array.of(64, ...new Uint8Array(32))],
])('what has %s is no salts', (_, packed) => {
  expect(unpackSalts(packed)).toBeUndefined();
});
