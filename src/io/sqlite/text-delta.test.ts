import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeDelta, encodeDelta } from './text-delta.ts';

const text = fc
  .array(
    fc.oneof(fc.constantFrom('}', '{"a":1}', '{"b":"ü"},', '\n', '1,2,3 4,5,6\n'), fc.string({ unit: 'grapheme' })),
  )
  .map((parts) => parts.join('').toWellFormed());

test('a text is read again from any other one', () => {
  fc.assert(
    fc.property(text, text, (base, told) => {
      expect(decodeDelta(base, encodeDelta(base, told))).toBe(told);
    }),
  );
});

test('what moved is named, not repeated', () => {
  const items = Array.from({ length: 1000 }, (_, at) => JSON.stringify({ id: at, hash: Math.sqrt(at) }));
  const base = items.join(',');
  const told = [...items.slice(500), '{"id":"new"}', ...items.slice(0, 499)].join(',');
  const delta = encodeDelta(base, told);
  expect(decodeDelta(base, delta)).toBe(told);
  expect(delta.length).toBeLessThan(120);
});

test('a delta of another text, or of none, is refused', () => {
  const delta = encodeDelta('{"a":1},{"b":2}', '{"b":2},{"a":1}');
  expect(() => decodeDelta('x', delta)).toThrow();
  expect(() => decodeDelta('{"a":1},{"b":2}', Buffer.from('no delta'))).toThrow();
});
