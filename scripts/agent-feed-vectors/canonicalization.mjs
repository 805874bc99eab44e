/** Canonical JSON (§30). Inputs are JSON texts, outputs are written out by hand. */

import assert from 'node:assert/strict';
import { canonical } from './lib.mjs';

/** name, input, canonical text. */
const CASES = [
  ['null', ' null ', 'null'],
  ['true', 'true', 'true'],
  ['false', '\tfalse\n', 'false'],
  ['an empty object', ' { } ', '{}'],
  ['an empty array', '[ ]', '[]'],
  ['an empty string', '""', '""'],
  ['white space goes', '{ "b" : [ 1 , 2 ] ,\r\n\t"a" : null }', '{"a":null,"b":[1,2]}'],
  ['one object, compact', '{"a":1,"b":{"c":"é","d":[true]}}', '{"a":1,"b":{"c":"é","d":[true]}}'],
  ['the same, keys the other way', '{"b":{"d":[true],"c":"é"},"a":1}', '{"a":1,"b":{"c":"é","d":[true]}}'],
  ['the same, other escapes', '{"\\u0062":{"d":[true],"c":"\\u00E9"},"a":1.0e0}', '{"a":1,"b":{"c":"é","d":[true]}}'],
  [
    'keys sort at every level',
    '{"z":[{"b":1,"a":2}],"y":{"d":{"f":1,"e":2}}}',
    '{"y":{"d":{"e":2,"f":1}},"z":[{"a":2,"b":1}]}',
  ],
  ['arrays keep their order', '[3,1,2,"b","a",null,false]', '[3,1,2,"b","a",null,false]'],
  ['nested arrays', '[[],[[]],[{}]]', '[[],[[]],[{}]]'],
  ['upper case sorts before lower case', '{"a":1,"B":2,"A":3,"b":4}', '{"A":3,"B":2,"a":1,"b":4}'],
  ['a prefix sorts first', '{"ab":1,"a":2,"abc":3,"":4}', '{"":4,"a":2,"ab":1,"abc":3}'],
  ['integer-like keys sort as text', '{"b":1,"10":2,"9":3,"1":4}', '{"1":4,"10":2,"9":3,"b":1}'],
  [
    'integer-like keys of several lengths',
    '{"2":0,"100":0,"20":0,"-1":0,"01":0}',
    '{"-1":0,"01":0,"100":0,"2":0,"20":0}',
  ],
  [
    'hyphens sort before letters',
    '{"endpoint":1,"endpoint-id":2,"endpoints":3}',
    '{"endpoint":1,"endpoint-id":2,"endpoints":3}',
  ],
  ['keys beyond ASCII sort by code point', '{"é":1,"z":2,"ä":3,"e":4}', '{"e":4,"z":2,"ä":3,"é":1}'],
  ['keys beyond U+FFFF sort behind U+FF61', '{"😀":1,"｡":2}', '{"｡":2,"😀":1}'],
  ['keys beyond U+FFFF sort behind U+E000', '{"\\ud800\\udc00":1,"\\ue000":2}', '{"\ue000":2,"\u{10000}":1}'],
  ['the last code point sorts last', '{"\\udbff\\udfff":1,"\\uffee":2,"a":3}', '{"a":3,"\uffee":2,"\u{10ffff}":1}'],
  ['two keys beyond U+FFFF', '{"😁":1,"😀":2,"𐀀":3}', '{"𐀀":3,"😀":2,"😁":1}'],
  ['keys are not normalized', '{"e\\u0301":1,"\\u00e9":2}', '{"e\u0301":1,"\u00e9":2}'],
  [
    'keys with escapes sort by what they mean',
    '{"\\n":1,"\\u0001":2," ":3,"\\"":4,"\\\\":5}',
    '{"\\u0001":2,"\\n":1," ":3,"\\"":4,"\\\\":5}',
  ],
  ['a key named __proto__', '{"b":1,"__proto__":{"y":1,"x":2},"a":3}', '{"__proto__":{"x":2,"y":1},"a":3,"b":1}'],
  [
    'keys named like methods',
    '{"toString":1,"constructor":2,"hasOwnProperty":3}',
    '{"constructor":2,"hasOwnProperty":3,"toString":1}',
  ],
  ['quote and backslash are escaped', '"\\u0022\\u005c"', '"\\"\\\\"'],
  ['short escapes', '"\\u0008\\u0009\\u000a\\u000c\\u000d"', '"\\b\\t\\n\\f\\r"'],
  ['other control characters, hex in lower case', '"\\u0000\\u0001\\u001F\\u000B"', '"\\u0000\\u0001\\u001f\\u000b"'],
  ['the slash is not escaped', '"\\/a/"', '"/a/"'],
  ['U+007F is not escaped', '"\\u007f"', '"\u007f"'],
  ['C1 control characters are not escaped', '"\\u0080\\u009f"', '"\u0080\u009f"'],
  ['line separators are not escaped', '"\\u2028\\u2029"', '"\u2028\u2029"'],
  ['letters beyond ASCII are not escaped', '"\\u00e9\\u4e2d\\u05d0"', '"é中א"'],
  ['a surrogate pair is one character', '"\\uD83D\\uDE00"', '"😀"'],
  ['markup is not escaped', '"<a href=\\"x\\">&amp;</a>]]>"', '"<a href=\\"x\\">&amp;</a>]]>"'],
  ['U+FEFF inside a string stays', '"\\ufeffx"', '"\ufeffx"'],
  ['strings are not normalized', '"e\\u0301 \\u00e9 \\ufb01"', '"e\u0301 \u00e9 \ufb01"'],
  ['a string of digits stays a string', '{"version":"1.0"}', '{"version":"1.0"}'],
  ['zero', '0', '0'],
  ['minus zero is zero', '-0', '0'],
  ['minus zero with a fraction is zero', '-0.0e5', '0'],
  ['a fraction of nothing goes', '1.0', '1'],
  ['an exponent goes where it can', '1e3', '1000'],
  ['an exponent with a plus', '1.5E+2', '150'],
  ['a fraction keeps its shortest form', '0.10', '0.1'],
  ['the shortest digits that mean the same', '0.1000000000000000055511151231257827', '0.1'],
  ['the sum of 0.1 and 0.2', '0.30000000000000004', '0.30000000000000004'],
  ['negative fractions', '[-1.5,-0.25]', '[-1.5,-0.25]'],
  ['the largest safe integer', '9007199254740991', '9007199254740991'],
  ['the smallest safe integer', '-9007199254740991', '-9007199254740991'],
  ['the largest number without exponent', '999999999999999900000', '999999999999999900000'],
  ['from 10^21 on with exponent', '1000000000000000000000', '1e+21'],
  ['the smallest number without exponent', '0.000001', '0.000001'],
  ['below 10^-6 with exponent', '0.0000001', '1e-7'],
  ['an exponent has no leading zeros', '1e-007', '1e-7'],
  [
    'the numbers of RFC 8785 §3.2.2',
    '[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001]',
    '[333333333.3333333,1e+30,4.5,0.002,1e-27]',
  ],
  [
    'the strings of RFC 8785 §3.2.2',
    '"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/"',
    '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"',
  ],
  [
    'an announcement of the draft',
    '{\n  "asserted-at": "2026-04-27T12:00:00Z",\n  "endpoint": "https://example.com/a2a/v1",\n  "endpoint-id": "a2a",\n  "protocol": "a2a",\n  "version": "1.0"\n}',
    '{"asserted-at":"2026-04-27T12:00:00Z","endpoint":"https://example.com/a2a/v1","endpoint-id":"a2a","protocol":"a2a","version":"1.0"}',
  ],
  [
    'a schema-change of the draft',
    '{"effective-at":"2026-04-27T13:00:00Z","endpoint-id":"orders-api","from-version":"1.0","migration":{"add":["/currency"],"rename":{"/amount":"/total"}},"to-version":"1.1"}',
    '{"effective-at":"2026-04-27T13:00:00Z","endpoint-id":"orders-api","from-version":"1.0","migration":{"add":["/currency"],"rename":{"/amount":"/total"}},"to-version":"1.1"}',
  ],
  [
    'pointers as keys',
    '{"retype":{"/b~1c":{"to":"number","from":"string"},"/a":{"to":"nullable<string>","from":"null"}}}',
    '{"retype":{"/a":{"from":"null","to":"nullable<string>"},"/b~1c":{"from":"string","to":"number"}}}',
  ],
];

/** The bits of a double, and how it is written (RFC 8785, appendix B). */
const DOUBLES = [
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
  ['0010000000000000', '2.2250738585072014e-308'],
  ['000fffffffffffff', '2.225073858507201e-308'],
];

/** Values without a canonical form. `double` are the bits of a number; `input` is a JSON text; otherwise `what` describes it. */
const REFUSED = [
  { name: 'NaN', double: '7ff8000000000000' },
  { name: 'another NaN', double: '7fffffffffffffff' },
  { name: 'infinity', double: '7ff0000000000000' },
  { name: 'minus infinity', double: 'fff0000000000000' },
  { name: 'infinity deep in a value', double: '7ff0000000000000', within: '{"migration":{"limit":[1,$]}}' },
  { name: 'half a surrogate pair, the first', input: '"\\ud83d"' },
  { name: 'half a surrogate pair, the second', input: '"\\ude00x"' },
  { name: 'halves in the wrong order', input: '"\\ude00\\ud83d"' },
  { name: 'half a surrogate pair in a key', input: '{"a\\ud800":1}' },
];

export function canonicalization() {
  const values = CASES.map(([name, input, text]) => {
    assert.equal(canonical(JSON.parse(input)), text, name);
    return { name, input, canonical: text, hex: Buffer.from(text).toString('hex') };
  });
  const doubles = DOUBLES.map(([double, text]) => {
    assert.equal(String(Buffer.from(double, 'hex').readDoubleBE()), text, double);
    return { name: `the double ${double}`, double, canonical: text };
  });
  return { values, doubles, refused: REFUSED };
}
