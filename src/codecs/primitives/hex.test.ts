import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeHex, encodeHex } from './hex.ts';

test('writes what the platform writes, and reads it back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      expect(encodeHex(bytes)).toBe(Buffer.from(bytes).toString('hex'));
      expect(decodeHex(encodeHex(bytes))).toEqual(bytes);
    }),
  );
});

test.each(['A0', 'a', 'g0', ' 00', '00\n', '0x00'])('%j is refused', (text) => {
  expect(decodeHex(text)).toBeUndefined();
});
