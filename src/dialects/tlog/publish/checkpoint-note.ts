import type { Checkpoint } from '../../../codecs/tlog/checkpoint.ts';
import { signCheckpoint } from '../../../codecs/tlog/sign-checkpoint.ts';
import { encodeVerifierKey, makeVerifierKey } from '../../../codecs/tlog/verifier-key.ts';
import { sha256 } from '../../../tlog/sha256.ts';
import type { LogSigner } from '../../projection-settings.ts';

/** The verifier key of a log as a file, and its checkpoint once somebody wants it: nothing is signed before. */
export function encodeCheckpointNote(checkpoint: Checkpoint, { publicKey, sign }: LogSigner) {
  const key = makeVerifierKey({ name: checkpoint.origin, use: 'log', publicKey }, sha256);
  return {
    vkey: Buffer.from(`${encodeVerifierKey(key)}\n`),
    sign: () => Buffer.from(signCheckpoint(checkpoint, key, sign)),
  };
}
