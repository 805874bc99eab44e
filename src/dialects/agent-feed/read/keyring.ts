import type { KeyObject } from 'node:crypto';
import { methodFor } from '../../../codecs/agent-feed/did-document.ts';
import type { DidDocument } from '../../../codecs/agent-feed/wire.ts';
import { publicKeyOf } from '../../../surface/ed25519.ts';

export interface SignerKey {
  readonly ok: true;
  readonly key: KeyObject;
  /** In hex. */
  readonly publicKey: string;
  /** The id of the verification method, as the DID document writes it. */
  readonly methodId: string;
}

export type FoundKey = SignerKey | { readonly ok: false; readonly reason: string };

/** More than the methods of any DID document. Further names are looked up each time. */
const MAX_KEPT = 2000;

/** Finds the key that an entry names. Each key is created once, however many entries name it. */
export function createKeyring(document: DidDocument): (signer: string | undefined) => FoundKey {
  const keys = new Map<string | undefined, FoundKey>();
  return (signer) => {
    const known = keys.get(signer);
    if (known !== undefined) return known;
    const found = findKey(document, signer);
    if (keys.size < MAX_KEPT) keys.set(signer, found);
    return found;
  };
}

function findKey(document: DidDocument, signer: string | undefined): FoundKey {
  const found = methodFor(document, signer);
  if (!found.ok) return found;
  const { id, publicKey } = found.method;
  const key = publicKeyOf(publicKey);
  if (key === undefined) return { ok: false, reason: `The key of "${id}" is no Ed25519 key.` };
  return { ok: true, key, publicKey: Buffer.from(publicKey).toString('hex'), methodId: id };
}
