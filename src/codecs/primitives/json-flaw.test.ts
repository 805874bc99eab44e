import { expect, test } from 'vitest';
import { expectLinear } from '../../../test/support/count-steps.ts';
import { findJsonFlaw } from './json-flaw.ts';

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"b":{"a":1},"c":[{"x":1},{"y":1,"y":1}]}', 'c[1].y'],
  ['[{"a":{"b":[0,{"c":1,"c":1}]}}]', '[0].a.b[1].c'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"":1, "" : 2}', ''],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"a\\"":"{","a\\"":1}', 'a"'],
])('%s says a key twice', (text, at) => {
  expect(findJsonFlaw(text, 64)).toEqual({ is: 'duplicate', at });
});

test.each([
  '{}',
  '[]',
  '"a"',
  '7',
  '{"a":"a","b":"a"}',
  '{"a":["a","a"],"b":{"a":{"a":"a"}}}',
  '{"a":"\\"","b":"{\\"a\\":1,\\"a\\":2}"}',
  '[{"a":1},{"a":1}]',
  '{"a\\\\":1,"a":"x"}',
])('%s has no flaw', (text) => {
  expect(JSON.parse(text)).toBeDefined();
  expect(findJsonFlaw(text, 64)).toBeUndefined();
});

test('the depth is that of open brackets, outside of strings', () => {
  expect(findJsonFlaw('[[]]', 2)).toBeUndefined();
  expect(findJsonFlaw('[[[]]]', 2)).toEqual({ is: 'deep' });
  expect(findJsonFlaw('[{"a":[]}]', 2)).toEqual({ is: 'deep' });
  expect(findJsonFlaw('["[[[[",[],[],[]]', 2)).toBeUndefined();
});

test.each(['', '{', '}', ']]]', '{"a', '{"a\\', '{"a"', '{"a":', '{,,', '"', '{"\\x":1}', '{{"a":1'])(
  'of %j, which is no JSON, nothing is said',
  (text) => {
    expect(findJsonFlaw(text, 64)).toBeUndefined();
  },
);

test.each<[string, (count: number) => string]>([
  ['levels', (count) => '['.repeat(count)],
  ['members', (count) => `{${Array.from({ length: count }, (_, index) => `"k${index}":"${'x'.repeat(10)}"`).join()}}`],
  ['escapes', (count) => `{"${'\\"'.repeat(count)}`],
])('many %s are read in linear steps', async (_, make) => {
  findJsonFlaw(make(100_000), 1_000_000);
  await expectLinear<typeof import('./json-flaw.ts'), string>(
    new URL('./json-flaw.ts', import.meta.url),
    ({ findJsonFlaw }, text) => findJsonFlaw(text, 1_000_000),
    make,
    1000,
  );
});
