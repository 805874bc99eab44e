import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBase64, encodeBase64 } from './base64.ts';

test('writes what the platform writes, and reads it back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
      expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes);
    }),
  );
});

test.each(['YQ', 'YQ=', 'YR==', 'YQ===', 'YQ==\n', ' YQ==', 'Y-==', 'Y_8=', 'Y Q=', '=', '===='])(
  '%j is refused',
  (text) => {
    expect(decodeBase64(text)).toBeUndefined();
  },
);
