import { decodeBase64url } from '../primitives/base64url.ts';
import { decodeMultibase } from '../primitives/multibase.ts';
import { accept, type Result, refuse } from '../primitives/result.ts';
import { isSameDid } from './did-web.ts';
import { decodeJsonObject, type JsonItem, jsonItems, setJsonItems, setJsonMembers } from './json-members.ts';
import { METHOD_TYPE } from './wire.ts';

export interface DidKey {
  /** The DID URL of the method. */
  readonly id: string;
  /** The raw 32 bytes as base64url. */
  readonly publicKey: string;
  /** The key must no longer be trusted: it is removed. */
  readonly isRevoked?: boolean;
}

interface Method {
  readonly id: string;
  readonly type: string;
  readonly controller: string;
  readonly publicKeyMultibase: string;
}

/** The relationships that may use a method (DID Core, 5.3). Each lists methods or their names. */
const USES = ['assertionMethod', 'authentication', 'keyAgreement', 'capabilityInvocation', 'capabilityDelegation'];
const CONTEXTS = ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/ed25519-2020/v1'];

/**
 * The DID document of an origin (§14). Keys come oldest first, so that the first method stays the first.
 *
 * An existing document keeps everything that is not ours; ours are the methods with the ids of our keys. A document of another DID
 * is refused, and so is one with another key under one of our ids.
 */
export function encodeDid(did: string, keys: readonly DidKey[], existing?: string): Result<string> {
  const all = keys.map((key) => ({ ...key, method: methodOf(did, key.id, key.publicKey) }));
  const methods = all.filter(({ isRevoked }) => isRevoked !== true).map(({ method }) => method);
  const revoked = all.filter(({ isRevoked }) => isRevoked === true).map(({ method }) => method);
  const ids = methods.map(({ id }) => id);
  if (existing === undefined) {
    const document = { '@context': CONTEXTS, id: did, verificationMethod: methods, assertionMethod: ids };
    return accept(`${JSON.stringify(document, null, 2)}\n`);
  }

  const decoded = decodeJsonObject(existing);
  if (!decoded.ok) return decoded;
  const { id, verificationMethod = [], assertionMethod = [] } = decoded.value;
  if (id !== undefined && !(typeof id === 'string' && isSameDid(id, did))) {
    return refuse('AF-ID3', `It is the document of ${JSON.stringify(id)}, not of ${did}.`);
  }
  if (!Array.isArray(verificationMethod) || !Array.isArray(assertionMethod)) {
    return refuse('AF-ID4', 'Its verificationMethod and assertionMethod must be arrays.');
  }
  const stranger = methods.find((method) =>
    verificationMethod.some((one) => isNamed(one, method, did) && !hasKeyOf(one, method)),
  );
  if (stranger !== undefined) {
    return refuse('AF-ID7', `It has another key as ${stranger.id}. Entries of that key would stop to verify.`);
  }

  let text = id === did ? existing : setJsonMembers(existing, { id: did });
  text = editItems(text, '@context', (items) => [...items, ...missing(items, CONTEXTS)]);
  for (const use of ['verificationMethod', ...USES]) {
    if (decoded.value[use] !== undefined) text = editItems(text, use, withoutRevoked);
  }
  text = editItems(text, 'verificationMethod', (items) => [
    ...items.map((item) => asOurs(item, methods, did)),
    ...methods
      .filter((method) => !items.some((item) => isNamed(parsed(item), method, did)))
      .map((value) => ({ value })),
  ]);
  text = editItems(text, 'assertionMethod', (items) => [
    ...items,
    ...methods
      .filter((method) => !items.some((item) => isNamed(parsed(item), method, did)))
      .map((method) => ({ value: method.id })),
  ]);
  return accept(text);

  function withoutRevoked(items: readonly JsonText[]): readonly JsonItem[] {
    return items.filter((item) => !revoked.some((method) => isNamed(parsed(item), method, did)));
  }
}

interface JsonText {
  readonly text: string;
}

/** An array that is already correct keeps its bytes. */
function editItems(text: string, key: string, edit: (items: readonly JsonText[]) => readonly JsonItem[]): string {
  const before = jsonItems(text, key);
  const after = edit(before.map((item) => ({ text: item })));
  const isSame =
    after.length === before.length && after.every((item, at) => 'text' in item && item.text === before[at]);
  return isSame ? text : setJsonItems(text, key, after);
}

function missing(items: readonly JsonText[], values: readonly string[]): JsonItem[] {
  const known = new Set(items.map(parsed));
  return values.filter((value) => !known.has(value)).map((value) => ({ value }));
}

/** Our method with the fields that readers require. Other fields of its author stay. */
function asOurs(item: JsonText, methods: readonly Method[], did: string): JsonItem {
  const theirs = parsed(item);
  const ours = methods.find((method) => isNamed(theirs, method, did));
  if (ours === undefined || typeof theirs !== 'object' || theirs === null) return item;
  const known = new Map(Object.entries(theirs));
  const changed = Object.entries(ours).filter(([key, value]) => known.get(key) !== value);
  return { text: setJsonMembers(item.text, Object.fromEntries(changed)) };
}

function parsed({ text }: JsonText): unknown {
  return JSON.parse(text);
}

/** Whether a document has another key under this id. */
export function hasOtherKey(did: string, { id, publicKey }: DidKey, document: string): boolean {
  const decoded = decodeJsonObject(document);
  const methods = decoded.ok ? decoded.value.verificationMethod : undefined;
  const ours = methodOf(did, id, publicKey);
  return Array.isArray(methods) && methods.some((one) => isNamed(one, ours, did) && !hasKeyOf(one, ours));
}

function methodOf(did: string, id: string, publicKey: string): Method {
  return { id, type: METHOD_TYPE, controller: did, publicKeyMultibase: `u${publicKey}` };
}

/** Matches a method or a reference to one. `#key-1` is short for the whole id. */
function isNamed(one: unknown, { id }: Method, did: string): boolean {
  const name = typeof one === 'object' && one !== null && 'id' in one ? one.id : one;
  return name === id || `${did}${String(name)}` === id;
}

/** Accepts other spellings of the key, such as the one with two bytes before it. */
function hasKeyOf(one: unknown, { publicKeyMultibase }: Method): boolean {
  const text =
    typeof one === 'object' && one !== null && 'publicKeyMultibase' in one ? one.publicKeyMultibase : undefined;
  if (text === publicKeyMultibase) return true;
  const bytes = typeof text === 'string' ? decodeMultibase(text) : '';
  const ours = decodeBase64url(publicKeyMultibase.slice(1));
  return typeof bytes !== 'string' && ours !== undefined && String(bytes.slice(-ours.length)) === String(ours);
}
