import { encodeBase64url } from '../primitives/base64url.ts';
import { concatBytes } from '../primitives/bytes.ts';
import { accept, type Result } from '../primitives/result.ts';
import { decodeJsonObject, jsonItems, setJsonItems } from './json-members.ts';

/** The fragment of the method. */
const LOG_KEY_ID = '#tidings-log';
/** No type that agent-feed knows: the key of a log signs no entry of a feed, and no reader takes it for one that does. */
const TYPE = 'Multikey';
/** Before the bytes of an Ed25519 key, see https://www.w3.org/TR/cid-1.0/#Multikey. */
const ED25519 = Uint8Array.of(0xed, 0x01);

/**
 * The same DID document with the public key of a provable log as a verification method that is used for nothing else. One that is there already keeps its bytes
 * where it says the same.
 */
export function withLogKey(document: string, did: string, publicKey: Uint8Array): Result<string> {
  const decoded = decodeJsonObject(document);
  if (!decoded.ok) return decoded;
  const id = `${did}${LOG_KEY_ID}`;
  const publicKeyMultibase = `u${encodeBase64url(concatBytes(ED25519, publicKey))}`;
  const value = { id, type: TYPE, controller: did, publicKeyMultibase };
  const items = jsonItems(document, 'verificationMethod').map((text) => ({ text, method: parsed(text) }));
  if (items.some(({ method }) => JSON.stringify(method) === JSON.stringify(value))) return accept(document);
  const others = items.filter(({ method }) => method?.id !== id).map(({ text }) => ({ text }));
  return accept(setJsonItems(document, 'verificationMethod', [...others, { value }]));
}

function parsed(text: string): { readonly id?: unknown } | null {
  return JSON.parse(text) as { readonly id?: unknown } | null;
}
