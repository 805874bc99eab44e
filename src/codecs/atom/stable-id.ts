import { hash } from 'node:crypto';

/**
 * An id derived from its parts: the same parts always give the same id.
 *
 * A UUID of version 8 with the bits of a SHA-256 (RFC 9562, 5.8).
 *
 * @example
 * stableId('https://docs.example/', 'changes'); // urn:uuid:…
 */
export function stableId(...parts: readonly string[]): string {
  // As JSON, so that the boundaries between parts are unambiguous.
  const digest = hash('sha256', JSON.stringify(parts), 'hex');
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const groups = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ];
  return `urn:uuid:${groups.join('-')}`;
}
