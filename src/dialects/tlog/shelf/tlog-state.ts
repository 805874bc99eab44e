import { TILE_WIDTH } from '../../../codecs/tlog/tile-path.ts';
import { EMPTY_ROOT, leafHash, TREE_HASH_BYTES } from '../../../codecs/tlog/tree-hash.ts';
import { EMPTY_EDGE, type TreeEdge } from '../../../tlog/grow-tree.ts';
import { sha256 } from '../../../tlog/sha256.ts';
import type { Beginning } from './hub-entries.ts';
import { signedSizeOf, type TlogIdentity, type TlogRecord, type TlogStore } from './tlog-store.ts';

/** The state of the log. A batch advances it before it is stored; if storing fails, the state is loaded again. */
export interface TlogState {
  seq: number;
  readonly log: number;
  /** Undefined before the first entry. */
  identity: TlogIdentity | undefined;
  /** What the first entry says about the time before it. */
  readonly beginning?: TlogBeginning;
  edge: TreeEdge;
  root: Uint8Array;
  documentsSeq: number;
  /** How many entries the newest signed checkpoint covers. */
  signedSize: number;
}

export type TlogBeginning = Pick<Beginning, 'earlier' | 'previous'>;

/** Continues the log of this epoch. */
export function stateOf(record: TlogRecord, store: TlogStore): TlogState {
  const { log, seq, root, documentsSeq } = record;
  const { origin, vkey, seed, epoch } = record;
  return {
    log,
    seq,
    identity: { origin, vkey, seed, ...(epoch !== undefined && { epoch }) },
    edge: edgeOf(record, store),
    root,
    documentsSeq,
    signedSize: signedSizeOf(record),
  };
}

/** A log without an entry. */
export function newState(log: number, beginning: TlogBeginning): TlogState {
  const { seq } = beginning.earlier;
  return {
    log,
    seq,
    identity: undefined,
    beginning,
    edge: EMPTY_EDGE,
    root: EMPTY_ROOT,
    // The first entry commits to earlier changes, and so to the documents made from them.
    documentsSeq: seq,
    signedSize: 0,
  };
}

/** The right edge of a tree, from what is stored. */
function edgeOf({ log, size }: Pick<TlogRecord, 'log' | 'size'>, store: TlogStore): TreeEdge {
  const entries = store.openEntries(log);
  const open: Uint8Array[][] = size === 0 ? [] : [entries.map((entry) => leafHash(entry, sha256))];
  for (let level = 1; size >= TILE_WIDTH ** level; level += 1) open.push(hashesOf(store.openTile(log, level)));
  return { size, open, entries };
}

function hashesOf(tile: Uint8Array): Uint8Array[] {
  return Array.from({ length: tile.length / TREE_HASH_BYTES }, (_, at) =>
    tile.subarray(at * TREE_HASH_BYTES, (at + 1) * TREE_HASH_BYTES),
  );
}
