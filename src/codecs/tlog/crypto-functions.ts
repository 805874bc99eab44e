/** SHA-256 as a function: `node:crypto` on a server, one of our own in a browser, which has only an asynchronous one. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** One Ed25519 signature (RFC 8032) and all that it takes to verify it. */
export interface Ed25519Check {
  /** The 32 raw bytes. */
  readonly publicKey: Uint8Array;
  readonly message: Uint8Array;
  /** The 64 raw bytes. */
  readonly signature: Uint8Array;
}

/** Whether a signature is good. A public key that is no point of the curve verifies nothing: false, no exception. */
export type VerifySignature = (check: Ed25519Check) => boolean;

/** The 64 bytes of an Ed25519 signature with a key that only the caller knows. */
export type SignMessage = (message: Uint8Array) => Uint8Array;
