import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBase64url, encodeBase64url } from './base64url.ts';

test('writes and reads what Node writes and reads', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const text = encodeBase64url(bytes);
      expect(text).toBe(Buffer.from(bytes).toString('base64url'));
      expect(decodeBase64url(text)).toEqual(bytes);
    }),
  );
});

test.each([
  ['padding', 'AA=='],
  ['the standard alphabet', '+/+/'],
  ['white space', 'AA AA'],
  ['a line end', 'AAAA\n'],
  ['a character beyond ASCII', 'AAAé'],
  ['half of a pair', 'AAA\uD800'],
  ['a length that no bytes have', 'AAAAA'],
  ['left-over bits that are not zero', 'AB'],
  ['left-over bits after two bytes', 'AAB'],
])('does not read %s', (_, text) => {
  expect(decodeBase64url(text)).toBeUndefined();
});

test('has one text for each bytes', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), (text) => {
      const bytes = decodeBase64url(text);
      if (bytes !== undefined) expect(encodeBase64url(bytes)).toBe(text);
    }),
  );
});
