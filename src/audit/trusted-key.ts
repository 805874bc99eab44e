import { decodeVerifierKey, encodeVerifierKey, isSameKey, type VerifierKey } from '../codecs/tlog/verifier-key.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { UnreadableTargetError } from '../errors/unreadable-target-error.ts';
import { sha256 } from '../tlog/sha256.ts';
import type { TileSource } from '../tlog/tile-source.ts';

/** The key that verifies checkpoints, and how it is known. */
export interface TrustedKey {
  readonly key: VerifierKey;
  /** Taken from the place itself: its operator may have made both. */
  readonly isFirstSight: boolean;
  /** Known witnesses: a bad signature line of one of them refuses a checkpoint. */
  readonly witnesses?: readonly VerifierKey[];
  /** The key that the place itself names, if it differs. */
  readonly other?: VerifierKey;
}

const MAX_KEY_BYTES = 2000;

/** `given` is the user's key, `pinned` that of the last look. */
export async function trustedKey(
  tiles: TileSource,
  { given, pinned }: { readonly given?: string | undefined; readonly pinned?: string | undefined },
): Promise<TrustedKey> {
  const own = await ownKey(tiles);
  const wanted = given === undefined ? undefined : givenKey(given);
  const known = pinned === undefined ? undefined : givenKey(pinned);
  if (wanted !== undefined && known !== undefined && !isSameKey(wanted, known)) {
    const remedy = `The last look went by ${encodeVerifierKey(known)}. Give that key, or another state for another log.`;
    throw new SettingRefusedError('vkey', encodeVerifierKey(wanted), remedy);
  }
  const key = wanted ?? known;
  if (key !== undefined) {
    return { key, isFirstSight: false, ...(own !== undefined && !isSameKey(own, key) && { other: own }) };
  }
  if (own !== undefined) return { key: own, isFirstSight: true };
  throw new UnreadableTargetError(tiles.name, 'it serves no vkey; give the key of the log with --vkey', 'fix-input');
}

/** Throws a {@link SettingRefusedError} for a text that is not a log key. */
function givenKey(text: string): VerifierKey {
  const key = decodeVerifierKey(text.trim(), sha256);
  if (!key.ok) throw new SettingRefusedError('vkey', text.trim().slice(0, 100), key.issues[0].message);
  if (key.value.use === 'log') return key.value;
  throw new SettingRefusedError('vkey', key.value.name, 'It is the key of a witness. Give that of the log.');
}

/** An invalid key counts as none: the checkpoint tells more. */
async function ownKey(tiles: TileSource): Promise<VerifierKey | undefined> {
  const bytes = await tiles.read('vkey', MAX_KEY_BYTES);
  if (bytes === undefined) return undefined;
  const key = decodeVerifierKey(new TextDecoder().decode(bytes).trim(), sha256);
  return key.ok && key.value.use === 'log' ? key.value : undefined;
}
