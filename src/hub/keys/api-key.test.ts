import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { randomApiKey } from '../../io/node/random-api-key.ts';
import { apiKeyRecord, hashApiKey, isApiKey, makeApiKey } from './api-key.ts';

const KEY = 'dd_live_9fK2mXb7Qw4ZtR1LcY8sVnE3HjP6uD0a';

clause('DD-U8', 'a key is dd_live_ and 32 characters of base62, all of them equally likely', () => {
  const keys = Array.from({ length: 2000 }, randomApiKey);
  for (const key of keys) expect(key).toMatch(/^dd_live_[0-9A-Za-z]{32}$/);
  expect(new Set(keys).size).toBe(2000);

  const counts = new Map<string, number>();
  for (const letter of keys.join('').replaceAll('dd_live_', '')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const expected = (2000 * 32) / 62;
  // Six standard deviations either way; a plain remainder of a byte would put "0" to "7" a quarter above the others.
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(6 * Math.sqrt(expected));
  expect(counts.size).toBe(62);
});

test('bytes that would favour some characters are passed over', () => {
  const given = [Uint8Array.from({ length: 32 }, () => 250), Uint8Array.from({ length: 32 }, (_, at) => 248 - at * 4)];
  const all = [...given, Uint8Array.from({ length: 32 }, () => 61)];
  // 248 is the first that is passed over: 31 characters are left of the second lot, and one is taken of the third.
  expect(makeApiKey(() => all.shift() ?? new Uint8Array(32))).toMatch(/^dd_live_[0-9A-Za-z]{31}z$/);
  expect(all).toEqual([]);
});

test.each([
  '',
  'dd_live_',
  KEY.slice(0, -1),
  `${KEY}0`,
  `${KEY}\n`,
  KEY.replace('dd_live_', 'dd_test_'),
  KEY.replace('9', '-'),
  `${KEY}, ${KEY}`,
  ` ${KEY}`,
])('%j is no key', (text) => {
  expect(isApiKey(text)).toBe(false);
  expect(isApiKey(KEY)).toBe(true);
});

test('what is kept of a key is its hash and how it begins', () => {
  const record = apiKeyRecord(KEY, { tier: 'pro', createdMs: 1 });
  expect(record).toEqual({ hash: hashApiKey(KEY), prefix: 'dd_live_9fK2', tier: 'pro', createdMs: 1 });
  expect(record.hash).toBe(createHash('sha256').update(KEY).digest('hex'));
});
