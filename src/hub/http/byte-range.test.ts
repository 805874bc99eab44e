import { expect, test } from 'vitest';
import { byteRange } from './byte-range.ts';

test.each([
  ['bytes=0-0', 10, { start: 0, end: 1 }],
  ['bytes=2-5', 10, { start: 2, end: 6 }],
  ['bytes=2-', 10, { start: 2, end: 10 }],
  ['bytes=2-999', 10, { start: 2, end: 10 }],
  ['bytes=0-99999999999999999999999999', 10, { start: 0, end: 10 }],
  ['bytes=-3', 10, { start: 7, end: 10 }],
  ['bytes=-99', 10, { start: 0, end: 10 }],
  ['BYTES=1-1', 10, { start: 1, end: 2 }],
  ['bytes= 1-1 ', 10, { start: 1, end: 2 }],
  ['bytes=10-', 10, 'unsatisfiable'],
  ['bytes=10-12', 10, 'unsatisfiable'],
  ['bytes=99999999999999999999999999-', 10, 'unsatisfiable'],
  ['bytes=-0', 10, 'unsatisfiable'],
  ['bytes=0-', 0, 'unsatisfiable'],
  ['bytes=-5', 0, undefined],
  ['bytes=5-2', 10, undefined],
  ['bytes=-', 10, undefined],
  ['bytes=', 10, undefined],
  ['bytes=a-b', 10, undefined],
  ['bytes=1--2', 10, undefined],
  ['bytes=+1-2', 10, undefined],
  ['bytes=0x1-2', 10, undefined],
  ['bytes 0-1', 10, undefined],
  ['lines=0-1', 10, undefined],
  ['bytes=0-1,3-4', 10, undefined],
  ['', 10, undefined],
])('%j of %i bytes', (header, size, expected) => {
  expect(byteRange(header, size)).toEqual(expected);
});
