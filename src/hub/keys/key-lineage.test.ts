import { expect, test } from 'vitest';
import type { ApiKeyRecord } from './api-key-store.ts';
import { heirStanding, lineageOf } from './key-lineage.ts';

function key(hash: string, more: Partial<ApiKeyRecord> = {}): ApiKeyRecord {
  return { hash, prefix: 'dd_live_0000', tier: 'pro', createdMs: 0, ...more };
}

const ROTATED = { revokedMs: 1, revokedFor: 'rotated' };

test('what belongs to a key belongs to the one that took over from it', () => {
  const keys = [key('a', ROTATED), key('b', { ...ROTATED, replaces: 'a' }), key('c', { replaces: 'b' }), key('d')];
  expect(lineageOf(keys[2] as ApiKeyRecord, keys)).toEqual(['c', 'b', 'a']);
  expect(lineageOf(keys[3] as ApiKeyRecord, keys)).toEqual(['d']);
  expect(['a', 'b', 'c', 'd'].map((hash) => heirStanding(hash, keys))).toEqual(['good', 'good', 'good', 'good']);
});

test('it ends with the last of them, and waits while that is not paid for', () => {
  const heir = (more: Partial<ApiKeyRecord>) => [key('a', ROTATED), key('b', { replaces: 'a', ...more })];
  expect(heirStanding('a', heir({ revokedMs: 2, revokedFor: 'revoked' }))).toBe('ended');
  expect(heirStanding('a', heir({ revokedMs: 2, revokedFor: 'unpaid' }))).toBe('paused');
  expect(heirStanding('x', heir({}))).toBe('ended');
});

test('a ring of keys has an end', () => {
  const ring = [key('a', { ...ROTATED, replaces: 'b' }), key('b', { ...ROTATED, replaces: 'a' })];
  expect(lineageOf(ring[0] as ApiKeyRecord, ring)).toEqual(['a', 'b']);
  expect(heirStanding('a', ring)).toBe('ended');
});
