import { expect, test } from 'vitest';
import { findInexactNumber } from './exact-numbers.ts';

test.each([
  '0',
  '-0',
  '0.0',
  '1.0',
  '100',
  '1e2',
  '1E+2',
  '0.1',
  '-12.50',
  '9007199254740992',
  '1e21',
  '5e-324',
  '1.5e300',
])('%s stays the same number', (number) => {
  expect(findInexactNumber(`{"a":[${number}]}`)).toBeUndefined();
});

test.each([
  '12345678901234567890',
  '9007199254740993',
  '1e400',
  '-1e400',
  '1e-400',
  '0.1000000000000000055',
  '1e999999999999',
])('%s becomes another', (number) => {
  expect(findInexactNumber(`{"add":["/a"],"x":${number}}`)).toBe(number);
  expect(findInexactNumber(`[1,"${number}","\\"${number}","\\\\",${number}]`)).toBe(number);
  expect(findInexactNumber(`["${number}","\\"${number}"]`)).toBeUndefined();
});
