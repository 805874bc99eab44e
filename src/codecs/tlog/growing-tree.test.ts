import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { shortOrLong } from '../../../test/support/short-or-long.ts';
import { concatBytes } from '../primitives/bytes.ts';
import { encodeHex } from '../primitives/hex.ts';
import { encodeEntryBundle } from './entry-bundle.ts';
import { GrowingTree, perfectSubtrees } from './growing-tree.ts';
import { decodeTilePath } from './tile-path.ts';
import {
  accepted,
  definedRoot,
  entryBytes,
  leafAt,
  sha256,
  sha256Hex,
  TEST_TILES,
  vector,
} from './tlog-fixtures.contract.ts';
import { leafHash } from './tree-hash.ts';
import { rangeHash } from './tree-proofs.ts';

const ROOTS = vector<{ size: number; root: string }[]>('TL-P1-roots.json');
const FILES = vector<{ path: string; bytes: number; sha256: string }[]>('TL-T7-files.json');

const SIZE = shortOrLong(300, 70_000);

/** A tree with the roots on its way and all its tile hashes. */
const grown = (() => {
  let hashes = 0;
  const tree = new GrowingTree((bytes) => {
    hashes += 1;
    return sha256(bytes);
  });
  const roots = new Map([[0, tree.root()]]);
  const levels: Uint8Array[][] = [];
  const wanted = new Set(ROOTS.map(({ size }) => size));
  for (let index = 0; index < SIZE; index += 1) {
    for (const { level, index: place, hash } of tree.append(leafAt(index))) {
      const row = levels[level] ?? [];
      levels[level] = row;
      expect(row.length === place).toBe(true);
      row.push(hash);
    }
    if (wanted.has(tree.size)) roots.set(tree.size, tree.root());
  }
  return { tree, roots, levels, hashes };
})();

clause('TL-P1', 'the roots of the vectors come out, leaf by leaf and by the definition', () => {
  expect(ROOTS).toHaveLength(17);
  for (const { size, root } of ROOTS.filter((row) => row.size <= SIZE)) {
    expect(encodeHex(grown.roots.get(size) ?? new Uint8Array(0)), `${size}`).toBe(root);
    expect(encodeHex(rangeHash({ start: 0, end: size }, TEST_TILES)), `${size}`).toBe(root);
  }
});

clause('TL-P2', 'nothing, one entry and one empty entry have three different roots', () => {
  expect(encodeHex(new GrowingTree(sha256).root())).toBe(sha256Hex(''));
  expect(leafAt(0)).toEqual(grown.roots.get(1));
  const leaf = leafHash(new Uint8Array(0), sha256);
  expect(encodeHex(leaf)).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d');
});

clause('TL-P3', 'a tree splits at the largest power of two below its size', () => {
  const tree = new GrowingTree(sha256);
  for (let index = 0; index < 300; index += 1) {
    tree.append(leafAt(index));
    expect(Buffer.compare(tree.root(), definedRoot(0, index + 1))).toBe(0);
  }
  expect(perfectSubtrees(7)).toEqual([
    { height: 2, index: 0 },
    { height: 1, index: 2 },
    { height: 0, index: 6 },
  ]);
});

clause('TL-T7', 'the tiles of a growing tree are those of the vectors, byte by byte', () => {
  expect(FILES).toHaveLength(17);
  for (const { path, bytes, sha256: expected } of FILES) {
    const { level, index, width } = accepted(decodeTilePath(path));
    if (level !== 'entries' && (index * 256 + width) * 256 ** level > SIZE) continue;
    const content =
      level === 'entries'
        ? encodeEntryBundle(Array.from({ length: width }, (_, at) => entryBytes(index * 256 + at)))
        : concatBytes(...(grown.levels[level] ?? []).slice(index * 256, index * 256 + width));
    expect(content, path).toHaveLength(bytes);
    expect(sha256Hex(content), path).toBe(expected);
  }
  expect(grown.levels[1]?.[0]).toEqual(definedRoot(0, 256));
  expect(grown.levels.map(({ length }) => length)).toEqual(shortOrLong([300, 1], [70_000, 273, 1]));
});

test('appending takes less than one node hash for each leaf', () => {
  const roots = ROOTS.length * 17;
  expect(grown.hashes).toBeLessThan(SIZE + roots);
});

test('a tree goes on from its frontier, and from hashes in tiles', () => {
  for (const size of [0, 1, 5, 255, 256, 257, 600]) {
    const peaks = perfectSubtrees(size).map(({ height, index }) =>
      definedRoot(index * 2 ** height, (index + 1) * 2 ** height),
    );
    const tree = new GrowingTree(sha256, { size, peaks });
    expect(tree.root()).toEqual(definedRoot(0, size));
    expect(tree.frontier()).toEqual({ size, peaks });
    tree.append(leafAt(size));
    expect(tree.root()).toEqual(definedRoot(0, size + 1));
    expect(new GrowingTree(sha256, tree.frontier()).root()).toEqual(tree.root());
  }
  expect(() => new GrowingTree(sha256, { size: 3, peaks: [leafAt(0)] })).toThrow('peaks');
});
