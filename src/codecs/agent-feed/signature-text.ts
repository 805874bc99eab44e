/**
 * The text of `af:sig`: the 64 bytes of an Ed25519 signature, once in base64url and without padding (§17, §31).
 *
 *     hRi5gqGfYZ0-kYdzgT1Y8aQ0…   (86 characters)
 */

import { decodeBase64url, encodeBase64url } from '../primitives/base64url.ts';

const SIGNATURE_CHARACTERS = 86;
const XML_WHITE_SPACE = /[\t\n\r ]+/g;

/** White space is ignored anywhere. Undefined if the rest is not the one spelling of exactly 64 bytes. */
export function decodeSignature(text: string): Uint8Array | undefined {
  const bare = text.length === SIGNATURE_CHARACTERS ? text : text.replace(XML_WHITE_SPACE, '');
  return bare.length === SIGNATURE_CHARACTERS ? decodeBase64url(bare) : undefined;
}

export function encodeSignature(bytes: Uint8Array): string {
  return encodeBase64url(bytes);
}
