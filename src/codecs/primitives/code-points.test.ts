import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareCodePoints } from './code-points.ts';

test('orders texts as their UTF-8 bytes are ordered', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\uFF61', '\u{1F600}', '\u{1F601}', '\u{10FFFF}') });
  fc.assert(
    fc.property(text, text, (left, right) => {
      const bytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
      expect(Math.sign(compareCodePoints(left, right))).toBe(bytes);
    }),
    { numRuns: 1000 },
  );
});

test('a surrogate stands above every single unit', () => {
  expect(compareCodePoints('\u{1F600}', '\uFF61')).toBeGreaterThan(0);
});
