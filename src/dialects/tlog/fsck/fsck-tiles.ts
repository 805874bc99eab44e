import { isSameBytes } from '../../../codecs/primitives/bytes.ts';
import type { Checkpoint } from '../../../codecs/tlog/checkpoint.ts';
import { decodeEntryBundle, findAlteredEntry } from '../../../codecs/tlog/entry-bundle.ts';
import { decodeHashTile } from '../../../codecs/tlog/hash-tile.ts';
import { openCheckpoint } from '../../../codecs/tlog/open-checkpoint.ts';
import { encodeTilePath, TILE_WIDTH, type Tile } from '../../../codecs/tlog/tile-path.ts';
import { newBundles } from '../../../codecs/tlog/tiles-of-size.ts';
import { decodeVerifierKey } from '../../../codecs/tlog/verifier-key.ts';
import type { Place } from '../../../model/folder.ts';
import { EMPTY_EDGE, type GrownTree, growTree } from '../../../tlog/grow-tree.ts';
import { sha256 } from '../../../tlog/sha256.ts';
import { isSigned } from '../publish/log-copies.ts';
import { CHECKPOINT, VKEY } from '../publish/log-paths.ts';
import type { FsckFinding } from './fsck-finding.ts';

/** A log as derived from its entries. */
export interface DerivedLog {
  readonly checkpoint: Checkpoint;
  /** The entries that could be read. */
  readonly entries: readonly Uint8Array[];
  /** All tiles and bundles; undefined if entries are missing or are not those that were signed. */
  readonly whole?: GrownTree;
  readonly findings: readonly FsckFinding[];
}

/** Checks the key and the checkpoint of a log. There is no checkpoint if nothing can be said about the rest. */
export async function fsckCheckpoint(
  place: Place,
): Promise<{ readonly checkpoint?: Checkpoint; readonly findings: readonly FsckFinding[] }> {
  const vkey = Buffer.from((await place.read(VKEY)) ?? '').toString();
  const note = await place.read(CHECKPOINT);
  if (note === undefined) return { findings: [{ what: 'There is no checkpoint.', where: CHECKPOINT }] };
  const key = decodeVerifierKey(vkey.slice(0, -1), sha256);
  if (!key.ok || !vkey.endsWith('\n')) {
    return { findings: [{ what: key.ok ? 'The line does not end.' : key.issues[0].message, where: VKEY }] };
  }
  const origin = key.value.name;
  const opened = openCheckpoint(note, { origin, logKeys: [key.value], verifySignature: isSigned });
  if (!opened.ok) return { findings: [{ what: opened.issues[0].message, where: CHECKPOINT }] };
  return { checkpoint: opened.value.checkpoint, findings: [] };
}

/** Derives every tile from the entries and compares it with its file. */
export async function fsckTiles(place: Place, checkpoint: Checkpoint): Promise<DerivedLog> {
  const findings: FsckFinding[] = [];
  const entries: Uint8Array[] = [];
  let isWhole = true;
  for (const bundle of newBundles(0, checkpoint.treeSize)) {
    const where = encodeTilePath(bundle);
    const bytes = await place.read(where);
    const decoded = bytes === undefined ? undefined : decodeEntryBundle(bytes, bundle.width);
    if (decoded?.ok) {
      findings.push(...(await alteredEntry(place, bundle, decoded.value)));
      for (const entry of decoded.value) entries.push(entry);
      continue;
    }
    isWhole = false;
    findings.push({ where, what: decoded === undefined ? 'It is missing.' : (decoded.issues[0]?.message ?? '') });
  }
  if (!isWhole) return { checkpoint, entries, findings };
  const whole = growTree(EMPTY_EDGE, entries, sha256);
  if (!isSameBytes(whole.root, checkpoint.rootHash)) {
    findings.push({ what: 'The entries give another root hash than the one that is signed.', where: CHECKPOINT });
    return { checkpoint, entries, findings };
  }
  for (const tile of whole.tiles) {
    if (tile.level === 'entries') continue;
    findings.push(...(await otherBytes(place, encodeTilePath(tile), tile.bytes)));
  }
  return { checkpoint, entries, whole, findings };
}

/** Compares a file with the bytes that it should have. */
export async function otherBytes(place: Place, where: string, expected: Uint8Array): Promise<readonly FsckFinding[]> {
  const bytes = await place.read(where);
  if (bytes === undefined) return [{ what: 'It is missing.', where }];
  return isSameBytes(bytes, expected) ? [] : [{ what: 'It has other bytes than the entries give.', where }];
}

/** Finds the entry of a bundle that does not match its hash in the tile. */
async function alteredEntry(
  place: Place,
  bundle: Tile,
  entries: readonly Uint8Array[],
): Promise<readonly FsckFinding[]> {
  const bytes = await place.read(encodeTilePath({ ...bundle, level: 0 }));
  const hashes = bytes === undefined ? undefined : decodeHashTile(bytes, bundle.width);
  if (!hashes?.ok) return [];
  const at = findAlteredEntry(entries, hashes.value, sha256);
  if (at === undefined) return [];
  const index = bundle.index * TILE_WIDTH + at;
  return [
    {
      what: `Entry ${index} is not the one that ${encodeTilePath({ ...bundle, level: 0 })} has.`,
      where: encodeTilePath(bundle),
    },
  ];
}
