import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { concatBytes } from '../primitives/bytes.ts';
import { decodeEntryBundle, encodeEntryBundle, findAlteredEntry, MAX_BUNDLE_BYTES } from './entry-bundle.ts';
import { decodeHashTile, MAX_TILE_BYTES } from './hash-tile.ts';
import { accepted, bytesOf, clauseOf, entryBytes, leafAt, sha256 } from './tlog-fixtures.contract.ts';

const SEVEN = Array.from({ length: 7 }, (_, index) => entryBytes(index));
const BUNDLE = encodeEntryBundle(SEVEN);

clause('TL-E2', 'a bundle is length and bytes of each entry, and nothing else', () => {
  expect(Buffer.from(encodeEntryBundle([bytesOf('entry-0')])).toString('hex')).toBe('0007656e7472792d30');
  expect(BUNDLE).toHaveLength(63);
  expect(accepted(decodeEntryBundle(BUNDLE, 7))).toEqual(SEVEN);
});

clause('TL-E3', 'an entry has at most 65,535 bytes, and may have none', () => {
  const longest = new Uint8Array(65_535).fill(7);
  const [again] = accepted(decodeEntryBundle(encodeEntryBundle([longest]), 1));
  expect(Buffer.compare(again ?? new Uint8Array(0), longest)).toBe(0);
  expect(() => encodeEntryBundle([SEVEN[0] ?? longest, new Uint8Array(65_536)])).toThrow('65536');
  expect(accepted(decodeEntryBundle(Uint8Array.of(0, 0), 1))).toEqual([new Uint8Array(0)]);
  for (const count of [0, 257])
    expect(() => encodeEntryBundle(new Array(count).fill(new Uint8Array(1)))).toThrow(RangeError);
});

clause('TL-E4', 'each entry hashes to its place in the tile, without its length', () => {
  const hashes = SEVEN.map((_, index) => leafAt(index));
  expect(findAlteredEntry(SEVEN, hashes, sha256)).toBeUndefined();
  expect(findAlteredEntry(SEVEN.with(4, bytesOf('entry-x')), hashes, sha256)).toBe(4);
  expect(findAlteredEntry(SEVEN.with(1, entryBytes(2)).with(2, entryBytes(1)), hashes, sha256)).toBe(1);
  expect(findAlteredEntry(SEVEN.slice(0, 6), hashes, sha256)).toBe(6);
  expect(findAlteredEntry(SEVEN, hashes.slice(0, 6), sha256)).toBe(6);
  expect(findAlteredEntry([concatBytes(Uint8Array.of(0, 7), entryBytes(0))], hashes.slice(0, 1), sha256)).toBe(0);
});

clause('TL-E5', 'a bundle of other entries than it must have is refused', () => {
  for (let length = 0; length < BUNDLE.length; length += 1) {
    expect(clauseOf(decodeEntryBundle(BUNDLE.subarray(0, length), 7))).toBe('TL-E5');
  }
  expect(clauseOf(decodeEntryBundle(concatBytes(BUNDLE, Uint8Array.of(0)), 7))).toBe('TL-E5');
  expect(clauseOf(decodeEntryBundle(BUNDLE, 6))).toBe('TL-E5');
  expect(clauseOf(decodeEntryBundle(BUNDLE, 8))).toBe('TL-E5');
});

test('a bundle that is too long is not read', () => {
  expect(MAX_BUNDLE_BYTES).toBe(16_777_472);
  expect(MAX_TILE_BYTES).toBe(8192);
  expect(clauseOf(decodeEntryBundle(new Uint8Array(MAX_BUNDLE_BYTES + 1), 256))).toBe('TL-E7');
});

test('any entries come back, also from the middle of a buffer', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 600 }), { minLength: 1, maxLength: 20 }), (entries) => {
      const shifted = concatBytes(Uint8Array.of(1, 2, 3), encodeEntryBundle(entries)).subarray(3);
      expect(accepted(decodeEntryBundle(shifted, entries.length))).toEqual(entries);
    }),
  );
});

clause('TL-T6', 'a tile has 32 bytes for each hash, and 8,192 if it is full', () => {
  expect(accepted(decodeHashTile(new Uint8Array(MAX_TILE_BYTES), 256))).toHaveLength(256);
  for (const length of [0, 1, 8191, 8193, 8160])
    expect(clauseOf(decodeHashTile(new Uint8Array(length), 256))).toBe('TL-T6');
  for (const length of [0, 223, 225, 256]) expect(clauseOf(decodeHashTile(new Uint8Array(length), 7))).toBe('TL-T6');
});

clause('TL-T11', 'the first hashes of a full tile stand for the partial one that is gone', () => {
  const leaves = Array.from({ length: 256 }, (_, index) => leafAt(index));
  const partial = accepted(decodeHashTile(concatBytes(...leaves.slice(0, 7)), 7));
  expect(accepted(decodeHashTile(concatBytes(...leaves), 7))).toEqual(partial);
});
