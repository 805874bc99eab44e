import { expect, test } from 'vitest';
import { bearerToken, hashToken, isTokenAcceptable, tokenMatches } from './admin-token.ts';

const TOKEN = 'tdg_0123456789abcdefghijABCDEFGHIJ_-';

test('a token is kept as its SHA-256 and found again by that', () => {
  const hash = hashToken(TOKEN);
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(hash).not.toContain(TOKEN);
  expect(tokenMatches(hash, `Bearer ${TOKEN}`)).toBe(true);
  expect(tokenMatches(hash, `bearer   ${TOKEN} `)).toBe(true);
});

test.each([
  ['no header', undefined],
  ['an empty one', ''],
  ['the token alone', TOKEN],
  ['another scheme', `Basic ${TOKEN}`],
  ['the scheme alone', 'Bearer'],
  ['no token', 'Bearer '],
  ['a beginning of it', `Bearer ${TOKEN.slice(0, -1)}`],
  ['more than it', `Bearer ${TOKEN}x`],
  ['it in another case', `Bearer ${TOKEN.toUpperCase()}`],
  ['its hash', `Bearer ${hashToken(TOKEN)}`],
  ['two of them', `Bearer ${TOKEN}, Bearer ${TOKEN}`],
])('%s is not the token', (_, header) => {
  expect(tokenMatches(hashToken(TOKEN), header)).toBe(false);
});

test('a damaged hash matches nothing', () => {
  for (const hash of ['', 'zz', hashToken(TOKEN).slice(2)]) expect(tokenMatches(hash, `Bearer ${TOKEN}`)).toBe(false);
});

test.each([
  ['x'.repeat(16), true],
  ['x'.repeat(15), false],
  ['', false],
  [`${'x'.repeat(16)} y`, false],
  [`${'x'.repeat(16)}\n`, false],
  [`${'x'.repeat(16)}é`, false],
  ['!~#$%^&*()_+={}[]', true],
  ['x'.repeat(1025), false],
])('%j is acceptable: %s', (text, expected) => {
  expect(isTokenAcceptable(text)).toBe(expected);
});

test('every acceptable token can be sent and read back', () => {
  const printable = String.fromCharCode(...Array.from({ length: 0x7e - 0x20 }, (_, index) => 0x21 + index));
  expect(isTokenAcceptable(printable)).toBe(true);
  expect(bearerToken(`Bearer ${printable}`)).toBe(printable);
});
