/**
 * The signature of a delivery. It covers the id, the time of the attempt and the bytes of the body, with one entry per secret.
 *
 *     webhook-id: msg_01J9ZK3V5M
 *     webhook-timestamp: 1767323045
 *     webhook-signature: v1,gii3dbkweEe09wTA4srv+2HF0OKfgGTEbbDrLJnqdCg= v1a,b0K1oJomvSGvs2mw/wR4TIIq…
 *
 * Spec: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
import { createHmac, sign } from 'node:crypto';
import { encodeBase64 } from '../primitives/base64.ts';
import type { SigningSecret } from './secret.ts';

export interface WebhookToSign {
  /** The same in every attempt. Contains no full stop, because that separates the signed parts. */
  readonly id: string;
  /** When this attempt is made. */
  readonly timestampSeconds: number;
  /** Exactly as it is sent. */
  readonly body: string | Uint8Array;
  /** During a rotation: the new secret, then the old one. */
  readonly secrets: readonly SigningSecret[];
}

const ID = /^[\x21-\x2b\x2d\x2f-\x7e]{1,255}$/;

/**
 * The value of `webhook-signature`.
 *
 * @example
 * const secret = decodeWebhookSecret('whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=');
 * if (secret.ok) signWebhook({ id: 'msg_1', timestampSeconds: 1767323045, body: '{}', secrets: [secret.value] }); // 'v1,…'
 */
export function signWebhook({ id, timestampSeconds, body, secrets }: WebhookToSign): string {
  if (!isWebhookId(id)) throw new TypeError(`"${id}" is no webhook-id.`);
  if (!Number.isSafeInteger(timestampSeconds)) throw new TypeError(`${timestampSeconds} are no whole seconds.`);
  const content = signedContent(id, String(timestampSeconds), body);
  return secrets.map((secret) => `${secret.scheme},${encodeBase64(signatureOf(secret, content))}`).join(' ');
}

/** Visible ASCII without a full stop, which separates the signed parts, or a comma, which is the sign of a repeated header. */
export function isWebhookId(text: string): boolean {
  return ID.test(text);
}

export function signedContent(id: string, timestamp: string, body: string | Uint8Array): Uint8Array {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const tail = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const content = new Uint8Array(head.length + tail.length);
  content.set(head);
  content.set(tail, head.length);
  return content;
}

export function hmacOf(key: Uint8Array, content: Uint8Array): Uint8Array {
  return createHmac('sha256', key).update(content).digest();
}

function signatureOf(secret: SigningSecret, content: Uint8Array): Uint8Array {
  return secret.scheme === 'v1' ? hmacOf(secret.key, content) : sign(null, content, secret.key);
}
