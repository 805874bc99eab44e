import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Result } from '../primitives/result.ts';
import type { Sha256, SignMessage, VerifySignature } from './crypto-functions.ts';
import { signCheckpoint } from './sign-checkpoint.ts';
import { EMPTY_ROOT, leafHash, nodeHash } from './tree-hash.ts';
import type { TileHashes } from './tree-proofs.ts';
import { makeVerifierKey } from './verifier-key.ts';

/** The DER frames of Ed25519 keys (RFC 8410) around their raw 32 bytes. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

export const sha256: Sha256 = (bytes) => createHash('sha256').update(bytes).digest();
export const sha256Hex = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

export const verifySignature: VerifySignature = ({ publicKey, message, signature }) => {
  const key = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' });
  return verify(null, message, key, signature);
};

/** Test keys: their seeds are counted bytes, from `first` on. */
export function testKey(first: number, use: 'log' | 'witness', name: string) {
  const seed = Buffer.from(Array.from({ length: 32 }, (_, at) => first + at));
  const secret = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = new Uint8Array(
    createPublicKey(secret).export({ format: 'der', type: 'spki' }).subarray(SPKI.length),
  );
  const signMessage: SignMessage = (message) => sign(null, message, secret);
  return { key: makeVerifierKey({ name, use, publicKey }, sha256), sign: signMessage };
}

export const ORIGIN = 'log.example/.well-known/tidings';
export const LOG = testKey(0x00, 'log', ORIGIN);
export const WITNESS = testKey(0x20, 'witness', 'witness.example/w1');

export const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Entry i of the test trees. */
export const entryBytes = (index: number) => bytesOf(`entry-${index}`);

const LEAVES: Uint8Array[] = [];
export function leafAt(index: number): Uint8Array {
  for (let at = LEAVES.length; at <= index; at += 1) LEAVES.push(leafHash(entryBytes(at), sha256));
  return LEAVES[index] ?? EMPTY_ROOT;
}

const PERFECT = new Map<string, Uint8Array>();

/** The root over entries [start, end) by the definition of RFC 6962 §2.1, which is slow and plain. */
export function definedRoot(start: number, end: number): Uint8Array {
  const count = end - start;
  if (count === 0) return EMPTY_ROOT;
  if (count === 1) return leafAt(start);
  const isPerfect = Number.isInteger(Math.log2(count)) && start % count === 0;
  const name = `${start}-${end}`;
  const kept = isPerfect ? PERFECT.get(name) : undefined;
  if (kept !== undefined) return kept;
  const split = start + 2 ** (Math.ceil(Math.log2(count)) - 1);
  const root = nodeHash(definedRoot(start, split), definedRoot(split, end), sha256);
  if (isPerfect) PERFECT.set(name, root);
  return root;
}

export function signedCheckpoint(treeSize: number, origin = ORIGIN): string {
  const key = { ...LOG.key, name: origin };
  const checkpoint = { origin, treeSize, rootHash: definedRoot(0, treeSize) };
  return signCheckpoint(checkpoint, makeVerifierKey(key, sha256), LOG.sign);
}

/** The value, or what was wrong with it. */
export function accepted<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.issues[0].clause}: ${result.issues[0].message}`);
  return result.value;
}

/** The clause that a refusal cites; undefined where it is accepted. */
export function clauseOf(result: Result<unknown>): string | undefined {
  return result.ok ? undefined : result.issues[0].clause;
}

const VECTORS = new URL('../../../specs/tlog/vectors/', import.meta.url);

export const vectorBytes = (path: string) => readFileSync(new URL(path, VECTORS));

/** A table of valid vectors. */
export function vector<T>(name: string): T {
  return JSON.parse(vectorBytes(`valid/${name}`).toString('utf8')) as T;
}

/** The tile hashes of the tree of test entries, by the definition. */
export const TEST_TILES: TileHashes = {
  sha256,
  hashAt: (level, index) => definedRoot(index * 256 ** level, (index + 1) * 256 ** level),
};
