/**
 * X-Hub-Signature: proves that the sender knows the secret of the subscriber.
 *
 *     X-Hub-Signature: sha256=cfc76f8acaf91032ffa97aa16097d6a3de3ff5f2e0f43da27652e44b4f907a64
 *
 * It is the HMAC over the bytes of the body only; the key is the secret in UTF-8. Spec: https://www.w3.org/TR/websub/#authenticated-content-distribution
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { accept, type Result, refuse } from '../primitives/result.ts';

export const HUB_SIGNATURE_METHODS = ['sha1', 'sha256', 'sha384', 'sha512'] as const;

export type HubSignatureMethod = (typeof HUB_SIGNATURE_METHODS)[number];

export const HUB_SIGNATURE_HEADER = 'x-hub-signature';

const HEX_DIGITS: Readonly<Record<HubSignatureMethod, number>> = { sha1: 40, sha256: 64, sha384: 96, sha512: 128 };
const HEADER = /^([a-z0-9]+)=([0-9a-f]+)$/i;

/** The value of the header for a body. */
export function hubSignature(method: HubSignatureMethod, secret: string, body: Uint8Array): string {
  return `${method}=${hexOf(createHmac(method, secret).update(body).digest())}`;
}

/**
 * Whether a header is the signature of a body, with the method that it names. `weakest` is the weakest accepted method: those after
 * it in {@link HUB_SIGNATURE_METHODS} are accepted, too. The digits may be in any case. No message repeats the header.
 */
export function verifyHubSignature(
  header: string | undefined,
  { secret, weakest = 'sha1' }: { readonly secret: string; readonly weakest?: HubSignatureMethod },
  body: Uint8Array,
): Result<HubSignatureMethod> {
  if (header === undefined) return refuse('WS-S6', 'The delivery is not signed.');
  const [, name = '', digits = ''] = HEADER.exec(header.trim()) ?? [];
  const method = HUB_SIGNATURE_METHODS.find((known) => known === name.toLowerCase());
  if (method === undefined) return refuse('WS-S5', 'The signature names no method of WebSub.');
  if (HUB_SIGNATURE_METHODS.indexOf(method) < HUB_SIGNATURE_METHODS.indexOf(weakest)) {
    return refuse('WS-S5', `The signature is made with ${method}, which is weaker than ${weakest}.`);
  }
  if (digits.length !== HEX_DIGITS[method]) return refuse('WS-S5', `The signature has not the length of ${method}.`);
  // Both sides have the same length here, as the constant-time comparison requires.
  const encoder = new TextEncoder();
  const own = encoder.encode(hubSignature(method, secret, body));
  if (!timingSafeEqual(own, encoder.encode(`${method}=${digits.toLowerCase()}`))) {
    return refuse('WS-S6', 'The signature is not that of the body.');
  }
  return accept(method);
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
