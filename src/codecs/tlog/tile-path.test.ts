import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { decodeTilePath, encodeTileIndex, encodeTilePath, type Tile } from './tile-path.ts';
import { newBundles, newTiles, tileWidth } from './tiles-of-size.ts';
import { accepted, clauseOf, vector } from './tlog-fixtures.contract.ts';

const NUMBERS = vector<{ index: string; path: string }[]>('TL-T5-tile-numbers.json');
const SIZES = vector<{ size: number; levels: { full: number; partial: number }[] }[]>('TL-T8-tiles-of-sizes.json');

clause('TL-T4', 'levels go from 0 to 63, widths of partial tiles from 1 to 255', () => {
  for (const path of [
    'tile/00/000',
    'tile/64/000',
    'tile/-1/000',
    'tile/8/0/000.p/0',
    'tile/data/000',
    'tile/1e1/000',
  ]) {
    expect(decodeTilePath(path).ok, path).toBe(false);
  }
  for (const width of ['0', '256', '07', '-1', '1.5', '999', '1e1', '']) {
    expect(decodeTilePath(`tile/0/000.p/${width}`).ok, width).toBe(false);
  }
  expect(accepted(decodeTilePath('tile/63/000.p/255'))).toEqual({ level: 63, index: 0, width: 255 });
  for (const wrong of [
    { width: 0 },
    { width: 257 },
    { level: 64 },
    { index: -1 },
    { index: 0.5 },
    { index: 2 ** 53 },
  ]) {
    expect(() => encodeTilePath({ level: 0, index: 0, width: 256, ...wrong })).toThrow(RangeError);
  }
});

clause('TL-T5', 'numbers are written in groups of three digits', () => {
  expect(NUMBERS).toHaveLength(11);
  for (const { index, path } of NUMBERS) {
    expect(encodeTileIndex(BigInt(index))).toBe(path);
    if (Number(index) >= 2 ** 45) expect(clauseOf(decodeTilePath(`tile/0/${path}`))).toBe('TL-P13');
    else expect(accepted(decodeTilePath(`tile/0/${path}`)).index).toBe(Number(index));
  }
  for (const wrong of [
    '1000',
    'x000/067',
    '67',
    '001/000',
    'x001',
    'x001/0',
    'X001/000',
    '000/',
    '0000',
    'x1/000',
    '٠٠٠',
  ]) {
    expect(clauseOf(decodeTilePath(`tile/0/${wrong}`)), wrong).toBe('TL-T5');
  }
  for (const wrong of ['', '/tile/0/000', 'tile/0/000\n', 'tile/0/000.p', 'tile//000', '../tile/0/000']) {
    expect(decodeTilePath(wrong).ok, wrong).toBe(false);
  }
  expect(clauseOf(decodeTilePath(`tile/0/${'x999/'.repeat(200)}999`))).toBe('TL-P13');
});

test('a tile has one path', () => {
  const tile = fc.record({
    level: fc.oneof(fc.integer({ min: 0, max: 63 }), fc.constant('entries' as const)),
    index: fc.integer({ min: 0, max: 2 ** 45 - 1 }),
    width: fc.integer({ min: 1, max: 256 }),
  });
  fc.assert(
    fc.property(tile, (own) => {
      expect(accepted(decodeTilePath(encodeTilePath(own)))).toEqual(own);
    }),
  );
});

clause('TL-T8', 'a size has exactly its tiles: no empty ones, and no level over a partial tile', () => {
  expect([...newTiles(0, 0)]).toEqual([]);
  for (const { size, levels } of SIZES) {
    const seen: { full: number; partial: number }[] = [];
    for (const { level, width } of newTiles(0, size)) {
      const row = seen[Number(level)] ?? { full: 0, partial: 0 };
      seen[Number(level)] = width === 256 ? { ...row, full: row.full + 1 } : { ...row, partial: width };
    }
    expect(seen, `${size}`).toEqual(levels);
  }
  const paths = (from: number, to: number) => [...newTiles(from, to), ...newBundles(from, to)].map(encodeTilePath);
  expect(paths(0, 256)).toEqual(['tile/0/000', 'tile/1/000.p/1', 'tile/entries/000']);
  expect(paths(255, 257)).toEqual([
    'tile/0/000',
    'tile/0/001.p/1',
    'tile/1/000.p/1',
    'tile/entries/000',
    'tile/entries/001.p/1',
  ]);
  expect(paths(257, 258)).toEqual(['tile/0/001.p/2', 'tile/entries/001.p/2']);
  expect(paths(300, 300)).toEqual([]);
  expect(() => paths(2, 1)).toThrow(RangeError);
});

test('what is new in steps is all there is, and nothing that was full is new again', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2000 }), { minLength: 1, maxLength: 5 }), (sizes) => {
      const steps = [0, ...sizes.toSorted((one, other) => one - other)];
      const full = new Set<string>();
      const last = steps.at(-1) ?? 0;
      const partials = new Map<string, string>();
      for (let at = 1; at < steps.length; at += 1) {
        for (const tile of newTiles(steps[at - 1] ?? 0, steps[at] ?? 0)) {
          const path = encodeTilePath(tile);
          expect(full.has(path)).toBe(false);
          if (tile.width === 256) full.add(path);
          else partials.set(`${tile.level}`, path);
        }
      }
      const needed = [...newTiles(0, last)];
      for (const tile of needed) {
        if (tile.width === 256) expect(full.has(encodeTilePath(tile))).toBe(true);
        else expect(partials.get(`${tile.level}`)).toBe(encodeTilePath(tile));
      }
      expect(full.size).toBe(needed.filter(({ width }: Tile) => width === 256).length);
    }),
    { numRuns: 20 },
  );
});

clause('TL-P13', 'widths are exact beyond 32 bits', () => {
  expect(tileWidth(2 ** 40 + 5, 0, 2 ** 32)).toBe(5);
  expect(tileWidth(2 ** 40 + 5, 0, 2 ** 32 - 1)).toBe(256);
  expect(tileWidth(2 ** 40, 0, 2 ** 32)).toBe(0);
  expect(tileWidth(2 ** 53 - 1, 6, 0)).toBe(31);
});
