/**
 * The DID of an origin: `did:web:api.example`, `did:web:api.example%3A8443`, `did:web:%5B%3A%3A1%5D%3A8443`.
 *
 * Spec: https://w3c-ccg.github.io/did-method-web/
 */

/** The host in lower case; the port only if it is not the default one. */
export function didOf(origin: URL): string {
  return `did:web:${encodeURIComponent(origin.host.toLowerCase())}`;
}

const ASCII_DID = /^did:web:[!-~]+$/;

/** Whether two texts name the same host: neither host names nor the digits after `%` are case-sensitive. */
export function isSameDid(left: string, right: string): boolean {
  return ASCII_DID.test(left) && ASCII_DID.test(right) && left.toLowerCase() === right.toLowerCase();
}
