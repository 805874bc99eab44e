import { isSameBytes } from '../codecs/primitives/bytes.ts';
import type { TreeHead } from '../codecs/tlog/verify-proof.ts';
import { TileError } from '../errors/tile-error.ts';
import type { TileSource } from '../tlog/tile-source.ts';
import { TreeReader } from '../tlog/tree-reader.ts';

/** How a served log relates to the one seen before. */
export type HeadCourse =
  /** It starts with the one seen before, or is the same. */
  | { readonly is: 'grown' }
  /** It is a prefix of the one seen before: an old copy. */
  | { readonly is: 'stale' }
  /** Neither is a prefix of the other. `proof` are the hashes of a consistency proof that lead to the new root and to a different old one. */
  | { readonly is: 'fork'; readonly proof?: readonly Uint8Array[] }
  /** It is smaller, and the data to compare the two is missing. */
  | { readonly is: 'unknown'; readonly reason: string };

export interface ComparedHeads {
  readonly held: TreeHead;
  readonly served: TreeHead;
  /** Stored tiles of the right edge of the held log, by their paths: the place may no longer have them. */
  readonly heldTiles?: ReadonlyMap<string, Uint8Array>;
}

/** The log signed the checkpoints of both heads. Throws a {@link TileError} if a tile of the served log does not match its root. */
export async function compareHeads(tiles: TileSource, heads: ComparedHeads): Promise<HeadCourse> {
  const { held, served } = heads;
  if (served.treeSize === held.treeSize) {
    return { is: isSameBytes(served.rootHash, held.rootHash) ? 'grown' : 'fork' };
  }
  if (served.treeSize < held.treeSize) return await compareSmaller(tiles, heads);
  const tree = new TreeReader(tiles, served);
  if (isSameBytes(await tree.rootAt(held.treeSize), held.rootHash)) return { is: 'grown' };
  return { is: 'fork', proof: await tree.consistencyProof(held.treeSize) };
}

/** A missing or wrong tile proves nothing: the two signed heads must contradict each other. */
async function compareSmaller(tiles: TileSource, { held, served, heldTiles }: ComparedHeads): Promise<HeadCourse> {
  const known = heldTiles === undefined ? tiles : withTiles(tiles, heldTiles);
  const before = new TreeReader(known, held);
  try {
    const root = await before.rootAt(served.treeSize);
    if (isSameBytes(root, served.rootHash)) return { is: 'stale' };
    return { is: 'fork', proof: await before.consistencyProof(served.treeSize) };
  } catch (error) {
    if (!(error instanceof TileError)) throw error;
    const differ = await differAtEdge(before, new TreeReader(tiles, served), held.treeSize, served.treeSize);
    return differ ? { is: 'fork' } : { is: 'unknown', reason: error.message };
  }
}

/** Whether a tile at the right edge of both, proven by each root, has different hashes. */
async function differAtEdge(one: TreeReader, other: TreeReader, oneSize: number, otherSize: number): Promise<boolean> {
  try {
    const [edge, otherEdge] = await Promise.all([one.edge(), other.edge()]);
    for (const [level, hashes] of otherEdge) {
      const width = 256 ** (level + 1);
      if (Math.floor(oneSize / width) !== Math.floor(otherSize / width)) continue;
      const others = edge.get(level) ?? [];
      const at = hashes.findIndex((hash, place) => others[place] !== undefined && !isSameBytes(hash, others[place]));
      if (at !== -1) return true;
    }
    return false;
  } catch (error) {
    if (error instanceof TileError) return false;
    throw error;
  }
}

function withTiles(tiles: TileSource, kept: ReadonlyMap<string, Uint8Array>): TileSource {
  return { name: tiles.name, read: async (path, maxBytes) => kept.get(path) ?? (await tiles.read(path, maxBytes)) };
}
