import { expect, test } from 'vitest';
import { ByteCache } from './byte-cache.ts';

test('it never holds more than it may, and what was used last stays', () => {
  const cache = new ByteCache(10);
  cache.set('a', new Uint8Array(4));
  cache.set('b', new Uint8Array(4));
  expect(cache.get('a')).toHaveLength(4);
  cache.set('c', new Uint8Array(4));
  expect(cache.get('b')).toBeUndefined();
  expect(cache.get('a')).toHaveLength(4);
  expect(cache.bytes).toBe(8);
});

test('a longer value takes the place of the one before', () => {
  const cache = new ByteCache(10);
  cache.set('a', new Uint8Array(4));
  cache.set('a', new Uint8Array(9));
  expect(cache.bytes).toBe(9);
  cache.delete('a');
  cache.delete('a');
  expect(cache.bytes).toBe(0);
});

test('what is larger than the cache is not kept and pushes nothing out', () => {
  const cache = new ByteCache(10);
  cache.set('a', new Uint8Array(4));
  cache.set('b', new Uint8Array(11));
  expect(cache.get('b')).toBeUndefined();
  expect(cache.get('a')).toHaveLength(4);
});
