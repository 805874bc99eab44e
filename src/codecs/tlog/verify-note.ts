import { accept, type Result, refuse } from '../primitives/result.ts';
import { cosignedMessage, decodeCosignature } from './cosignature.ts';
import type { Ed25519Check, VerifySignature } from './crypto-functions.ts';
import type { NoteSignature, SignedNote } from './signed-note.ts';
import { isSameKey, type VerifierKey } from './verifier-key.ts';

/** A key that signed a note. Listed once, even if it has several lines. */
export interface NoteSigner {
  readonly key: VerifierKey;
  /** When a witness signed, in seconds since 1970: the latest time of its lines. */
  readonly time?: bigint;
}

/** A line of a known key. `check` is undefined if its bytes cannot be a signature of that key. */
export interface KnownSignature {
  readonly key: VerifierKey;
  readonly time?: bigint;
  readonly check?: Ed25519Check;
}

/**
 * Finds which of the known keys signed a note. Lines of other keys are ignored, even if only the name or only the id is known.
 * Refuses the note if a line of a known key is bad or if no known key signed it.
 * Do not trust the text before this accepts it.
 *
 * @example
 * const signers = verifySignedNote(note, [logKey, witnessKey], verifySignature);
 * if (!signers.ok) throw new Error(signers.issues[0].message);
 */
export function verifySignedNote(
  note: SignedNote,
  keys: readonly VerifierKey[],
  verifySignature: VerifySignature,
): Result<readonly [NoteSigner, ...NoteSigner[]]> {
  const signers: NoteSigner[] = [];
  for (const { key, time, check } of knownSignatures(note, keys)) {
    if (check === undefined || !verifySignature(check)) {
      return refuse('TL-N9', `The signature of ${key.name} is not good, so nothing in this note counts.`);
    }
    const at = signers.findIndex((signer) => isSameKey(signer.key, key));
    const signer = time === undefined ? { key } : { key, time };
    if (at === -1) signers.push(signer);
    else if ((time ?? 0n) > (signers[at]?.time ?? 0n)) signers[at] = signer;
  }
  const [first, ...others] = signers;
  if (first === undefined)
    return refuse('TL-N10', `It is signed by ${namesOf(note)}, and by no key that is trusted here.`);
  return accept([first, ...others]);
}

/** The lines that must be verified. If verifying is asynchronous, verify these first and look up the results. */
export function knownSignatures(note: SignedNote, keys: readonly VerifierKey[]): readonly KnownSignature[] {
  return note.signatures.flatMap((line) =>
    keys.filter(({ name, keyId }) => name === line.name && keyId === line.keyId).map((key) => known(note, line, key)),
  );
}

function known(note: SignedNote, { signature }: NoteSignature, key: VerifierKey): KnownSignature {
  const { publicKey } = key;
  if (key.use === 'log') {
    return signature.length === 64 ? { key, check: { publicKey, message: note.textBytes, signature } } : { key };
  }
  const cosignature = decodeCosignature(signature);
  if (cosignature === undefined) return { key };
  const { time } = cosignature;
  const message = cosignedMessage(note.textBytes, time);
  return { key, time, check: { publicKey, message, signature: cosignature.signature } };
}

const NAMES_SHOWN = 3;

function namesOf({ signatures }: SignedNote): string {
  const names = [...new Set(signatures.map(({ name, keyId }) => `${name.slice(0, 100)} (${keyId})`))];
  return names.length > NAMES_SHOWN ? `${names.slice(0, NAMES_SHOWN).join(', ')} and others` : names.join(', ');
}
