import { TILE_WIDTH } from '../../../codecs/tlog/tile-path.ts';
import { EMPTY_ROOT, leafHash, TREE_HASH_BYTES } from '../../../codecs/tlog/tree-hash.ts';
import { EMPTY_EDGE, type TreeEdge } from '../../../tlog/grow-tree.ts';
import { sha256 } from '../../../tlog/sha256.ts';
import type { Beginning } from './hub-entries.ts';
import type { TlogIdentity, TlogRecord, TlogStore } from './tlog-store.ts';

/** Where the log stands. A batch moves it on before it is stored: when that fails, it is loaded again. */
export interface TlogState {
  seq: number;
  readonly log: number;
  /** Undefined before the first entry. */
  identity: TlogIdentity | undefined;
  /** What the first entry says of the time before it. */
  readonly beginning?: TlogBeginning;
  edge: TreeEdge;
  root: Uint8Array;
  documentsSeq: number;
  /** How many entries the newest signed checkpoint has. */
  signedSize: number;
}

export type TlogBeginning = Pick<Beginning, 'earlier' | 'previous'>;

/** Goes on with the log of this epoch. */
export function stateOf(record: TlogRecord, store: TlogStore): TlogState {
  const { log, seq, root, documentsSeq, checkpoint } = record;
  const { origin, vkey, seed, epoch } = record;
  return {
    log,
    seq,
    identity: { origin, vkey, seed, ...(epoch !== undefined && { epoch }) },
    edge: edgeOf(record, store),
    root,
    documentsSeq,
    signedSize: sizeOf(checkpoint),
  };
}

/** A log that has no entry yet. */
export function newState(log: number, beginning: TlogBeginning): TlogState {
  const { seq } = beginning.earlier;
  return {
    log,
    seq,
    identity: undefined,
    beginning,
    edge: EMPTY_EDGE,
    root: EMPTY_ROOT,
    // What others made of changes before the beginning is committed to with those.
    documentsSeq: seq,
    signedSize: 0,
  };
}

/** The right edge of a tree, from what is stored of it. */
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

/** The second line of a checkpoint of our own. */
function sizeOf(checkpoint: string | undefined): number {
  return Number(checkpoint?.split('\n')[1] ?? 0);
}
