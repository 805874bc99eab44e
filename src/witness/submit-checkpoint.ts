import { decodeCheckpoint } from '../codecs/tlog/checkpoint.ts';
import { decodeSignedNote } from '../codecs/tlog/signed-note.ts';
import type { TileSource } from '../tlog/tile-source.ts';
import { TreeReader } from '../tlog/tree-reader.ts';
import type { Submission } from './ask-witness.ts';

/** A checkpoint of our own log, with the tiles for its proofs. */
export function submissionOf(note: string, tiles: TileSource): Submission {
  const decoded = decodeSignedNote(new TextEncoder().encode(note));
  const checkpoint = decoded.ok ? decodeCheckpoint(decoded.value.text) : decoded;
  if (!checkpoint.ok) throw new RangeError(`This is no checkpoint: ${checkpoint.issues[0].message}`);
  const { treeSize } = checkpoint.value;
  const tree = new TreeReader(tiles, checkpoint.value);
  return { note, treeSize, proofFrom: (oldSize) => tree.consistencyProof(oldSize) };
}
