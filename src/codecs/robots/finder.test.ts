import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFinder } from './finder.ts';

test('a literal is found where indexOf finds it, whatever its length', () => {
  // Long literals that repeat their own beginning, in texts made of their parts: each mismatch has something to go on with.
  const part = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 5 });
  const example = fc
    .tuple(part, part, fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 40 }))
    .chain(([one, two, times, from]) => {
      const literal = one.repeat(times) + two + one.repeat(times);
      const pieces = fc.array(fc.constantFrom(one, two, one.repeat(times), literal), { maxLength: 12 });
      return pieces.map((parts) => ({ literal, from, text: parts.join('') }));
    });
  let longFound = 0;
  fc.assert(
    fc.property(example, ({ literal, from, text }) => {
      const at = text.indexOf(literal, from);
      if (at !== -1 && literal.length > 32) longFound += 1;
      expect(createFinder(literal)(text, from)).toBe(at === -1 ? -1 : at + literal.length);
    }),
    { numRuns: 2000 },
  );
  expect(longFound, 'the long way is taken').toBeGreaterThan(100);
});

test('a finder can be used again', () => {
  const find = createFinder(`${'ab'.repeat(20)}c`);
  const text = `x${'ab'.repeat(21)}c${'ab'.repeat(20)}c`;
  expect(find(text, 0)).toBe(44);
  expect(find(text, 44)).toBe(85);
  expect(find(text, 45)).toBe(-1);
});
