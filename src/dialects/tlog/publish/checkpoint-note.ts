import type { Checkpoint } from '../../../codecs/tlog/checkpoint.ts';
import { signCheckpoint } from '../../../codecs/tlog/sign-checkpoint.ts';
import { encodeVerifierKey, makeVerifierKey } from '../../../codecs/tlog/verifier-key.ts';
import { sha256 } from '../../../tlog/sha256.ts';
import type { LogSigner } from '../../projection-settings.ts';

/** The file with the verifier key of a log, and a function that signs its checkpoint on demand. */
export function encodeCheckpointNote(checkpoint: Checkpoint, { publicKey, sign }: LogSigner) {
  const key = makeVerifierKey({ name: checkpoint.origin, use: 'log', publicKey }, sha256);
  return {
    vkey: Buffer.from(`${encodeVerifierKey(key)}\n`),
    sign: () => Buffer.from(signCheckpoint(checkpoint, key, sign)),
  };
}
