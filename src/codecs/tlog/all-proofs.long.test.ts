import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { GrowingTree } from './growing-tree.ts';
import { leafAt } from './tlog-fixtures.contract.ts';
import { EMPTY_ROOT } from './tree-hash.ts';
import {
  consistencyRanges,
  inclusionRanges,
  type LeafRange,
  proveConsistency,
  proveInclusion,
  rangeHash,
} from './tree-proofs.ts';
import { verifyConsistency, verifyInclusion } from './verify-proof.ts';

const sha256 = (bytes: Uint8Array) => hash('sha256', bytes, 'buffer');
const ALL = 300;
const LARGEST = 100_000;

/** The tile hashes of a tree of different leaves, and its root at every size. */
const tree = (() => {
  const growing = new GrowingTree(sha256);
  const levels: Uint8Array[][] = [];
  const roots = [growing.root()];
  for (let index = 0; index < LARGEST; index += 1) {
    for (const { level, hash: own } of growing.append(leafAt(index)))
      levels[level] = [...(level === 0 ? [] : (levels[level] ?? [])), own];
    roots.push(growing.root());
  }
  const hashAt = (level: number, index: number) => (level === 0 ? leafAt(index) : levels[level]?.[index]) ?? EMPTY_ROOT;
  return { roots, tiles: { hashAt, sha256 } };
})();

const RANGES = new Map<string, Uint8Array>();

/** What proveInclusion and proveConsistency do, each range hashed once: all trees have most of them in common. */
function proofOf(ranges: readonly LeafRange[]): readonly Uint8Array[] {
  return ranges.map((range) => {
    const name = `${range.start}-${range.end}`;
    const known = RANGES.get(name) ?? rangeHash(range, tree.tiles);
    RANGES.set(name, known);
    return known;
  });
}

const head = (treeSize: number) => ({ treeSize, rootHash: tree.roots[treeSize] ?? EMPTY_ROOT });

/** One element altered in one bit, each in turn; the first or the last gone; one more in front or at the end. */
function* tampered(proof: readonly Uint8Array[]): Generator<readonly Uint8Array[]> {
  for (const [at, element] of proof.entries()) {
    const other = Uint8Array.from(element);
    other[at] = (other[at] ?? 0) ^ 0x80;
    yield proof.with(at, other);
  }
  if (proof.length > 0) yield* [proof.slice(1), proof.slice(0, -1)];
  if (proof.length > 1) yield proof.toReversed();
  yield* [
    [...proof, EMPTY_ROOT],
    [EMPTY_ROOT, ...proof],
  ];
}

clause('TL-P5', 'all inclusion proofs of all trees to 300 leaves verify, and no tampered one', () => {
  let [verified, refused] = [0, 0];
  for (let size = 1; size <= ALL; size += 1) {
    for (let index = 0; index < size; index += 1) {
      const proof = proofOf(inclusionRanges(index, size));
      const verify = (own: readonly Uint8Array[]) =>
        verifyInclusion({ index, hash: leafAt(index), proof: own }, head(size), sha256).ok;
      if (verify(proof)) verified += 1;
      for (const wrong of tampered(proof)) {
        if (verify(wrong)) throw new Error(`A tampered proof of ${index} in ${size} verifies.`);
        refused += 1;
      }
    }
  }
  expect(verified).toBe((ALL * (ALL + 1)) / 2);
  expect(refused).toBeGreaterThan(400_000);
});

clause('TL-P7', 'all consistency proofs of all trees to 300 leaves verify, and no tampered one', () => {
  let [verified, refused] = [0, 0];
  for (let size = 1; size <= ALL; size += 1) {
    for (let oldSize = 0; oldSize <= size; oldSize += 1) {
      const proof = proofOf(consistencyRanges(oldSize, size));
      const verify = (own: readonly Uint8Array[]) =>
        verifyConsistency(head(oldSize), head(size), { proof: own, sha256 }).ok;
      if (verify(proof)) verified += 1;
      for (const wrong of tampered(proof)) {
        if (verify(wrong)) throw new Error(`A tampered proof from ${oldSize} to ${size} verifies.`);
        refused += 1;
      }
    }
  }
  expect(verified).toBe((ALL * (ALL + 3)) / 2);
  expect(refused).toBeGreaterThan(400_000);
});

test('sampled proofs of trees to 100,000 leaves verify, at their own index and size alone', () => {
  const numbers = fc.tuple(fc.integer({ min: 1, max: LARGEST }), fc.nat(), fc.nat());
  fc.assert(
    fc.property(numbers, ([size, one, other]) => {
      const index = one % size;
      const proof = proveInclusion(index, size, tree.tiles);
      const included = (at: number, treeSize: number) =>
        verifyInclusion({ index: at, hash: leafAt(index), proof }, head(treeSize), sha256).ok;
      expect(included(index, size)).toBe(true);
      const place = other % size;
      expect(included(place, size)).toBe(place === index);
      const oldSize = 1 + (other % size);
      const consistency = proveConsistency(oldSize, size, tree.tiles);
      expect(verifyConsistency(head(oldSize), head(size), { proof: consistency, sha256 }).ok).toBe(true);
      for (const wrong of tampered(consistency))
        expect(verifyConsistency(head(oldSize), head(size), { proof: wrong, sha256 }).ok).toBe(false);
    }),
    { numRuns: 500 },
  );
});
