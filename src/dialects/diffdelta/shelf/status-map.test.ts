import { expect, test } from 'vitest';
import type { SourceEntry } from '../../../codecs/diffdelta/wire.ts';
import { StatusMap } from './status-map.ts';

const ENTRY: SourceEntry = {
  status: 'ok',
  changed: false,
  cursor: null,
  prev_cursor: null,
  ttl_sec: 300,
  head_url: '/diff/a/head.json',
  latest_url: '/diff/a/latest.json',
};
const BROKEN: SourceEntry = { ...ENTRY, status: 'error' };
const idOf = (number: number) => `s${String(number).padStart(4, '0')}`;

function mapOf(count: number): StatusMap {
  const map = new StatusMap();
  for (let number = count - 1; number >= 0; number--) map.put(idOf(number), ENTRY, true);
  return map;
}

test('all sources are told of while they are few, in order of id', () => {
  expect(Object.keys(mapOf(100).select([]))).toEqual(Array.from({ length: 100 }, (_, number) => idOf(number)));
});

test('of many, those with items come first, then those in trouble, then the others by id', () => {
  const map = mapOf(400);
  map.put(idOf(390), BROKEN, true);
  map.put(idOf(395), { ...ENTRY, status: 'degraded' }, true);
  const ids = Object.keys(map.select([idOf(380)]));
  expect(ids).toHaveLength(100);
  expect(ids.slice(-4)).toEqual([idOf(96), idOf(380), idOf(390), idOf(395)]);
  map.put(idOf(390), ENTRY, true);
  expect(Object.keys(map.select([])).slice(-2)).toEqual([idOf(98), idOf(395)]);
});

test('sources with items are told of however many they are; one that nobody watches only then', () => {
  const map = mapOf(300);
  const all = Array.from({ length: 300 }, (_, number) => idOf(number));
  expect(Object.keys(map.select(all))).toHaveLength(300);
  map.put('gone', BROKEN, false);
  expect(map.select([])).not.toHaveProperty('gone');
  expect(map.select(['gone', 'unheard'])).toHaveProperty('gone', BROKEN);
  expect(map.select(['gone', 'unheard'])).not.toHaveProperty('unheard');
});
