import { decodeBase64url, encodeBase64url } from '../../codecs/primitives/base64url.ts';
import { isRecord } from '../../codecs/primitives/json-record.ts';
import { parseTime } from '../../codecs/primitives/time.ts';
import { createSigner, publicKeyOfSeed } from '../../surface/ed25519.ts';
import type { LogSigner } from '../projection-settings.ts';

/** The key of one provable log. It signs the checkpoints of that log and nothing else. */
export interface LogKey {
  readonly created: string;
  /** The raw 32 bytes. */
  readonly publicKey: Uint8Array;
  /** The secret, 32 bytes. */
  readonly seed: Uint8Array;
}

/** Differs from the type of files with keys that sign facts about an API, so neither is accepted in place of the other. */
const FILE_TYPE = 'tidings log key';
const KEY_BYTES = 32;

export function newLogKey(seed: Uint8Array, created: string): LogKey {
  return { created, publicKey: publicKeyOfSeed(seed), seed };
}

export function encodeLogKey({ created, publicKey, seed }: LogKey): string {
  const file = { type: FILE_TYPE, created, publicKey: encodeBase64url(publicKey), seed: encodeBase64url(seed) };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Returns a description of the problem if the text is invalid. It never quotes the text. */
export function decodeLogKey(text: string): LogKey | string {
  const file = parse(text);
  if (file?.type === 'tidings signing keys') return 'It holds keys that sign facts about an API, not the key of a log.';
  if (file?.type !== FILE_TYPE) return 'It is no file with the key of a log.';
  const { created } = file;
  const publicKey = keyBytes(file.publicKey);
  const seed = keyBytes(file.seed);
  if (
    publicKey === undefined ||
    seed === undefined ||
    typeof created !== 'string' ||
    parseTime(created) === undefined
  ) {
    return 'The key in it is broken.';
  }
  if (encodeBase64url(publicKeyOfSeed(seed)) !== file.publicKey) {
    return 'The secret in it does not belong to the public key beside it.';
  }
  return { created, publicKey, seed };
}

/** The signer of a key, without access to the secret. */
export function signerOf({ publicKey, seed }: LogKey): LogSigner {
  return { publicKey, sign: createSigner(seed) };
}

function keyBytes(text: unknown): Uint8Array | undefined {
  const bytes = typeof text === 'string' ? decodeBase64url(text) : undefined;
  return bytes?.length === KEY_BYTES ? bytes : undefined;
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
