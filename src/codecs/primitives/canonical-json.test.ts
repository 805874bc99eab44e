import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

test('sorts keys by code point, not by UTF-16 unit', () => {
  expect(canonicalJson({ '\u{1F600}': 1, '\uFF61': 2, a: 3 })).toBe('{"a":3,"\uFF61":2,"\u{1F600}":1}');
  expect(canonicalJson({ '\u{1F601}': 1, '\u{1F600}x': 2, '\u{1F600}': 3 })).toBe(
    '{"\u{1F600}":3,"\u{1F600}x":2,"\u{1F601}":1}',
  );
});

test('treats keys that look like integers as text', () => {
  expect(canonicalJson({ a: 1, 9: 2, 10: 3 })).toBe('{"10":3,"9":2,"a":1}');
});

test('writes values as short as JSON allows', () => {
  expect(canonicalJson([1e21, 1e-7, -0, 0.1, 100, true, null, 'é\n"\u2028', {}, []])).toBe(
    '[1e+21,1e-7,0,0.1,100,true,null,"é\\n\\"\u2028",{},[]]',
  );
});

test('takes __proto__ as a plain key', () => {
  expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1},"b":1}');
});

test.each([
  ['undefined', undefined],
  ['a member that is undefined', { a: undefined }],
  ['a hole', new Array(1)],
  ['NaN', Number.NaN],
  ['Infinity', [Number.POSITIVE_INFINITY]],
  ['a bigint', 1n],
  ['a function', () => 1],
  ['a symbol', Symbol('x')],
  ['a Date', new Date(0)],
  ['a Map', new Map()],
  ['a lone surrogate', '\uD83D'],
  ['a lone surrogate in a key', { '\uDE00': 1 }],
])('refuses %s', (_, value) => {
  expect(() => canonicalJson(value)).toThrow(TypeError);
});

test('refuses a depth that could exhaust the stack, and a cycle', () => {
  expect(canonicalJson(JSON.parse('['.repeat(1000) + ']'.repeat(1000)))).toHaveLength(2000);
  expect(() => canonicalJson(JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)))).toThrow('1000 deep');
  const cycle: unknown[] = [];
  cycle.push(cycle);
  expect(() => canonicalJson(cycle)).toThrow('1000 deep');
});

test('says the same value, with one text whatever the order of keys', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.integer()), (value) => {
      const reversed = Object.fromEntries(Object.entries(value).reverse());
      expect(canonicalJson(reversed)).toBe(canonicalJson(value));
    }),
  );
});
