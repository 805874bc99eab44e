/** `tidings/tlog`: transparency logs by the C2SP specifications (signed notes, checkpoints, tiles, proofs, cosignatures), as values. Nothing is fetched; SHA-256 and Ed25519 arrive as functions. */

export type { Issue, Result } from '../codecs/primitives/result.ts';
export { type Checkpoint, decodeCheckpoint } from '../codecs/tlog/checkpoint.ts';
export { cosign } from '../codecs/tlog/cosignature.ts';
export { type CountedWitnesses, countWitnesses } from '../codecs/tlog/count-witnesses.ts';
export type { Ed25519Check, Sha256, SignMessage, VerifySignature } from '../codecs/tlog/crypto-functions.ts';
export { logOrigin } from '../codecs/tlog/log-origin.ts';
export { type OpenCheckpointOptions, type OpenedCheckpoint, openCheckpoint } from '../codecs/tlog/open-checkpoint.ts';
export { signCheckpoint } from '../codecs/tlog/sign-checkpoint.ts';
export { decodeSignedNote, type NoteSignature, type SignedNote } from '../codecs/tlog/signed-note.ts';
export { decodeVerifierKey, encodeVerifierKey, type VerifierKey } from '../codecs/tlog/verifier-key.ts';
export { type NoteSigner, verifySignedNote } from '../codecs/tlog/verify-note.ts';
