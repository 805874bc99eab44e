import { expect, test } from 'vitest';
import { parseDictionary } from './structured-dictionary.ts';

const read = (field: string) =>
  Object.fromEntries(Array.from(parseDictionary(field) ?? [], ([key, { kind, text }]) => [key, `${kind} ${text}`]));

test.each([
  ['', {}],
  ['a=n', { a: 'token n' }],
  ['  a=n ,\tb=y  ', { a: 'token n', b: 'token y' }],
  ['a, b;x=1;y="z"', { a: 'boolean ?1', b: 'boolean ?1' }],
  [
    'a=1, b=-1.5, c="q\\"", d=:aGk=:, e=?0, f=@1659578233, g=%"f%c3%bc"',
    {
      a: 'number 1',
      b: 'number -1.5',
      c: 'string "q\\""',
      d: 'bytes :aGk=:',
      e: 'boolean ?0',
      f: 'date @1659578233',
      g: 'display %"f%c3%bc"',
    },
  ],
  ['a=(1 "x";p tok);q=2', { a: 'list (1 "x";p tok)' }],
  ['a=y, b=n, a=n', { b: 'token n', a: 'token n' }],
  ['*a.b-c_d=*x:/y', { '*a.b-c_d': 'token *x:/y' }],
])('%s is read', (field, expected) => {
  expect(read(field)).toEqual(expected);
});

test.each([
  'a=y,',
  ',a=y',
  'A=n',
  'a = n',
  'a=n b=y',
  'a=',
  'a="open',
  'a=1234567890123456',
  'a=1.2345',
  'a=(1 2',
  'a=("x"1)',
  'a;=1',
  'a=é',
  'a=?2',
  `a="${'x'.repeat(20_000)}"`,
])('%s is no dictionary', (field) => {
  expect(parseDictionary(field)).toBeUndefined();
});
