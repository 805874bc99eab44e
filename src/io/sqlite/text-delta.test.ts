import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextDelta } from './text-delta.ts';

const JSON_DELTA = new TextDelta({ before: '{', behind: '}' });
const LINES = new TextDelta({ behind: '\n' });
const HASH = '0123456789abcdef'.repeat(4);

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom('}', '{"a":1}', '{"b":"ü"},', '\n', 'a line of many words\n', '\0', `{"of":"${HASH}"}`),
      fc.string({ unit: 'grapheme' }),
    ),
  )
  .map((parts) => parts.join('').toWellFormed());

test('a text is read again from any other one', () => {
  fc.assert(
    fc.property(text, text, (base, told) => {
      for (const delta of [JSON_DELTA, LINES]) expect(delta.decode(base, delta.encode(base, told))).toBe(told);
    }),
  );
});

test('what moved is named, not repeated', () => {
  const items = Array.from({ length: 1000 }, (_, at) => JSON.stringify({ id: at, hash: Math.sqrt(at) }));
  const base = items.join(',');
  const told = [...items.slice(500), '{"id":"new"}', ...items.slice(0, 499)].join(',');
  const delta = JSON_DELTA.encode(base, told);
  expect(JSON_DELTA.decode(base, delta)).toBe(told);
  expect(delta.length).toBeLessThan(40);
});

test('a delta of another text, or of none, is refused', () => {
  const base = '{"a":"one of two texts"},{"b":"the other of the two"}';
  const delta = JSON_DELTA.encode(base, '{"b":"the other of the two"},{"a":"one of two texts"}');
  expect(() => JSON_DELTA.decode('x', delta)).toThrow();
  expect(() => JSON_DELTA.decode(base, Buffer.from('no delta'))).toThrow();
  expect(() => JSON_DELTA.decode(base, delta.subarray(0, -3))).toThrow();
});

test('what is new is packed with what stands in its place, and hashes take their own bytes', () => {
  const hashOf = (text: string) => hash('sha256', text, 'hex');
  const entry = (at: number, edition: string) =>
    JSON.stringify({
      name: `Handbook ${at}`,
      cursor: hashOf(`${at} ${edition}`),
      url: `/diff/handbook_${at}/head.json`,
    });
  const entries = Array.from({ length: 2000 }, (_, at) => entry(at, 'old'));
  const base = entries.join(',');
  const told = entries.with(1000, entry(1000, 'new')).join(',');
  const delta = JSON_DELTA.encode(base, told);
  expect(JSON_DELTA.decode(base, delta)).toBe(told);
  expect(delta.length).toBeLessThan(32 + 30);
});

test('a line of a long text is told by itself', () => {
  const lines = Array.from({ length: 5000 }, (_, at) => `Line ${at} says ${Math.sqrt(at)} and no more.\n`);
  const delta = LINES.encode(lines.join(''), lines.with(4000, 'Line 4000 is another one.\n').join(''));
  expect(delta.length).toBeLessThan(60);
});
