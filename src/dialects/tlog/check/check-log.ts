import { isSameBytes } from '../../../codecs/primitives/bytes.ts';
import { type Ledger, openLedger } from '../../../codecs/primitives/ledger.ts';
import { type AnsweredDocument, isFound, mediaTypeOf } from '../../../codecs/primitives/seen-document.ts';
import { type Checkpoint, decodeCheckpoint } from '../../../codecs/tlog/checkpoint.ts';
import { TLOG_CLAUSES } from '../../../codecs/tlog/clauses.ts';
import { decodeEntryBundle, findAlteredEntry, MAX_BUNDLE_BYTES } from '../../../codecs/tlog/entry-bundle.ts';
import { decodeHashTile, MAX_TILE_BYTES } from '../../../codecs/tlog/hash-tile.ts';
import { openCheckpoint } from '../../../codecs/tlog/open-checkpoint.ts';
import { decodeSignedNote, MAX_NOTE_BYTES } from '../../../codecs/tlog/signed-note.ts';
import { TILE_WIDTH, type Tile } from '../../../codecs/tlog/tile-path.ts';
import { newBundles, tileWidth } from '../../../codecs/tlog/tiles-of-size.ts';
import { rangeHash, tilesForProof } from '../../../codecs/tlog/tree-proofs.ts';
import { decodeVerifierKey } from '../../../codecs/tlog/verifier-key.ts';
import { UnreadableTargetError } from '../../../errors/unreadable-target-error.ts';
import { sha256 } from '../../../tlog/sha256.ts';
import type { Checked } from '../../checker.ts';
import { isSigned } from '../publish/log-copies.ts';
import { CHECKPOINT, VKEY } from '../publish/log-paths.ts';
import type { LogDocuments } from './gather-log.ts';

const CHECKPOINT_TYPE = 'text/plain; charset=utf-8';
const TILE_TYPE = 'application/octet-stream';
const FEW_SECONDS = 5;
const A_WEEK = 604_800;
const REMEDY = 'Publish the log again as it was, or let the host serve its files byte for byte.';

/**
 * Checks what a reader can see of a log: its checkpoint, the tiles of its root, and the oldest and newest entries. Only an audit
 * can tell whether it was the same before.
 */
export async function checkLog(documents: LogDocuments): Promise<Checked> {
  const ledger = openLedger(TLOG_CLAUSES);
  const note = await documents.read(CHECKPOINT, MAX_NOTE_BYTES);
  if (!isFound(note)) throw new UnreadableTargetError(documents.source.name, 'there is no checkpoint', 'fix-input');
  checkCheckpointHeaders(note, ledger);
  const checkpoint = await checkNote(note, documents, ledger);
  if (checkpoint !== undefined && checkpoint.treeSize > 0) {
    const leaves = await checkTiles(checkpoint, note.where, documents, ledger);
    await checkBundles(checkpoint, leaves, documents, ledger);
  }
  return ledger.close();
}

function checkCheckpointHeaders({ where, headers }: AnsweredDocument, ledger: Ledger): void {
  if (headers === undefined) {
    ledger.skipped('A folder does not say how it is served.', 'TL-T1', 'TL-T2');
    return;
  }
  ledger.looked('TL-T1', 'TL-T2');
  const type = headers['content-type'] ?? '(none)';
  if (type.toLowerCase().replaceAll(' ', '') !== CHECKPOINT_TYPE.replaceAll(' ', '')) {
    ledger.note({ clause: 'TL-T1', where, seen: `Content-Type: ${type}`, remedy: `Serve it as ${CHECKPOINT_TYPE}.` });
  }
  const cache = headers['cache-control'] ?? '(none)';
  const age = Number(/max-age=(\d+)/.exec(cache)?.[1] ?? Number.POSITIVE_INFINITY);
  if (!/no-(?:store|cache)/.test(cache) && age > FEW_SECONDS) {
    ledger.note({
      clause: 'TL-T2',
      where,
      seen: `Cache-Control: ${cache}`,
      remedy: 'Serve it with Cache-Control: no-cache.',
    });
  }
}

async function checkNote(
  note: AnsweredDocument,
  documents: LogDocuments,
  ledger: Ledger,
): Promise<Checkpoint | undefined> {
  const { where } = note;
  ledger.looked('TL-N1', 'TL-N3', 'TL-N4', 'TL-N5', 'TL-N6', 'TL-C1', 'TL-C4', 'TL-C5', 'TL-C6', 'TL-C7');
  const decoded = decodeSignedNote(note.bytes);
  const checkpoint = decoded.ok ? decodeCheckpoint(decoded.value.text) : decoded;
  if (!checkpoint.ok) {
    const [{ clause, message }] = checkpoint.issues;
    ledger.note({ clause, where, seen: message, remedy: REMEDY });
    return undefined;
  }
  const { origin } = checkpoint.value;
  const vkey = await documents.read(VKEY, MAX_NOTE_BYTES);
  const signing = ['TL-N9', 'TL-N10', 'TL-C9', 'TL-C10'];
  if (!isFound(vkey)) {
    ledger.skipped('No verifier key stands beside the checkpoint.', ...signing);
    return checkpoint.value;
  }
  ledger.looked('TL-N13', ...signing);
  const key = decodeVerifierKey(Buffer.from(vkey.bytes).toString().trimEnd(), sha256);
  const opened = key.ok ? openCheckpoint(note.bytes, { origin, logKeys: [key.value], verifySignature: isSigned }) : key;
  if (!opened.ok) {
    const [{ clause, message }] = opened.issues;
    ledger.note({ clause, where: key.ok ? where : vkey.where, seen: message, remedy: REMEDY });
  }
  if (key.ok && key.value.name !== origin) {
    ledger.note({
      clause: 'TL-C9',
      where: vkey.where,
      seen: `The key is named ${key.value.name}.`,
      remedy: `Name it ${origin}.`,
    });
  }
  return checkpoint.value;
}

/** The hashes of the level 0 tiles that were read, by tile number. */
type Leaves = ReadonlyMap<number, readonly Uint8Array[]>;

/** Checks the tiles at the right edge: their hashes must give the root. */
async function checkTiles(
  { treeSize, rootHash }: Checkpoint,
  where: string,
  documents: LogDocuments,
  ledger: Ledger,
): Promise<Leaves> {
  ledger.looked('TL-T6', 'TL-T7', 'TL-T8', 'TL-T14');
  const tiles = new Map<string, readonly Uint8Array[]>();
  for (const tile of tilesForProof([{ start: 0, end: treeSize }], treeSize)) {
    const hashes = await readTile(tile, documents, ledger);
    if (hashes !== undefined) tiles.set(`${tile.level}/${tile.index}`, hashes);
  }
  const hashAt = (level: number, index: number) => {
    const hash = tiles.get(`${level}/${Math.floor(index / TILE_WIDTH)}`)?.[index % TILE_WIDTH];
    if (hash === undefined) throw new MissingHash();
    return hash;
  };
  try {
    if (!isSameBytes(rangeHash({ start: 0, end: treeSize }, { hashAt, sha256 }), rootHash)) {
      ledger.note({
        clause: 'TL-T7',
        where,
        seen: 'The tiles give another root hash than the one that is signed.',
        remedy: REMEDY,
      });
    }
  } catch (error) {
    if (!(error instanceof MissingHash)) throw error;
  }
  const leaves = [...tiles].filter(([place]) => place.startsWith('0/'));
  return new Map(leaves.map(([place, hashes]) => [Number(place.slice(2)), hashes]));
}

/** A tile is missing that was already reported. */
class MissingHash extends Error {}

async function readTile(
  tile: Tile,
  documents: LogDocuments,
  ledger: Ledger,
): Promise<readonly Uint8Array[] | undefined> {
  const found = await readFile(tile, documents, { maxBytes: MAX_TILE_BYTES, ledger, clause: 'TL-T14' });
  if (found === undefined) return undefined;
  checkTileHeaders(found, 'TL-T3', ledger);
  const hashes = decodeHashTile(found.bytes, tile.width);
  if (hashes.ok) return hashes.value;
  const [{ clause, message }] = hashes.issues;
  ledger.note({ clause, where: found.where, seen: message, remedy: REMEDY });
  return undefined;
}

/** Checks the oldest bundle, which must stay forever, and the newest. */
async function checkBundles(
  { treeSize }: Checkpoint,
  leaves: Leaves,
  documents: LogDocuments,
  ledger: Ledger,
): Promise<void> {
  ledger.looked('TL-E2', 'TL-E4', 'TL-E5', 'TL-T15');
  const bundles = [...newBundles(0, treeSize)];
  for (const bundle of new Set([bundles[0], bundles.at(-1)])) {
    if (bundle === undefined) continue;
    const clause = bundle.index === 0 ? 'TL-T15' : 'TL-T14';
    const found = await readFile(bundle, documents, { maxBytes: MAX_BUNDLE_BYTES, ledger, clause });
    if (found === undefined) continue;
    checkTileHeaders(found, 'TL-E1', ledger);
    const entries = decodeEntryBundle(found.bytes, bundle.width);
    const level0 = { level: 0, index: bundle.index, width: tileWidth(treeSize, 0, bundle.index) };
    const hashes = leaves.get(bundle.index) ?? (await readTile(level0, documents, ledger));
    if (!entries.ok) {
      ledger.note({
        clause: entries.issues[0].clause,
        where: found.where,
        seen: entries.issues[0].message,
        remedy: REMEDY,
      });
    } else if (hashes !== undefined) {
      const at = findAlteredEntry(entries.value, hashes, sha256);
      const index = bundle.index * TILE_WIDTH + (at ?? 0);
      const seen = `Entry ${index} is not the one that its tile has the hash of.`;
      if (at !== undefined) ledger.note({ clause: 'TL-E4', where: found.where, seen, remedy: REMEDY });
    }
  }
}

/** A partial tile may have been replaced by the full one, which begins with it (TL-T11): then there was a publish since. */
async function readFile(
  tile: Tile,
  documents: LogDocuments,
  { maxBytes, ledger, clause }: { readonly maxBytes: number; readonly ledger: Ledger; readonly clause: string },
): Promise<AnsweredDocument | undefined> {
  const found = await documents.readTile(tile, maxBytes);
  if (isFound(found)) return found;
  const seen = `The checkpoint covers it, and it answers with status ${found.status}.`;
  ledger.note({ clause, where: found.where, seen, remedy: REMEDY });
  return undefined;
}

function checkTileHeaders(document: AnsweredDocument, clause: string, ledger: Ledger): void {
  const { where, headers } = document;
  if (headers === undefined) {
    ledger.skipped('A folder does not say how it is served.', clause, 'TL-T12');
    return;
  }
  ledger.looked(clause, 'TL-T12');
  const type = mediaTypeOf(document) ?? '(none)';
  if (type !== TILE_TYPE)
    ledger.note({ clause, where, sort: 'type', seen: `Content-Type: ${type}`, remedy: `Serve it as ${TILE_TYPE}.` });
  const cache = headers['cache-control'] ?? '(none)';
  if (Number(/max-age=(\d+)/.exec(cache)?.[1] ?? 0) < A_WEEK) {
    const remedy = 'Serve tiles with Cache-Control: public, max-age=31536000, immutable.';
    ledger.note({ clause: 'TL-T12', where, sort: 'cache', seen: `Cache-Control: ${cache}`, remedy });
  }
}
