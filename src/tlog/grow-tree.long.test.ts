import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { EMPTY_EDGE, growTree } from './grow-tree.ts';

const sha256 = (bytes: Uint8Array) => hash('sha256', bytes, 'buffer');
const entriesFrom = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => Buffer.from(`entry-${from + at}`));

const ROOTS: readonly (readonly [number, string])[] = [
  [65_536, 'df2c606d114416fa600bf3495152e09e39e8be3d0e2e5501c352826539abda8e'],
  [70_000, 'a62a54be33294ffd5a5c4c637fd754630b71a892e8356e3a666a5c8a7ffd1518'],
];

test('the third level of tiles begins with entry 65,536', () => {
  let edge = EMPTY_EDGE;
  for (const [size, root] of ROOTS) {
    const grown = growTree(edge, entriesFrom(edge.size, size), sha256);
    edge = grown.edge;
    expect(Buffer.from(grown.root).toString('hex')).toBe(root);
  }
  expect(edge.open.map(({ length }) => length)).toEqual([112, 17, 1]);
});
