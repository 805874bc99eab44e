import { createHash } from 'node:crypto';
import type { Sha256, VerifySignature } from '../codecs/tlog/crypto-functions.ts';
import { verifySignature } from './ed25519.ts';

/** SHA-256 and Ed25519 of this process, as the codecs of signed notes and logs ask for them. */
export const NOTE_CRYPTO: NoteCrypto = {
  sha256: (bytes) => createHash('sha256').update(bytes).digest(),
  verifySignature: ({ publicKey, message, signature }) => verifySignature(publicKey, message, signature),
};

export interface NoteCrypto {
  readonly sha256: Sha256;
  readonly verifySignature: VerifySignature;
}
