import { TILE_WIDTH, type Tile, type TileLevel } from './tile-path.ts';

/** How many hashes (or entries) a level has in a log of this size: 256 of one level become one of the next. */
export function hashesOfLevel(size: number, level: TileLevel): number {
  return Math.floor(size / TILE_WIDTH ** (level === 'entries' ? 0 : level));
}

/** How many hashes (or entries) of a tile a log of this size has: 256 if the tile is full, 0 if it does not exist. */
export function tileWidth(size: number, level: TileLevel, index: number): number {
  return Math.min(TILE_WIDTH, Math.max(0, hashesOfLevel(size, level) - index * TILE_WIDTH));
}

/**
 * The hash tiles that a log needs at size `to` but did not have at size `from`, full or partial, level by level. From 0: all of
 * them.
 *
 * @example
 * [...newTiles(255, 257)].map(encodeTilePath); // ['tile/0/000', 'tile/0/001.p/1', 'tile/1/000.p/1']
 */
export function* newTiles(from: number, to: number): Generator<Tile> {
  for (let level = 0; hashesOfLevel(to, level) > 0; level += 1) yield* newInLevel(level, from, to);
}

/**
 * The same for the entry bundles.
 *
 * @example
 * [...newBundles(0, 300)].map(encodeTilePath); // ['tile/entries/000', 'tile/entries/001.p/44']
 */
export function newBundles(from: number, to: number): Generator<Tile> {
  return newInLevel('entries', from, to);
}

function* newInLevel(level: TileLevel, from: number, to: number): Generator<Tile> {
  if (!(Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 0 && to >= from)) {
    throw new RangeError(`A log does not grow from ${from} to ${to}.`);
  }
  const before = hashesOfLevel(from, level);
  const after = hashesOfLevel(to, level);
  if (after === before) return;
  const last = Math.floor((after - 1) / TILE_WIDTH);
  for (let index = Math.floor(before / TILE_WIDTH); index <= last; index += 1) {
    yield { level, index, width: tileWidth(to, level, index) };
  }
}
