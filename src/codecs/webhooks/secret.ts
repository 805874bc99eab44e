/**
 * Secrets and keys of webhooks as text: a prefix, then the bytes of the key in base64.
 *
 *     whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=     sender and receiver, HMAC-SHA256: `v1`
 *     whsk_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=      sender, Ed25519: `v1a`
 *     whpk_6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw=      receiver, Ed25519: `v1a`
 *
 * Spec: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { decodeBase64, encodeBase64 } from '../primitives/base64.ts';
import { decodeBase64url, encodeBase64url } from '../primitives/base64url.ts';
import { accept, type Result, refuse } from '../primitives/result.ts';

/** The key that signs a delivery. */
export type SigningSecret =
  | { readonly scheme: 'v1'; readonly key: Uint8Array }
  | { readonly scheme: 'v1a'; readonly key: KeyObject };

/** The key that verifies a delivery. */
export type WebhookKey = SigningSecret;

const FEWEST_BYTES = 24;
const MOST_BYTES = 64;
const ED25519_BYTES = 32;
/** The DER header of a raw seed (RFC 8410 §7). */
const PKCS8_HEADER = [48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32];

/** Makes a secret from 24 to 64 bytes that nobody can guess. */
export function encodeWebhookSecret(bytes: Uint8Array): string {
  if (bytes.length < FEWEST_BYTES || bytes.length > MOST_BYTES) {
    throw new RangeError(`A secret has ${FEWEST_BYTES} to ${MOST_BYTES} bytes, not ${bytes.length}.`);
  }
  return `whsec_${encodeBase64(bytes)}`;
}

/** `whsec_…` or `whsk_…`. Error messages never repeat the text, because it is secret. */
export function decodeWebhookSecret(text: string): Result<SigningSecret> {
  if (text.startsWith('whpk_'))
    return refuse('SW-S5', 'A public key (whpk_) cannot sign. Give the private one (whsk_).');
  if (!text.startsWith('whsk_')) return decodeSymmetric(text);
  const bytes = decodeBase64(text.slice('whsk_'.length));
  if (bytes?.length !== ED25519_BYTES && bytes?.length !== 2 * ED25519_BYTES) {
    return refuse('SW-S5', 'What follows whsk_ is not base64 of 32 bytes (a seed) or 64 (with the public key).');
  }
  const key = privateKeyOf(bytes.subarray(0, ED25519_BYTES));
  const isPair = bytes.length === ED25519_BYTES || isSame(publicBytesOf(key), bytes.subarray(ED25519_BYTES));
  return isPair ? accept({ scheme: 'v1a', key }) : refuse('SW-S5', 'The two halves of the private key are no pair.');
}

/** `whsec_…` or `whpk_…`. */
export function decodeWebhookKey(text: string): Result<WebhookKey> {
  if (text.startsWith('whsk_'))
    return refuse('SW-S5', 'A private key (whsk_) belongs to who sends. Give the public one (whpk_).');
  if (!text.startsWith('whpk_')) return decodeSymmetric(text);
  const bytes = decodeBase64(text.slice('whpk_'.length));
  const key = bytes?.length === ED25519_BYTES ? publicKeyOf(bytes) : undefined;
  return key === undefined
    ? refuse('SW-S5', 'What follows whpk_ is not base64 of a public key of 32 bytes.')
    : accept({ scheme: 'v1a', key });
}

/** The `whpk_…` of a private key, to give to receivers. */
export function webhookPublicKey({ key }: SigningSecret & { readonly scheme: 'v1a' }): string {
  return `whpk_${encodeBase64(publicBytesOf(key))}`;
}

function decodeSymmetric(text: string): Result<SigningSecret> {
  if (/^v1a?,/.test(text)) {
    return refuse('SW-S5', 'This begins with v1, which is how a signature begins. A secret begins with whsec_.');
  }
  if (!text.startsWith('whsec_')) return refuse('SW-S5', 'A secret begins with whsec_, and base64 follows.');
  const key = decodeBase64(text.slice('whsec_'.length));
  if (key === undefined) return refuse('SW-S5', 'What follows whsec_ is not base64 with its padding.');
  if (key.length < FEWEST_BYTES || key.length > MOST_BYTES) {
    return refuse('SW-S4', `A secret has ${FEWEST_BYTES} to ${MOST_BYTES} bytes, this one has ${key.length}.`);
  }
  return accept({ scheme: 'v1', key });
}

function privateKeyOf(seed: Uint8Array): KeyObject {
  const der = encodeBase64(new Uint8Array([...PKCS8_HEADER, ...seed]));
  return createPrivateKey(`-----BEGIN PRIVATE KEY-----\n${der}\n-----END PRIVATE KEY-----\n`);
}

function publicKeyOf(bytes: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: encodeBase64url(bytes) }, format: 'jwk' });
  } catch {
    return undefined;
  }
}

function publicBytesOf(key: KeyObject): Uint8Array {
  return decodeBase64url(createPublicKey(key).export({ format: 'jwk' }).x ?? '') ?? new Uint8Array();
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return encodeBase64(one) === encodeBase64(other);
}
