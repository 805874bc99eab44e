import { expect, test } from 'vitest';
import { fits, isTypeToken } from './type-token.ts';

test.each(['string', 'null', 'nullable<string>', 'nullable<nullable<array>>', 'nullable<null>'])(
  '%s is a token',
  (text) => {
    expect(isTypeToken(text)).toBe(true);
  },
);

test.each([
  'integer',
  'String',
  '',
  ' string',
  'string\n',
  'nullable<>',
  'nullable<string',
  'nullable<string>>',
  'nullable<integer>',
  'nullable< string>',
  'string|null',
])('%j is no token', (text) => {
  expect(isTypeToken(text)).toBe(false);
});

test('null fits what may be null, and nothing else', () => {
  expect(fits('null', 'nullable<string>')).toBe(true);
  expect(fits('null', 'nullable<nullable<string>>')).toBe(true);
  expect(fits('null', 'null')).toBe(true);
  expect(fits('null', 'string')).toBe(false);
});

test('a value fits its type, however often that may be null', () => {
  expect(fits('string', 'nullable<nullable<string>>')).toBe(true);
  expect(fits('number', 'nullable<nullable<string>>')).toBe(false);
  expect(fits('object', 'array')).toBe(false);
});

test('of a token of a later version nothing is said', () => {
  expect(fits('number', 'integer')).toBe(true);
  expect(fits('string', 'nullable<integer>')).toBe(true);
});

test('a token of a million levels is read at once', () => {
  const deep = `${'nullable<'.repeat(1_000_000)}string${'>'.repeat(1_000_000)}`;
  expect(isTypeToken(deep)).toBe(true);
  expect(fits('null', deep)).toBe(true);
  expect(isTypeToken(deep.slice(0, -1))).toBe(false);
});
