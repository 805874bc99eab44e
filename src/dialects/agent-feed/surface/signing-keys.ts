import { decodeBase64url, encodeBase64url } from '../../../codecs/primitives/base64url.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';
import { publicKeyOfSeed } from '../../../surface/ed25519.ts';

/** The keys of one publisher, oldest first. The last key that has its seed signs. */
export interface SigningKeys {
  readonly keys: readonly SigningKey[];
}

export interface SigningKey {
  /** The fragment of its verification method: `key-1`. */
  readonly id: string;
  readonly created: string;
  /** The raw 32 bytes as base64url. */
  readonly publicKey: string;
  /** The secret, 32 bytes as base64url. Absent once the key is retired. */
  readonly seed?: string;
  /** What it signed no longer counts. */
  readonly revoked?: true;
}

const FILE_TYPE = 'tidings signing keys';
const KEY_BYTES = 32;

/** The same keys and one more, which signs from now on. */
export function withNewKey({ keys }: SigningKeys, seed: Uint8Array, created: string): SigningKeys {
  const numbers = keys.map(({ id }) => Number(/^key-(\d{1,9})$/.exec(id)?.[1] ?? 0));
  const id = `key-${Math.max(0, ...numbers) + 1}`;
  const publicKey = encodeBase64url(publicKeyOfSeed(seed));
  return { keys: [...keys, { id, created, publicKey, seed: encodeBase64url(seed) }] };
}

/** Only the last key keeps its secret. What the others signed stays valid, but nobody can sign with them again. */
export function withRetiredKeys({ keys }: SigningKeys): SigningKeys {
  return {
    keys: keys.map(({ seed, ...rest }, index) => (index === keys.length - 1 && seed ? { ...rest, seed } : rest)),
  };
}

/** Removes the secret of this key. The key is never published again. */
export function withRevokedKey({ keys }: SigningKeys, id: string): SigningKeys {
  return {
    keys: keys.map(({ seed, ...key }) =>
      key.id === id ? { ...key, revoked: true } : { ...key, ...(seed && { seed }) },
    ),
  };
}

export function encodeSigningKeys({ keys }: SigningKeys): string {
  return `${JSON.stringify({ type: FILE_TYPE, keys }, null, 2)}\n`;
}

/** Returns a description of the problem if the text is invalid. It never quotes the text. */
export function decodeSigningKeys(text: string): SigningKeys | string {
  const file = parse(text);
  if (file?.type !== FILE_TYPE || !Array.isArray(file.keys)) return 'It is no file of tidings keys.';
  if (file.keys.length === 0) return 'It holds no key.';
  const ids = new Set<unknown>();
  for (const [index, key] of file.keys.entries()) {
    if (!isSigningKey(key)) return `Its key number ${index + 1} is broken.`;
    if (ids.has(key.id)) return `Its key number ${index + 1} has the id of another one.`;
    ids.add(key.id);
    if (key.seed !== undefined && !belongsTogether(key.seed, key.publicKey)) {
      return `The secret of its key number ${index + 1} does not belong to the public key beside it.`;
    }
  }
  return {
    keys: file.keys.map(({ id, created, publicKey, seed, revoked }) => ({
      id,
      created,
      publicKey,
      ...(seed && { seed }),
      ...(revoked === true && { revoked }),
    })),
  };
}

function isSigningKey(value: unknown): value is SigningKey {
  if (typeof value !== 'object' || value === null) return false;
  const { id, created, publicKey, seed } = value as Record<string, unknown>;
  return (
    typeof id === 'string' &&
    /^[\w.-]{1,100}$/.test(id) &&
    typeof created === 'string' &&
    parseTime(created) !== undefined &&
    isKeyText(publicKey) &&
    (seed === undefined || isKeyText(seed))
  );
}

function isKeyText(text: unknown): boolean {
  return typeof text === 'string' && decodeBase64url(text)?.length === KEY_BYTES;
}

function belongsTogether(seed: string, publicKey: string): boolean {
  const bytes = decodeBase64url(seed);
  return bytes !== undefined && encodeBase64url(publicKeyOfSeed(bytes)) === publicKey;
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
