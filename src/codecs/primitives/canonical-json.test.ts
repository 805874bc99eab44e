import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
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

const UTF8 = new TextEncoder();

clause(['AF-CJ1', 'AF-CJ12'], 'keys are in the order of their UTF-8 bytes, at every level', () => {
  const keys = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ufb33', '\uff61', '\u{1F600}', '\u{1F601}'];
  for (const order of [keys, keys.toReversed()]) {
    const inner = Object.fromEntries(order.map((key) => [key, 0]));
    const text = canonicalJson({ z: [{ nested: inner }] });
    expect(text).toBe(`{"z":[{"nested":{${keys.map((key) => `${JSON.stringify(key)}:0`).join(',')}}}]}`);
  }
  const sorted = keys.toSorted((left, right) => Buffer.compare(UTF8.encode(left), UTF8.encode(right)));
  expect(sorted).toEqual(keys);
});

clause(['AF-CJ9', 'AF-CJ10', 'AF-CJ12'], 'the example of RFC 8785 §3.2.2 comes out as in §3.2.3', () => {
  const input = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`;
  expect(canonicalJson(JSON.parse(input))).toBe(
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
  expect(canonicalJson([3, 1, 2])).toBe('[3,1,2]');
});

clause('AF-CJ3', 'escapes quotes, backslashes and control characters, each in its one way', () => {
  expect(canonicalJson('"\\/\b\f\n\r\t')).toBe(String.raw`"\"\\/\b\f\n\r\t"`);
  for (let unit = 0; unit < 0x20; unit += 1) {
    const text = canonicalJson(String.fromCharCode(unit));
    expect(text).toMatch(/^"\\(?:[bfnrt]|u00[01][0-9a-f])"$/);
    expect(JSON.parse(text)).toBe(String.fromCharCode(unit));
  }
});

clause(['AF-CJ4', 'AF-CJ11'], 'writes everything beyond ASCII as it is, and no byte-order mark', () => {
  const text = canonicalJson(JSON.parse(String.raw`{"\u00e9\ud83d\ude00":"\u2028\u007f\u0080\ufeff"}`));
  expect(text).toBe('{"é\u{1F600}":"\u2028\u007f\u0080\ufeff"}');
  expect([...UTF8.encode(text).slice(0, 8)]).toEqual([0x7b, 0x22, 0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80]);
});

/** The bits of a double and its text, from RFC 8785 appendix B. */
const NUMBERS = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
] as const;

clause(['AF-CJ6', 'AF-CJ8', 'AF-CJ12'], 'writes numbers as appendix B of RFC 8785 does', () => {
  for (const [bits, text] of NUMBERS) {
    const value = Buffer.from(bits, 'hex').readDoubleBE();
    expect(canonicalJson(value), bits).toBe(text);
    expect(JSON.parse(text) + 0, bits).toBe(value + 0);
  }
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(JSON.parse(canonicalJson(value)) + 0).toBe(value + 0);
    }),
  );
});

clause('AF-CJ7', 'writes integers without point and exponent', () => {
  expect(canonicalJson(JSON.parse('[1.0,1e3,-0,-0.0,9007199254740991,-9007199254740991]'))).toBe(
    '[1,1000,0,0,9007199254740991,-9007199254740991]',
  );
});

clause(['AF-CJ5', 'AF-CT1'], 'refuses numbers that are not finite', () => {
  for (const bits of ['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000']) {
    const value = Buffer.from(bits, 'hex').readDoubleBE();
    expect(() => canonicalJson({ a: [value] }), bits).toThrow(TypeError);
  }
});

clause('AF-CT1', 'has the same bytes for every spelling of one object', () => {
  const spellings = [
    '{"b":[1,2.5,1e2],"a":{"é":"/","d":null}}',
    '{ "a" : { "d":null, "\\u00e9":"\\/" },\n "b" : [ 1.0, 25e-1, 100 ] }',
    '{"\\u0062":[1,2.50,100.0],"\\u0061":{"d":null,"é":"\\u002f"}}',
  ];
  const texts = spellings.map((spelling) => canonicalJson(JSON.parse(spelling)));
  expect(new Set(texts)).toEqual(new Set(['{"a":{"d":null,"é":"/"},"b":[1,2.5,100]}']));
});
