/** `tidings/tlog`: transparency logs by the C2SP specifications (signed notes, checkpoints, tiles, proofs, cosignatures), as values. Nothing is fetched; SHA-256 and Ed25519 arrive as functions. */

export type { Issue, Result } from '../codecs/primitives/result.ts';
export { decodeAddCheckpoint, decodeWitnessAnswer, encodeAddCheckpoint } from '../codecs/tlog/add-checkpoint.ts';
export { type Checkpoint, decodeCheckpoint } from '../codecs/tlog/checkpoint.ts';
export { cosign } from '../codecs/tlog/cosignature.ts';
export { type CountedWitnesses, countWitnesses } from '../codecs/tlog/count-witnesses.ts';
export type { Ed25519Check, Sha256, SignMessage, VerifySignature } from '../codecs/tlog/crypto-functions.ts';
export { decodeEntryBundle, encodeEntryBundle } from '../codecs/tlog/entry-bundle.ts';
export { GrowingTree, type TileHash, type TreeFrontier } from '../codecs/tlog/growing-tree.ts';
export { decodeHashTile } from '../codecs/tlog/hash-tile.ts';
export { judgeCheckpoint } from '../codecs/tlog/judge-checkpoint.ts';
export { logOrigin } from '../codecs/tlog/log-origin.ts';
export { type OpenCheckpointOptions, type OpenedCheckpoint, openCheckpoint } from '../codecs/tlog/open-checkpoint.ts';
export { signCheckpoint } from '../codecs/tlog/sign-checkpoint.ts';
export { decodeSignedNote, type NoteSignature, type SignedNote } from '../codecs/tlog/signed-note.ts';
export { decodeTilePath, encodeTilePath, type Tile } from '../codecs/tlog/tile-path.ts';
export { newBundles, newTiles } from '../codecs/tlog/tiles-of-size.ts';
export { decodeTlogProof, encodeTlogProof } from '../codecs/tlog/tlog-proof.ts';
export { leafHash } from '../codecs/tlog/tree-hash.ts';
export { proveConsistency, proveInclusion, type TileHashes } from '../codecs/tlog/tree-proofs.ts';
export { decodeVerifierKey, encodeVerifierKey, type VerifierKey } from '../codecs/tlog/verifier-key.ts';
export { type NoteSigner, verifySignedNote } from '../codecs/tlog/verify-note.ts';
export { type IncludedLeaf, type TreeHead, verifyConsistency, verifyInclusion } from '../codecs/tlog/verify-proof.ts';
