import { expect, test } from 'vitest';
import { decodeAcceptSignature } from './accept-signature.ts';

const OWN_FIELDS = ['signature-agent', 'user-agent'];
const decode = (field: string) => decodeAcceptSignature(field, (name) => OWN_FIELDS.includes(name));

test('components, label and nonce are taken over as they are asked for', () => {
  const field =
    'sig1=("@authority" "@method" "signature-agent";key="sig1");created;expires;nonce="a\\"b";tag="web-bot-auth"';
  expect(decode(field)).toEqual({
    label: 'sig1',
    components: [{ name: '@authority' }, { name: '@method' }, { name: 'signature-agent', key: 'sig1' }],
    nonce: 'a"b',
  });
});

test.each([
  ['another tag', 'sig1=("@authority");tag="else"'],
  ['no tag', 'sig1=("@authority");created'],
  ['no dictionary', '"@authority"'],
])('%s asks crawlers for nothing', (_, field) => {
  expect(decode(field)).toBeUndefined();
});

test.each([
  ['cookie', '("cookie")', 'never signed'],
  ['authorization', '("@authority" "authorization")', 'never signed'],
  ['a field that we do not send', '("x-secret")', 'has no "x-secret"'],
  ['a derived component that there is not', '("@nothing")', 'has no "@nothing"'],
  ['parameters of another kind', '("@authority";bs)', 'not known'],
  ['a token for a name', '(authority)', 'no name'],
  ['40 components', `(${'"@authority" '.repeat(40).trim()})`, '40 components'],
  ['no list', '1', 'no list'],
])('%s is not signed, and it is said why', (_, list, reason) => {
  expect(decode(`sig1=${list};tag="web-bot-auth"`)).toContain(reason);
});
