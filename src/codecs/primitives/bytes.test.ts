import { expect, test } from 'vitest';
import { concatBytes, firstEmptyLine, isSameBytes, lastEmptyLine } from './bytes.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

test('parts are joined in their order', () => {
  expect(concatBytes(bytesOf('ab'), bytesOf(''), bytesOf('c'))).toEqual(bytesOf('abc'));
  expect(concatBytes()).toEqual(new Uint8Array(0));
});

test('bytes are the same by value, not by a common beginning', () => {
  expect(isSameBytes(bytesOf('ab'), bytesOf('ab'))).toBe(true);
  expect(isSameBytes(bytesOf('ab'), bytesOf('abc'))).toBe(false);
  expect(isSameBytes(bytesOf('ab'), bytesOf('ac'))).toBe(false);
});

test.each([
  ['a\n\nb\n\nc\n', 1, 4],
  ['\n\n', 0, 0],
  ['a\n\n\nb', 1, 2],
  ['a\nb\n', -1, -1],
  ['', -1, -1],
])('the empty lines of %j', (text, first, last) => {
  expect(firstEmptyLine(bytesOf(text))).toBe(first);
  expect(lastEmptyLine(bytesOf(text))).toBe(last);
});
