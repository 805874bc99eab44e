/**
 * The DID document of an origin: which keys may sign for it (§14, §15).
 *
 *     {"id":"did:web:api.example",
 *      "verificationMethod":[{"id":"did:web:api.example#key-1","type":"Ed25519VerificationKey2020",
 *                             "controller":"did:web:api.example","publicKeyMultibase":"u…"}]}
 *
 * Spec: https://www.w3.org/TR/did-1.0/
 */

import { groupBy } from '../primitives/group-by.ts';
import { findJsonFlaw } from '../primitives/json-flaw.ts';
import { isRecord, type JsonRecord } from '../primitives/json-record.ts';
import { decodeMultibase } from '../primitives/multibase.ts';
import { accept, type Result, refuse } from '../primitives/result.ts';
import { didOf, isSameDid } from './did-web.ts';
import { type DidDocument, METHOD_TYPE, type VerificationMethod } from './wire.ts';

export interface DidOptions {
  /** Accepts keys with the two bytes `ed01` before them, as other specifications write them. */
  readonly acceptMulticodecKeys?: boolean;
}

export type FoundMethod =
  | { readonly ok: true; readonly method: VerificationMethod & { readonly publicKey: Uint8Array } }
  | { readonly ok: false; readonly reason: string };

const MAX_CHARACTERS = 1_048_576;
const MAX_DEPTH = 32;
const MAX_METHODS = 1000;
const KEY_BYTES = 32;
/** The multicodec name of an Ed25519 public key, as a varint. */
const MULTICODEC = [0xed, 0x01] as const;

/** Refuses a document of another origin. Unusable methods stay in the result, with the reason. */
export function decodeDidDocument(json: string, origin: string | URL, options: DidOptions = {}): Result<DidDocument> {
  if (json.length > MAX_CHARACTERS) return refuse('AF-ID1', `It has more than ${MAX_CHARACTERS} characters.`);
  const document = parseObject(json);
  if (typeof document === 'string') return refuse('AF-ID1', document);

  const { id, verificationMethod } = document;
  const did = didOf(new URL(origin));
  if (typeof id !== 'string') return refuse('AF-K1', 'It has no id.');
  if (!isSameDid(id, did)) return refuse('AF-K1', `It is the document of "${id.slice(0, 200)}", not of ${did}.`);
  if (!Array.isArray(verificationMethod) || verificationMethod.length === 0) {
    return refuse('AF-ID4', 'It has no verificationMethod, or an empty one.');
  }
  if (verificationMethod.length > MAX_METHODS) return refuse('AF-ID4', `It has more than ${MAX_METHODS} methods.`);
  const methods = verificationMethod.filter(isRecord).map((method) => methodOf(method, id, options));
  return accept({ id, methods });
}

/**
 * The method that the signer of an entry names, or, without a signer, the first one of the type that v0 knows.
 *
 * `#key-1` and `did:web:api.example#key-1` are the same name.
 */
export function methodFor(document: DidDocument, signer: string | undefined): FoundMethod {
  const { first, named } = namesOf(document);
  const found = signer === undefined ? first : named.get(absoluteId(document, signer));
  const [method, ...others] = found ?? [];
  if (method === undefined) {
    const what = signer === undefined ? `of type ${METHOD_TYPE}` : `"${signer.slice(0, 200)}"`;
    return { ok: false, reason: `The DID document has no verification method ${what}.` };
  }
  const { publicKey } = method;
  if (publicKey === undefined) return { ok: false, reason: method.problem ?? `"${method.id}" has no usable key.` };
  if (others.some((other) => !isSameKey(publicKey, other.publicKey))) {
    return {
      ok: false,
      reason: `The DID document has several verification methods "${method.id}" with different keys.`,
    };
  }
  return { ok: true, method: { ...method, publicKey } };
}

interface MethodNames {
  /** The first method that v0 knows, or none. */
  readonly first: readonly VerificationMethod[];
  readonly named: ReadonlyMap<string, readonly VerificationMethod[]>;
}

/** A feed may name as many signers as it has entries, so each document is indexed only once. */
const known = new WeakMap<DidDocument, MethodNames>();

function namesOf(document: DidDocument): MethodNames {
  const before = known.get(document);
  if (before !== undefined) return before;
  const { methods } = document;
  const names: MethodNames = {
    first: methods.filter(({ type }) => type === METHOD_TYPE).slice(0, 1),
    named: groupBy(
      methods.filter(({ id }) => id !== ''),
      ({ id }) => absoluteId(document, id),
    ),
  };
  known.set(document, names);
  return names;
}

function absoluteId(document: DidDocument, id: string): string {
  return id.startsWith('#') ? `${document.id}${id}` : id;
}

/** The object, or the reason why the text is not one. */
function parseObject(json: string): JsonRecord | string {
  const flaw = findJsonFlaw(json, MAX_DEPTH);
  if (flaw?.is === 'deep') return `It is nested deeper than ${MAX_DEPTH}.`;
  if (flaw?.is === 'duplicate') return `It has the key ${flaw.at.slice(0, 200)} twice.`;
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : 'It is no JSON object.';
  } catch {
    return 'It is no JSON.';
  }
}

function methodOf(method: JsonRecord, did: string, options: DidOptions): VerificationMethod {
  const id = stringOrEmpty(method.id);
  const type = stringOrEmpty(method.type);
  const key = keyOf(method, did, options);
  return {
    id,
    type,
    ...(typeof method.controller === 'string' && { controller: method.controller }),
    ...(typeof key === 'string' ? { problem: `The verification method "${id}" ${key}.` } : { publicKey: key }),
  };
}

function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The key, or the reason why the method cannot be used. A missing controller means the document itself. */
function keyOf(method: JsonRecord, did: string, options: DidOptions): Uint8Array | string {
  const { type, controller, publicKeyMultibase } = method;
  if (type !== METHOD_TYPE) return `is not of type ${METHOD_TYPE}`;
  if (controller !== undefined && !(typeof controller === 'string' && isSameDid(controller, did))) {
    return `is controlled by someone else than ${did}`;
  }
  if (typeof publicKeyMultibase !== 'string') return 'has no publicKeyMultibase';
  const bytes = decodeMultibase(publicKeyMultibase);
  if (typeof bytes === 'string') return `has a publicKeyMultibase that cannot be read: ${bytes}`;
  if (bytes.length === KEY_BYTES) return bytes;
  const isMulticodec = bytes.length === KEY_BYTES + 2 && bytes[0] === MULTICODEC[0] && bytes[1] === MULTICODEC[1];
  if (!isMulticodec) return `has a key of ${bytes.length} bytes, not of ${KEY_BYTES}`;
  if (options.acceptMulticodecKeys === true) return bytes.slice(2);
  return `has a key of 34 bytes: the multicodec header ed01 stands before it, and agent-feed v0 wants the raw 32 bytes (such keys are read with acceptMulticodecKeys)`;
}

function isSameKey(left: Uint8Array, right: Uint8Array | undefined): boolean {
  return right !== undefined && left.length === right.length && left.every((byte, at) => byte === right[at]);
}
