import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeNumbers, encodeNumbers } from './packed-numbers.ts';

test('numbers are read as they were written, and small ones take a byte', () => {
  fc.assert(
    fc.property(fc.array(fc.maxSafeNat()), (numbers) => {
      const bytes = encodeNumbers(numbers);
      expect(decodeNumbers(bytes)).toEqual({ numbers, end: bytes.length });
      expect(decodeNumbers(bytes, 1).numbers).toEqual(numbers.slice(0, 1));
    }),
  );
  expect(encodeNumbers([0, 1, 127]).length).toBe(3);
});

test('a number that is cut off is refused', () => {
  expect(() => decodeNumbers(encodeNumbers([300]).subarray(0, 1))).toThrow('cut off');
});
