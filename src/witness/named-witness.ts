import { accept, type Result, refuse } from '../codecs/primitives/result.ts';
import { decodeVerifierKey } from '../codecs/tlog/verifier-key.ts';
import { NOTE_CRYPTO } from '../surface/note-crypto.ts';
import type { NamedWitness } from './ask-witness.ts';

/**
 * A witness in settings and on the command line: its verifier key, `@`, its URL.
 *
 *     witness.example/w1+20324abe+BCmsuuFBvMrwsi4alNNNC8c2HlJtC/4SyJeUvJMilm3X@https://witness.example/
 */
export function decodeNamedWitness(text: string): Result<NamedWitness> {
  const at = text.search(/@https?:/);
  if (at === -1) return refuse('TL-W1', 'A witness is named by its verifier key, "@" and its address.');
  const key = decodeVerifierKey(text.slice(0, at), NOTE_CRYPTO.sha256);
  if (!key.ok) return key;
  if (key.value.use !== 'witness') {
    return refuse(
      'TL-S1',
      `${key.value.name} is the key of a log (type 0x01), and that of a witness (0x04) is needed.`,
    );
  }
  const url = parsed(text.slice(at + 1));
  if (url === undefined || url.username !== '' || url.search !== '' || url.hash !== '') {
    return refuse('TL-W1', 'The address of a witness is an http(s) URL without user, query and fragment.');
  }
  return accept({ key: key.value, url });
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
