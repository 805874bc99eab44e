import { concatBytes } from '../codecs/primitives/bytes.ts';
import type { Sha256 } from '../codecs/tlog/crypto-functions.ts';
import { encodeEntryBundle } from '../codecs/tlog/entry-bundle.ts';
import { GrowingTree, perfectSubtrees, type TileHash } from '../codecs/tlog/growing-tree.ts';
import { TILE_WIDTH, type Tile } from '../codecs/tlog/tile-path.ts';
import { leafHash } from '../codecs/tlog/tree-hash.ts';
import { rangeHash } from '../codecs/tlog/tree-proofs.ts';

/** The right edge of a log: everything that is needed to continue it. */
export interface TreeEdge {
  /** How many entries the log has. */
  readonly size: number;
  /** The hashes of the incomplete tile of each level, from level 0 up: as many as level `L` has beyond its full tiles. */
  readonly open: readonly (readonly Uint8Array[])[];
  /** The entries of the incomplete bundle. */
  readonly entries: readonly Uint8Array[];
}

export const EMPTY_EDGE: TreeEdge = { size: 0, open: [], entries: [] };

/** A tile or a bundle with its bytes. */
export interface GrownTile extends Tile {
  readonly bytes: Uint8Array;
}

export interface GrownTree {
  readonly edge: TreeEdge;
  readonly root: Uint8Array;
  /** The files that a log of the new size needs in addition: bundles, then tiles, level by level. Full ones are final. */
  readonly tiles: readonly GrownTile[];
}

/**
 * A log with more entries. Only the edge of the old log is needed, and none of its full tiles changes.
 *
 * @example
 * const { edge, root, tiles } = growTree(EMPTY_EDGE, [entry], sha256);
 * for (const tile of tiles) await folder.replace(encodeTilePath(tile), tile.bytes);
 */
export function growTree(before: TreeEdge, added: readonly Uint8Array[], sha256: Sha256): GrownTree {
  const tree = new GrowingTree(sha256, { size: before.size, peaks: peaksOf(before, sha256) });
  const levels = before.open.map((hashes, level) => new OpenTile(level, hashesBefore(before, level), hashes));
  for (const entry of added) {
    for (const completed of tree.append(leafHash(entry, sha256))) {
      levels[completed.level] ??= new OpenTile(completed.level, 0, []);
      levels[completed.level]?.add(completed);
    }
  }
  const open = levels.map((level) => level.open());
  const entries = [...before.entries, ...added];
  const first = Math.floor(before.size / TILE_WIDTH);
  const bundles = added.length === 0 ? [] : bundlesOf(entries, first);
  const kept = entries.slice(entries.length - (tree.size % TILE_WIDTH));
  return {
    edge: { size: tree.size, open, entries: kept },
    root: tree.root(),
    tiles: [...bundles, ...levels.flatMap((level) => level.tiles())],
  };
}

/** The root of a log, computed from its edge. */
export function rootOfEdge(edge: TreeEdge, sha256: Sha256): Uint8Array {
  return new GrowingTree(sha256, { size: edge.size, peaks: peaksOf(edge, sha256) }).root();
}

/** The edge of a log at an earlier size; undefined if too many entries were added since: then its tiles are needed. */
export function earlierEdge(edge: TreeEdge, size: number): TreeEdge | undefined {
  if (size > edge.size || Math.floor(size / TILE_WIDTH) !== Math.floor(edge.size / TILE_WIDTH)) return undefined;
  const width = size % TILE_WIDTH;
  const [leaves = [], ...above] = edge.open;
  return { size, open: [leaves.slice(0, width), ...above], entries: edge.entries.slice(0, width) };
}

/** Whether entries and hashes of an edge belong together and match its size. Only a root can show whether they are true. */
export function isWholeEdge({ size, open, entries }: TreeEdge, sha256: Sha256): boolean {
  const [leaves = []] = open;
  const areCounted = open.every((hashes, level) => hashes.length === widthAt(size, level));
  if (!areCounted || entries.length !== leaves.length || widthAt(size, open.length) > 0) return false;
  return entries.every((entry, at) => Buffer.compare(leafHash(entry, sha256), leaves[at] ?? new Uint8Array()) === 0);
}

/** How many hashes the open tile of a level has. */
function widthAt(size: number, level: number): number {
  return Math.floor(size / TILE_WIDTH ** level) % TILE_WIDTH;
}

/** The number of hashes in the full tiles of a level. */
function hashesBefore({ size }: TreeEdge, level: number): number {
  return Math.floor(size / TILE_WIDTH ** level) - widthAt(size, level);
}

/** Every perfect subtree at the right edge consists of hashes of one open tile. */
function peaksOf(edge: TreeEdge, sha256: Sha256): readonly Uint8Array[] {
  const hashAt = (level: number, index: number) => {
    const hash = edge.open[level]?.[index - hashesBefore(edge, level)];
    if (hash === undefined)
      throw new RangeError(`The edge of a log of ${edge.size} lacks hash ${index} of level ${level}.`);
    return hash;
  };
  return perfectSubtrees(edge.size).map(({ height, index }) =>
    rangeHash({ start: index * 2 ** height, end: (index + 1) * 2 ** height }, { hashAt, sha256 }),
  );
}

function bundlesOf(entries: readonly Uint8Array[], first: number): readonly GrownTile[] {
  const bundles: GrownTile[] = [];
  for (let at = 0; at < entries.length; at += TILE_WIDTH) {
    const some = entries.slice(at, at + TILE_WIDTH);
    const index = first + at / TILE_WIDTH;
    bundles.push({ level: 'entries', index, width: some.length, bytes: encodeEntryBundle(some) });
  }
  return bundles;
}

/** The tiles of one level from the first incomplete one on. */
class OpenTile {
  readonly #level: number;
  /** The number of hashes in the full tiles before. */
  readonly #start: number;
  readonly #before: number;
  readonly #hashes: Uint8Array[];

  constructor(level: number, start: number, hashes: readonly Uint8Array[]) {
    this.#level = level;
    this.#start = start;
    this.#before = hashes.length;
    this.#hashes = [...hashes];
  }

  add({ hash }: TileHash): void {
    this.#hashes.push(hash);
  }

  open(): readonly Uint8Array[] {
    return this.#hashes.slice(this.#hashes.length - (this.#hashes.length % TILE_WIDTH));
  }

  /** The full ones and the last one; empty if nothing was added. */
  tiles(): readonly GrownTile[] {
    if (this.#hashes.length === this.#before) return [];
    const tiles: GrownTile[] = [];
    for (let at = 0; at < this.#hashes.length; at += TILE_WIDTH) {
      const some = this.#hashes.slice(at, at + TILE_WIDTH);
      const index = (this.#start + at) / TILE_WIDTH;
      tiles.push({ level: this.#level, index, width: some.length, bytes: concatBytes(...some) });
    }
    return tiles;
  }
}
