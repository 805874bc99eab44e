import { type Checkpoint, encodeCheckpoint } from './checkpoint.ts';
import type { SignMessage } from './crypto-functions.ts';
import { encodeSignedNote } from './signed-note.ts';
import type { VerifierKey } from './verifier-key.ts';

/**
 * The signed note of a checkpoint. The key of a log must sign nothing else: the signature covers bare text, so any other signed
 * text of three fitting lines would be a checkpoint.
 *
 * Never sign two checkpoints of which neither extends the other. Store the head first, then sign it.
 *
 * @example
 * const note = signCheckpoint({ origin: key.name, treeSize: 7, rootHash }, key, sign);
 */
export function signCheckpoint(checkpoint: Checkpoint, key: VerifierKey, sign: SignMessage): string {
  if (key.use !== 'log') throw new RangeError(`The key ${key.name} is of a witness: it signs no checkpoints.`);
  if (key.name !== checkpoint.origin)
    throw new RangeError(`The key of the log ${checkpoint.origin} is named ${key.name}.`);
  const text = encodeCheckpoint(checkpoint);
  const signature = sign(new TextEncoder().encode(text));
  return encodeSignedNote(text, [{ name: key.name, keyId: key.keyId, signature }]);
}
