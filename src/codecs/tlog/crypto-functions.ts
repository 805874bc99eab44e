/** SHA-256 as a function: `node:crypto` on a server, our own in a browser, whose built-in one is asynchronous. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** One Ed25519 signature (RFC 8032) and everything needed to verify it. */
export interface Ed25519Check {
  /** The 32 raw bytes. */
  readonly publicKey: Uint8Array;
  readonly message: Uint8Array;
  /** The 64 raw bytes. */
  readonly signature: Uint8Array;
}

/** Whether a signature is valid. A public key that is not a point of the curve gives false, not an exception. */
export type VerifySignature = (check: Ed25519Check) => boolean;

/** The 64 bytes of an Ed25519 signature, with a key that only the caller knows. */
export type SignMessage = (message: Uint8Array) => Uint8Array;
