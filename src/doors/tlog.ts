/**
 * `tidings/tlog`: transparency logs by the C2SP specifications (signed notes, checkpoints, tiles, proofs, cosignatures), as values. Nothing is fetched; SHA-256
 * and Ed25519 are passed as functions.
 */

export type { Issue, Result } from '../codecs/primitives/result.ts';
export {
  type AddCheckpoint,
  decodeAddCheckpoint,
  decodeWitnessAnswer,
  encodeAddCheckpoint,
  type WitnessAnswer,
  type WitnessResponse,
} from '../codecs/tlog/add-checkpoint.ts';
export { type Checkpoint, decodeCheckpoint } from '../codecs/tlog/checkpoint.ts';
export { type CosignedText, cosign } from '../codecs/tlog/cosignature.ts';
export { type CountedWitnesses, countWitnesses } from '../codecs/tlog/count-witnesses.ts';
export type { Ed25519Check, Sha256, SignMessage, VerifySignature } from '../codecs/tlog/crypto-functions.ts';
export { type DecodedLogEntry, decodeEntry } from '../codecs/tlog/decode-entry.ts';
export { encodeEntry } from '../codecs/tlog/encode-entry.ts';
export type {
  ArtifactLogEntry,
  BeginLogEntry,
  ChangeLogEntry,
  CheckedLogEntry,
  EntryText,
  HashedTexts,
  LogEntry,
  PrefixedHash,
  RedactedArtifact,
  RedactedLogEntry,
} from '../codecs/tlog/entry.ts';
export { decodeEntryBundle, encodeEntryBundle } from '../codecs/tlog/entry-bundle.ts';
export { GrowingTree, type TileHash, type TreeFrontier } from '../codecs/tlog/growing-tree.ts';
export { decodeHashTile } from '../codecs/tlog/hash-tile.ts';
export {
  hashText,
  judgeTexts,
  type SaltedText,
  type SaltedTexts,
  type TextState,
} from '../codecs/tlog/hashed-text.ts';
export {
  type CheckpointVerdict,
  judgeCheckpoint,
  type WitnessedLog,
  type WitnessPorts,
} from '../codecs/tlog/judge-checkpoint.ts';
export { logOrigin } from '../codecs/tlog/log-origin.ts';
export { type OpenCheckpointOptions, type OpenedCheckpoint, openCheckpoint } from '../codecs/tlog/open-checkpoint.ts';
export { decodeReceipt, encodeReceipt, type Receipt } from '../codecs/tlog/receipt.ts';
export { signCheckpoint } from '../codecs/tlog/sign-checkpoint.ts';
export { decodeSignedNote, type NoteSignature, type SignedNote } from '../codecs/tlog/signed-note.ts';
export { decodeTilePath, encodeTilePath, type Tile, type TileLevel } from '../codecs/tlog/tile-path.ts';
export { newBundles, newTiles } from '../codecs/tlog/tiles-of-size.ts';
export { decodeTlogProof, encodeTlogProof, type TlogProof } from '../codecs/tlog/tlog-proof.ts';
export { leafHash } from '../codecs/tlog/tree-hash.ts';
export { proveConsistency, proveInclusion, type TileHashes } from '../codecs/tlog/tree-proofs.ts';
export { decodeVerifierKey, encodeVerifierKey, type KeyUse, type VerifierKey } from '../codecs/tlog/verifier-key.ts';
export { type NoteSigner, verifySignedNote } from '../codecs/tlog/verify-note.ts';
export {
  type ConsistencyProof,
  type IncludedLeaf,
  type TreeHead,
  verifyConsistency,
  verifyInclusion,
} from '../codecs/tlog/verify-proof.ts';
export { type ProvenReceipt, type VerifyReceiptOptions, verifyReceipt } from '../codecs/tlog/verify-receipt.ts';
