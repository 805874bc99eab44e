import type { VerifierKey } from '../../codecs/tlog/verifier-key.ts';
import { KeyFileError } from '../../errors/surface-error.ts';
import { decodeWitnessKey, encodeWitnessKey, type WitnessKey } from '../../witness/witness-key.ts';
import { createKeyFile, readKeyFile } from './key-file.ts';
import { randomSeed } from './signing-keys.ts';

const MAKE = 'tidings witness --new-key';

/** Refuses a file that others on this machine can read. */
export async function readWitnessKey(file: string): Promise<WitnessKey> {
  const decoded = decodeWitnessKey((await readKeyFile(file, MAKE)).trim());
  if (!decoded.ok) throw new KeyFileError(file, `${decoded.issues[0].message} Make one with "${MAKE}".`);
  return decoded.value;
}

/** A new key in a file that is not there yet. */
export async function createWitnessKey(file: string, name: string): Promise<VerifierKey> {
  const line = encodeWitnessKey(name, randomSeed());
  await createKeyFile(file, `${line}\n`, 'Name another file.');
  const decoded = decodeWitnessKey(line);
  if (!decoded.ok) throw new Error('A key that was just made cannot be read.');
  return decoded.value.key;
}
