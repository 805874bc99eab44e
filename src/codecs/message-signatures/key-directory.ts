/**
 * The directory of keys that a crawler signs with, as a set of JSON Web Keys.
 *
 *     {"keys":[{"kty":"OKP","crv":"Ed25519","kid":"poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U","x":"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs","use":"sig"}]}
 *
 * Spec: draft-ietf-webbotauth-httpsig-protocol-01; https://www.rfc-editor.org/rfc/rfc7638, https://www.rfc-editor.org/rfc/rfc8037
 */
import { encodeBase64url } from '../primitives/base64url.ts';

export const DIRECTORY_PATH = '/.well-known/http-message-signatures-directory';
export const DIRECTORY_MEDIA_TYPE = 'application/http-message-signatures-directory+json';

export type HashFunction = (bytes: Uint8Array) => Uint8Array;

/** The id of a key: the thumbprint of its public part (RFC 7638). */
export function keyThumbprint(publicKey: Uint8Array, sha256: HashFunction): string {
  const canonical = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x: encodeBase64url(publicKey) });
  return encodeBase64url(sha256(new TextEncoder().encode(canonical)));
}

/** The public parts of all valid keys, the signing one first. */
export function encodeKeyDirectory(publicKeys: readonly Uint8Array[], sha256: HashFunction): string {
  const keys = publicKeys.map((publicKey) => ({
    kty: 'OKP',
    crv: 'Ed25519',
    kid: keyThumbprint(publicKey, sha256),
    x: encodeBase64url(publicKey),
    use: 'sig',
  }));
  return JSON.stringify({ keys });
}
