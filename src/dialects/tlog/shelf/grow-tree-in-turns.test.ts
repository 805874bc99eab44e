import { expect, test } from 'vitest';
import { workBetweenTurns } from '../../../../test/support/work-between-turns.ts';
import { encodeTilePath } from '../../../codecs/tlog/tile-path.ts';
import { EMPTY_EDGE, type GrownTile, growTree } from '../../../tlog/grow-tree.ts';
import { sha256 } from '../../../tlog/sha256.ts';
import { growTreeInTurns } from './grow-tree-in-turns.ts';

const entries = (count: number) => Array.from({ length: count }, (_, at) => Buffer.from(`entry ${at}`));
const byPath = (tiles: readonly GrownTile[]) => new Map(tiles.map((tile) => [encodeTilePath(tile), tile.bytes]));

test.each([0, 1, 64, 65, 300, 700])('a log of %i entries is the same as one that is grown in one go', async (count) => {
  const before = growTree(EMPTY_EDGE, entries(200), sha256);
  const whole = growTree(before.edge, entries(count), sha256);
  const parts = await growTreeInTurns(before.edge, entries(count), sha256);
  expect([parts.edge, parts.root]).toEqual([whole.edge, whole.root]);
  const told = byPath(parts.tiles);
  for (const [path, bytes] of byPath(whole.tiles)) expect(told.get(path), path).toEqual(bytes);
});

test('others have their turn behind few entries, however many are added', async () => {
  const most = await workBetweenTurns((count) =>
    growTreeInTurns(EMPTY_EDGE, entries(3000), (bytes) => {
      // Each entry is hashed with a byte before it; all else that is hashed are pairs.
      if (bytes[0] === 0) count();
      return sha256(bytes);
    }),
  );
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(64);
});
