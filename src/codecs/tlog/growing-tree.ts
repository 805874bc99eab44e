import type { Sha256 } from './crypto-functions.ts';
import { EMPTY_ROOT, nodeHash } from './tree-hash.ts';

/** A hash that belongs into a tile. `index` counts within its level of the whole log, not within a tile. */
export interface TileHash {
  readonly level: number;
  readonly index: number;
  readonly hash: Uint8Array;
}

/** The right edge of a tree: everything needed to append to it. */
export interface TreeFrontier {
  readonly size: number;
  /** The roots of its perfect subtrees, largest first: as many as `size` has ones in binary. */
  readonly peaks: readonly Uint8Array[];
}

/** How many levels of a tree one level of tiles spans. */
const TILE_HEIGHT = 8;

/**
 * Grows a tree leaf by leaf, with fewer than two hashes per leaf on average, and holds at most 53 of them.
 *
 * @example
 * const tree = new GrowingTree(sha256);
 * for (const { level, index, hash } of tree.append(leafHash(entry, sha256))) tiles.put(level, index, hash);
 * tree.root();
 */
export class GrowingTree {
  readonly #sha256: Sha256;
  readonly #peaks: Uint8Array[];
  #size: number;

  /** Continues from a frontier; without one the tree is empty. */
  constructor(sha256: Sha256, { size, peaks }: TreeFrontier = { size: 0, peaks: [] }) {
    if (peaks.length !== perfectSubtrees(size).length)
      throw new RangeError(`A tree of ${size} has no ${peaks.length} peaks.`);
    this.#sha256 = sha256;
    this.#peaks = [...peaks];
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }

  /** A copy of the current frontier. */
  frontier(): TreeFrontier {
    return { size: this.#size, peaks: [...this.#peaks] };
  }

  /** Returns the tile hashes that the leaf completes: its own at level 0, and one for each level whose tile below is now full. */
  append(leaf: Uint8Array): readonly TileHash[] {
    const completed: TileHash[] = [{ level: 0, index: this.#size, hash: leaf }];
    let hash = leaf;
    let place = this.#size;
    // A one at the end of the binary size is a subtree that waits for its right neighbour.
    for (let height = 1; place % 2 === 1; height += 1) {
      hash = nodeHash(this.#peaks.pop() ?? EMPTY_ROOT, hash, this.#sha256);
      place = (place - 1) / 2;
      if (height % TILE_HEIGHT === 0) completed.push({ level: height / TILE_HEIGHT, index: place, hash });
    }
    this.#peaks.push(hash);
    this.#size += 1;
    return completed;
  }

  root(): Uint8Array {
    const joined = this.#peaks.reduceRight<Uint8Array | undefined>(
      (right, left) => (right === undefined ? left : nodeHash(left, right, this.#sha256)),
      undefined,
    );
    return joined ?? EMPTY_ROOT;
  }
}

/** One perfect subtree: 2^height leaves, the first of which is `index` · 2^height. */
export interface SubtreePlace {
  readonly height: number;
  readonly index: number;
}

/**
 * The perfect subtrees of the leaves from `start` to before `start + count`, left to right. `start` is a multiple of the largest of
 * them.
 */
export function perfectSubtrees(count: number, start = 0): readonly SubtreePlace[] {
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`There is no tree of ${count} leaves.`);
  const subtrees: SubtreePlace[] = [];
  let end = start + count;
  for (let rest = count, height = 0; rest > 0; rest = Math.floor(rest / 2), height += 1) {
    if (rest % 2 === 0) continue;
    end -= 2 ** height;
    subtrees.unshift({ height, index: end / 2 ** height });
  }
  return subtrees;
}
