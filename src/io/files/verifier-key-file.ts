import { readFileSync, statSync } from 'node:fs';
import { decodeVerifierKey, type KeyUse, type VerifierKey } from '../../codecs/tlog/verifier-key.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { NOTE_CRYPTO } from '../../surface/note-crypto.ts';

const MOST_BYTES = 2000;
const KINDS: Readonly<Record<KeyUse, string>> = { log: 'of a log (type 0x01)', witness: 'of a witness (type 0x04)' };

/** A verifier key for one use, given as its line or as a file that holds it. `setting`: how messages call it. */
export function readVerifierKey(given: string, use: KeyUse, setting: string): VerifierKey {
  const text = isFile(given) ? readFileSync(given, 'utf8').trim() : given.trim();
  const key = decodeVerifierKey(text, NOTE_CRYPTO.sha256);
  const shown = given.slice(0, 200);
  if (!key.ok) {
    const remedy = `${key.issues[0].message} Give a verifier key, or a file that holds one.`;
    throw new SettingRefusedError(setting, shown, remedy);
  }
  if (key.value.use !== use) {
    const remedy = `It is the key ${KINDS[key.value.use]}, and one ${KINDS[use]} is needed.`;
    throw new SettingRefusedError(setting, shown, remedy);
  }
  return key.value;
}

function isFile(given: string): boolean {
  try {
    const facts = statSync(given, { throwIfNoEntry: false });
    return facts?.isFile() === true && facts.size <= MOST_BYTES;
  } catch {
    return false;
  }
}
