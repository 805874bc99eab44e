/**
 * The paths of the tiles and entry bundles of a log, below its prefix.
 *
 *     tile/0/x001/x234/067          256 hashes of level 0
 *     tile/1/000.p/17               the first 17 of a tile that is not full yet
 *     tile/entries/001.p/44         entries 256 to 299
 *
 * Spec: https://c2sp.org/tlog-tiles#merkle-tree
 */

import { accept, type Result, refuse } from '../primitives/result.ts';
import { decodeCount } from './count.ts';

export const TILE_WIDTH = 256;

/** A level of hashes, or the entries themselves. */
export type TileLevel = number | 'entries';

export interface Tile {
  readonly level: TileLevel;
  /** The number of the tile in its level, from 0. */
  readonly index: number;
  /** How many hashes or entries it has: 256 if it is full. */
  readonly width: number;
}

const MAX_LEVEL = 63;
/** Tiles beyond this would hold hashes whose index is not a safe integer. */
const MAX_INDEX = Math.floor(Number.MAX_SAFE_INTEGER / TILE_WIDTH);
const PATH = /^tile\/([^/]+)\/((?:x[0-9]{3}\/)*[0-9]{3})(?:\.p\/([^/]+))?$/;

/**
 * Throws a RangeError for a tile that cannot exist.
 *
 * @example
 * encodeTilePath({ level: 0, index: 1234, width: 256 }); // 'tile/0/x001/234'
 */
export function encodeTilePath({ level, index, width }: Tile): string {
  const path = `tile/${level}/${encodeTileIndex(index)}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
  const decoded = decodeTilePath(path);
  if (!decoded.ok) throw new RangeError(`There is no tile at ${path}: ${decoded.issues[0].message}`);
  return path;
}

/**
 * The tile at a path below the prefix, without a leading slash. Each tile has exactly one path.
 *
 * @example
 * const tile = decodeTilePath('tile/entries/001.p/44');
 * if (tile.ok) tile.value; // { level: 'entries', index: 1, width: 44 }
 */
export function decodeTilePath(path: string): Result<Tile> {
  const [, levelText = '', indexText = '', widthText] = PATH.exec(path) ?? [];
  if (indexText === '') return refuse('TL-T5', 'A path of a tile is tile/<level>/<number in groups of three digits>.');
  const level = levelText === 'entries' ? levelText : decodeCount(levelText);
  if (level === undefined || (level !== 'entries' && level > MAX_LEVEL)) {
    return refuse('TL-T4', 'A level is "entries" or a number from 0 to 63 without leading zeros.');
  }
  const index = Number(indexText.replaceAll(/[x/]/g, ''));
  if (index > MAX_INDEX) return refuse('TL-P13', 'No log has so many tiles.');
  if (encodeTileIndex(index) !== indexText)
    return refuse('TL-T5', 'The number of a tile has no group of zeros in front.');
  const width = widthText === undefined ? TILE_WIDTH : decodeCount(widthText);
  if (width === undefined || width === 0 || (widthText !== undefined && width >= TILE_WIDTH)) {
    return refuse('TL-T4', 'A partial tile has 1 to 255 hashes, without leading zeros.');
  }
  return accept({ level, index, width });
}

/** Groups of three digits, all but the last prefixed with `x`: 1234067 → `x001/x234/067`. */
export function encodeTileIndex(index: number | bigint): string {
  const digits = String(index);
  if (!/^[0-9]+$/.test(digits)) throw new RangeError(`${index} is no number of a tile.`);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  return padded.replaceAll(/[0-9]{3}(?=[0-9])/g, 'x$&/');
}
