import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { encodeBase64 } from '../primitives/base64.ts';
import { clauseOf, definedRoot, leafAt, sha256, TEST_TILES, vector } from './tlog-fixtures.contract.ts';
import { EMPTY_ROOT } from './tree-hash.ts';
import {
  consistencyRanges,
  inclusionRanges,
  proveConsistency,
  proveInclusion,
  rangeHash,
  tilesForProof,
} from './tree-proofs.ts';
import { verifyConsistency, verifyInclusion } from './verify-proof.ts';

const INCLUSION = vector<{ index: number; size: number; proof: string[] }[]>('TL-P4-inclusion.json');
const CONSISTENCY = vector<{ oldSize: number; size: number; proof: string[] }[]>('TL-P6-consistency.json');

const head = (treeSize: number) => ({ treeSize, rootHash: definedRoot(0, treeSize) });
const included = (index: number, size: number, proof: readonly Uint8Array[]) =>
  clauseOf(verifyInclusion({ index, hash: leafAt(index), proof }, head(size), sha256));
const consistent = (oldSize: number, size: number, proof: readonly Uint8Array[]) =>
  clauseOf(verifyConsistency(head(oldSize), head(size), { proof, sha256 }));

/** Every way in which public test cases damage a proof. */
function damaged(proof: readonly Uint8Array[], root: Uint8Array): (readonly Uint8Array[])[] {
  const stranger = new Uint8Array(32).fill(0xaa);
  const ways = [
    [...proof, new Uint8Array(0)],
    [...proof, stranger],
    [...proof, root],
    [stranger, ...proof],
    [root, ...proof],
  ];
  if (proof.length === 0) return ways;
  const flips = proof.map((hash, at) =>
    proof.with(
      at,
      Uint8Array.from(hash, (byte, place) => byte ^ (place === at % 32 ? 1 : 0)),
    ),
  );
  ways.push([], proof.slice(1), proof.slice(0, -1), proof.with(0, new Uint8Array(31)), ...flips);
  if (proof.length > 1) ways.push(proof.toReversed(), [...proof.slice(1, 2), ...proof.slice(0, 1), ...proof.slice(2)]);
  return ways;
}

clause('TL-P4', 'inclusion proofs list the siblings from the leaf upward', () => {
  expect(INCLUSION).toHaveLength(8);
  for (const { index, size, proof } of INCLUSION) {
    expect(proveInclusion(index, size, TEST_TILES).map(encodeBase64), `${index} ${size}`).toEqual(proof);
  }
  expect(proveInclusion(4, 5, TEST_TILES)).toHaveLength(1);
  expect(proveInclusion(0, 5, TEST_TILES)).toHaveLength(3);
  for (const [index, size] of [
    [1, 1],
    [-1, 1],
    [0.5, 1],
    [0, 0],
    [0, 2 ** 53],
  ] as const) {
    expect(() => inclusionRanges(index, size)).toThrow(RangeError);
  }
});

clause('TL-P6', 'consistency proofs leave out an old root that begins the tree', () => {
  expect(CONSISTENCY).toHaveLength(7);
  for (const { oldSize, size, proof } of CONSISTENCY) {
    expect(proveConsistency(oldSize, size, TEST_TILES).map(encodeBase64), `${oldSize} ${size}`).toEqual(proof);
  }
  const eight = proveConsistency(257, 300, TEST_TILES);
  expect(eight).toHaveLength(8);
  expect(eight.at(-1)).toEqual(definedRoot(0, 256));
  expect(proveConsistency(0, 7, TEST_TILES)).toEqual([]);
  expect(() => consistencyRanges(8, 7)).toThrow(RangeError);
  expect(consistent(8, 7, [])).toBe('TL-P6');
});

clause('TL-P5', 'a leaf is included by its own proof alone', () => {
  for (const [index, size] of [
    [0, 1],
    [0, 2],
    [3, 7],
    [6, 7],
    [4, 5],
    [255, 256],
    [256, 257],
    [299, 300],
  ] as const) {
    const proof = proveInclusion(index, size, TEST_TILES);
    expect(included(index, size, proof)).toBeUndefined();
    for (const wrong of damaged(proof, definedRoot(0, size))) expect(included(index, size, wrong)).toBe('TL-P5');
    for (const place of [index - 1, index + 1, index ^ 2, size, size + 5].filter(
      (each) => each >= 0 && each !== index,
    )) {
      const moved = verifyInclusion({ index: place, hash: leafAt(index), proof }, head(size), sha256);
      expect(clauseOf(moved), `${index} as ${place} of ${size}`).toBe('TL-P5');
    }
    for (const other of [0, size - 1, size + 1, size * 2]) {
      const resized = { treeSize: other, rootHash: definedRoot(0, size) };
      // A proof may fit sizes that have the same path: then the root it must lead to is what differs.
      const shape = clauseOf(verifyInclusion({ index, hash: leafAt(index), proof }, resized, sha256));
      const isSamePath = other > index && inclusionRanges(index, other).length === proof.length;
      if (!isSamePath) expect(shape, `${index} of ${size} in ${other}`).toBe('TL-P5');
      if (other > 0)
        expect(clauseOf(verifyInclusion({ index, hash: leafAt(index), proof }, head(other), sha256))).toBe('TL-P5');
    }
    const other = verifyInclusion({ index, hash: leafAt(index + 1), proof }, head(size), sha256);
    expect(clauseOf(other)).toBe('TL-P5');
  }
  expect(clauseOf(verifyInclusion({ index: 0, hash: EMPTY_ROOT, proof: [] }, head(0), sha256))).toBe('TL-P5');
});

clause('TL-P7', 'both roots are rebuilt and compared', () => {
  for (const [oldSize, size] of [
    [1, 2],
    [2, 3],
    [3, 7],
    [4, 7],
    [6, 8],
    [7, 8],
    [256, 300],
    [257, 300],
    [255, 256],
  ] as const) {
    const proof = proveConsistency(oldSize, size, TEST_TILES);
    expect(consistent(oldSize, size, proof)).toBeUndefined();
    for (const wrong of damaged(proof, definedRoot(0, size))) expect(consistent(oldSize, size, wrong)).toBe('TL-P7');
    const forged = { treeSize: oldSize, rootHash: new Uint8Array(32) };
    expect(clauseOf(verifyConsistency(forged, head(size), { proof, sha256 }))).toBe('TL-P7');
    const rewritten = { treeSize: size, rootHash: new Uint8Array(32) };
    expect(clauseOf(verifyConsistency(head(oldSize), rewritten, { proof, sha256 }))).toBe('TL-P7');
    expect(clauseOf(verifyConsistency(head(size), head(oldSize), { proof, sha256 }))).toBe('TL-P6');
    if (oldSize > 1) expect(consistent(oldSize - 1, size, proof)).toBe('TL-P7');
    expect(consistent(oldSize, size + 1, proof)).toBe('TL-P7');
  }
  expect(consistent(7, 7, [])).toBeUndefined();
  expect(consistent(7, 7, [leafAt(0)])).toBe('TL-P7');
  const fork = { treeSize: 7, rootHash: definedRoot(0, 6) };
  expect(clauseOf(verifyConsistency(head(7), fork, { proof: [], sha256 }))).toBe('TL-P7');
});

clause('TL-P8', 'from an empty log nothing is to be proven', () => {
  expect(consistent(0, 7, [])).toBeUndefined();
  expect(consistent(0, 0, [])).toBeUndefined();
  expect(consistent(0, 7, [leafAt(0)])).toBe('TL-P8');
  const wrong = { treeSize: 0, rootHash: new Uint8Array(32) };
  expect(clauseOf(verifyConsistency(wrong, head(7), { proof: [], sha256 }))).toBe('TL-P8');
  expect(clauseOf(verifyConsistency(head(0), wrong, { proof: [], sha256 }))).toBe('TL-P8');
});

/** A tree of 2^53 leaves that are all alike: each perfect subtree of a height has the same hash. */
const ALIKE = (() => {
  const byHeight = [leafAt(0)];
  for (let height = 1; height <= 53; height += 1) {
    const below = byHeight[height - 1] ?? EMPTY_ROOT;
    byHeight.push(sha256(Buffer.concat([Uint8Array.of(1), below, below])));
  }
  return { sha256, hashAt: (level: number) => byHeight[8 * level] ?? EMPTY_ROOT };
})();

clause('TL-P13', 'proofs are exact in trees beyond 32 bits', () => {
  for (const size of [2 ** 32 + 7, 2 ** 40 + 3]) {
    const big = { treeSize: size, rootHash: rangeHash({ start: 0, end: size }, ALIKE) };
    for (const index of [2 ** 31, size - 1]) {
      const proof = proveInclusion(index, size, ALIKE);
      expect(clauseOf(verifyInclusion({ index, hash: leafAt(0), proof }, big, sha256))).toBeUndefined();
      expect(clauseOf(verifyInclusion({ index, hash: leafAt(1), proof }, big, sha256))).toBe('TL-P5');
    }
    for (const oldSize of [2 ** 31, size - 1]) {
      const old = { treeSize: oldSize, rootHash: rangeHash({ start: 0, end: oldSize }, ALIKE) };
      const proof = proveConsistency(oldSize, size, ALIKE);
      expect(clauseOf(verifyConsistency(old, big, { proof, sha256 }))).toBeUndefined();
      expect(verifyConsistency(old, { ...big, rootHash: EMPTY_ROOT }, { proof, sha256 }).ok).toBe(false);
    }
  }
  expect(
    clauseOf(
      verifyInclusion({ index: 0, hash: leafAt(0), proof: [] }, { treeSize: 2 ** 53, rootHash: EMPTY_ROOT }, sha256),
    ),
  ).toBe('TL-P13');
});

test('a proof needs few tiles, each of the width that the size has', () => {
  const ranges = consistencyRanges(970_000, 1_000_000);
  const tiles = tilesForProof(ranges, 1_000_000);
  expect(tiles.length).toBeLessThanOrEqual(6);
  const asked = new Set<string>();
  const hashAt = (level: number, index: number) => {
    asked.add(`${level}/${Math.floor(index / 256)}`);
    return EMPTY_ROOT;
  };
  for (const range of ranges) rangeHash(range, { hashAt, sha256 });
  expect(asked).toEqual(new Set(tiles.map(({ level, index }) => `${level}/${index}`)));
  expect(tilesForProof(inclusionRanges(299, 300), 300)).toEqual(
    expect.arrayContaining([
      { level: 0, index: 1, width: 44 },
      { level: 1, index: 0, width: 1 },
    ]),
  );
});

test('any inclusion proof in trees to 100,000 leaves verifies, and with a flipped bit it does not', () => {
  const numbers = fc.tuple(fc.integer({ min: 1, max: 100_000 }), fc.nat(), fc.nat());
  fc.assert(
    fc.property(numbers, ([size, one, other]) => {
      const index = one % size;
      const root = rangeHash({ start: 0, end: size }, ALIKE);
      const proof = proveInclusion(index, size, ALIKE);
      const verify = (own: readonly Uint8Array[]) =>
        verifyInclusion({ index, hash: leafAt(0), proof: own }, { treeSize: size, rootHash: root }, sha256).ok;
      expect(verify(proof)).toBe(true);
      if (proof.length === 0) return;
      const at = other % proof.length;
      const bit = Uint8Array.from(proof[at] ?? EMPTY_ROOT);
      bit[other % 32] = (bit[other % 32] ?? 0) ^ (1 << (other % 8));
      expect(verify(proof.with(at, bit))).toBe(false);
      expect(verify(proof.slice(1))).toBe(false);
    }),
    { numRuns: 20 },
  );
});
