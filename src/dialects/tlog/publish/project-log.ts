import { decodeEntryBundle, encodeEntryBundle } from '../../../codecs/tlog/entry-bundle.ts';
import { decodeTilePath, encodeTilePath, TILE_WIDTH, type Tile } from '../../../codecs/tlog/tile-path.ts';
import { newBundles, newTiles, tileWidth } from '../../../codecs/tlog/tiles-of-size.ts';
import { TREE_HASH_BYTES } from '../../../codecs/tlog/tree-hash.ts';
import type { Artifact } from '../../../model/artifact.ts';
import { type GrownTile, type GrownTree, growTree } from '../../../tlog/grow-tree.ts';
import { sha256 } from '../../../tlog/sha256.ts';
import type { Projected } from '../../projection.ts';
import type { LogSigner } from '../../projection-settings.ts';
import { encodeCheckpointNote } from './checkpoint-note.ts';
import { CHECKPOINT, LOG_RULES, servedAs, sitePath, VKEY } from './log-paths.ts';
import { encodeTreeFile, TREE_FILE, type TreeFile } from './tree-file.ts';

/** How the log grows. */
export interface ProvableGrowth {
  /** Its state; the edge is the one before the entries are added. */
  readonly tree: TreeFile;
  readonly entries: readonly Uint8Array[];
  /** How many entries the served checkpoint covers. */
  readonly servedSize: number;
  /** All its tiles and bundles; set if some may be missing. */
  readonly whole?: GrownTree | undefined;
}

/**
 * The files of a log that has grown. The new state is recorded first, then come bundles and tiles. The checkpoint is signed and
 * written after everything that it covers.
 */
export function projectLog({ tree, entries, servedSize, whole }: ProvableGrowth, signer: LogSigner): Projected {
  const { edge, root, tiles } = growTree(tree.edge, entries, sha256);
  const added = tiles.map((tile) => ({ path: encodeTilePath(tile), bytes: tile.bytes }));
  const partials = [...tree.partials, ...partialsOf(edge.size)].filter((path, at, all) => all.indexOf(path) === at);
  const stale = partials.filter((path) => isFullAt(servedSize, path));
  const kept = partials.filter((path) => !stale.includes(path));
  const carried = whole === undefined ? [] : [...fullOnes(whole), ...cutAll(whole, kept)];
  const all = [...tree.edge.entries, ...entries];
  const filled = all.slice(0, all.length - edge.entries.length);
  const grown = encodeTreeFile({ ...tree, publicKey: signer.publicKey, edge, filled, partials: kept });
  const { vkey, sign } = encodeCheckpointNote({ origin: tree.origin, treeSize: edge.size, rootHash: root }, signer);
  const files = [...carried, ...added, { path: VKEY, bytes: vkey }, { path: TREE_FILE, bytes: grown }];
  return {
    record: [{ path: TREE_FILE, bytes: grown }, ...files.filter(({ path }) => isFullBundle(path))],
    files: files.map(artifactOf),
    rules: LOG_RULES,
    paths: [...pathsOf(edge.size), ...kept, VKEY, TREE_FILE, CHECKPOINT].map(sitePath),
    closing: () => [artifactOf({ path: CHECKPOINT, bytes: sign() })],
    stale: stale.map(sitePath),
  };
}

/** The files of an unchanged log that the output folder lacks. */
export function copyLog(whole: GrownTree, copied: readonly LogFileBytes[], partials: readonly string[]): Projected {
  const files = [...fullOnes(whole), ...cutAll(whole, [...partialsOf(whole.edge.size), ...partials]), ...copied];
  const paths = files.map(({ path }) => sitePath(path));
  return { files: files.map(artifactOf), rules: LOG_RULES, paths: [...new Set(paths)] };
}

export interface LogFileBytes {
  readonly path: string;
  readonly bytes: Uint8Array;
}

function artifactOf({ path, bytes }: LogFileBytes): Artifact {
  return { path: sitePath(path), ...servedAs(path), bytes };
}

/** The full tiles and bundles of a log of this size. */
function pathsOf(size: number): readonly string[] {
  return [...newBundles(0, size), ...newTiles(0, size)].filter(({ width }) => width === TILE_WIDTH).map(encodeTilePath);
}

/** The partial tiles and bundles of a log of this size. */
export function partialsOf(size: number): readonly string[] {
  return [...newBundles(0, size), ...newTiles(0, size)].filter(({ width }) => width < TILE_WIDTH).map(encodeTilePath);
}

function fullOnes({ tiles }: GrownTree): readonly LogFileBytes[] {
  return tiles
    .filter(({ width }) => width === TILE_WIDTH)
    .map((tile) => ({ path: encodeTilePath(tile), bytes: tile.bytes }));
}

/** The tiles at these paths, as far as the log has them. A partial tile is the beginning of the current one. */
export function cutAll({ tiles }: GrownTree, paths: readonly string[]): readonly LogFileBytes[] {
  const byPlace = new Map(tiles.map((tile) => [placeOf(tile), tile]));
  return [...new Set(paths)].flatMap((path) => {
    const wanted = decodeTilePath(path);
    const tile = wanted.ok ? byPlace.get(placeOf(wanted.value)) : undefined;
    return wanted.ok && tile !== undefined && tile.width >= wanted.value.width
      ? [{ path, bytes: cutTile(tile, wanted.value.width) }]
      : [];
  });
}

function cutTile({ level, width: before, bytes }: GrownTile, width: number): Uint8Array {
  if (level !== 'entries') return bytes.subarray(0, width * TREE_HASH_BYTES);
  const entries = decodeEntryBundle(bytes, before);
  return encodeEntryBundle(entries.ok ? entries.value.slice(0, width) : []);
}

function placeOf({ level, index }: Tile): string {
  return `${level}/${index}`;
}

function isFullBundle(path: string): boolean {
  return path.startsWith('tile/entries/') && !path.includes('.p/');
}

function isFullAt(size: number, path: string): boolean {
  const tile = decodeTilePath(path);
  return tile.ok && tileWidth(size, tile.value.level, tile.value.index) === TILE_WIDTH;
}
