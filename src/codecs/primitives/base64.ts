/**
 * Base64 with `+`, `/` and padding.
 *
 * Spec: https://www.rfc-editor.org/rfc/rfc4648#section-4
 */
import { decodeBase64url, encodeBase64url } from './base64url.ts';

export function encodeBase64(bytes: Uint8Array): string {
  const text = encodeBase64url(bytes).replaceAll('-', '+').replaceAll('_', '/');
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=');
}

/** Undefined for other characters, missing or excess padding, and left-over bits that are not zero. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const [, digits] = /^([A-Za-z0-9+/]*)={0,2}$/.exec(text) ?? [];
  if (digits === undefined || text.length % 4 !== 0) return undefined;
  const bytes = decodeBase64url(digits.replaceAll('+', '-').replaceAll('/', '_'));
  return bytes !== undefined && encodeBase64(bytes) === text ? bytes : undefined;
}
