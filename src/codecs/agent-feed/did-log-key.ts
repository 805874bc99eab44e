import { encodeBase64url } from '../primitives/base64url.ts';
import { concatBytes } from '../primitives/bytes.ts';
import { accept, type Result } from '../primitives/result.ts';
import { decodeJsonObject, jsonItems, setJsonItems } from './json-members.ts';

/** The fragment of the method id. */
const LOG_KEY_ID = '#tidings-log';
/** A type that agent-feed does not know: the key of a log signs no entries, and no reader must think that it does. */
const TYPE = 'Multikey';
/** The prefix of an Ed25519 key, see https://www.w3.org/TR/cid-1.0/#Multikey. */
const ED25519 = Uint8Array.of(0xed, 0x01);

/**
 * Adds the public key of a provable log to a DID document, as a verification method that is used for nothing else. If the same
 * method is already there, the document is unchanged.
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
