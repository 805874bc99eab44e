import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { encodeTilePath } from '../codecs/tlog/tile-path.ts';
import { newBundles, newTiles } from '../codecs/tlog/tiles-of-size.ts';
import { EMPTY_EDGE, earlierEdge, type GrownTree, growTree, isWholeEdge, rootOfEdge } from './grow-tree.ts';

const sha256 = (bytes: Uint8Array) => hash('sha256', bytes, 'buffer');
const entriesFrom = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => Buffer.from(`entry-${from + at}`));
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const ROOTS: readonly (readonly [number, string])[] = [
  [1, '40766b2033429026f53d54502679a839706b4741f8dcaf3a8bba5f41b5ffe075'],
  [7, '9139601cc1ca8ab2a7a0c2c134c04845f2b1ba549a83d6c845cfcda439cc585d'],
  [255, '45da9f374748e17a372f71c00422b12e2bf96842f1f61c5740fe494e4becff0f'],
  [256, 'f85f4ead34080710b4d1e808301543aaab81aa04deb88599350dc26a4f2f58de'],
  [257, '918b1cec64f317c76e3cf55c0536841c039eff06772ebb8828ce7c176028b5ac'],
  [300, 'aebb027d5c3dd08871ee52577a61fc83122d0d14352791943639bd4c12d36943'],
];

test('a log that grows from edge to edge has the roots and the files of one that was written at once', () => {
  let grown: GrownTree = { edge: EMPTY_EDGE, root: new Uint8Array(), tiles: [] };
  const files = new Map<string, string>();
  let from = 0;
  for (const [size, root] of ROOTS) {
    grown = growTree(grown.edge, entriesFrom(from, size), sha256);
    expect([size, hex(grown.root)]).toEqual([size, root]);
    expect(hex(rootOfEdge(grown.edge, sha256))).toBe(root);
    expect(isWholeEdge(grown.edge, sha256)).toBe(true);
    expect(grown.tiles.map(encodeTilePath)).toEqual(
      [...newBundles(from, size), ...newTiles(from, size)].map(encodeTilePath),
    );
    for (const tile of grown.tiles) files.set(encodeTilePath(tile), hash('sha256', tile.bytes));
    from = size;
  }
  const atOnce = growTree(EMPTY_EDGE, entriesFrom(0, 300), sha256);
  expect(hex(rootOfEdge(atOnce.edge, sha256))).toBe(hex(grown.root));
  const differing = atOnce.tiles.filter((tile) => files.get(encodeTilePath(tile)) !== hash('sha256', tile.bytes));
  expect(differing).toEqual([]);
});

test('nothing added makes no file and keeps the root', () => {
  const { edge, root } = growTree(EMPTY_EDGE, entriesFrom(0, 300), sha256);
  expect(growTree(edge, [], sha256)).toEqual({ edge, root, tiles: [] });
});

test('an edge tells the roots of earlier sizes as far back as its open bundle reaches', () => {
  const { edge } = growTree(EMPTY_EDGE, entriesFrom(0, 300), sha256);
  const earlier = earlierEdge(edge, 257) ?? EMPTY_EDGE;
  expect(earlier).toEqual(growTree(EMPTY_EDGE, entriesFrom(0, 257), sha256).edge);
  expect(earlierEdge(edge, 256)?.size).toBe(256);
  expect(earlierEdge(edge, 255)).toBeUndefined();
  expect(earlierEdge(edge, 301)).toBeUndefined();
});

test('an edge whose parts do not belong together is not whole', () => {
  const { edge } = growTree(EMPTY_EDGE, entriesFrom(0, 300), sha256);
  expect(isWholeEdge({ ...edge, size: 301 }, sha256)).toBe(false);
  expect(isWholeEdge({ ...edge, entries: entriesFrom(0, 44) }, sha256)).toBe(false);
  expect(isWholeEdge({ ...edge, open: edge.open.slice(0, 1) }, sha256)).toBe(false);
});
