import { createHash } from 'node:crypto';
import { expectedDigest } from '../../codecs/http-digest/http-digest.ts';
import { BodyEncodingError, DigestMismatchError } from '../../errors/fetch-error.ts';
import type { HttpHeaders, HttpResponse } from '../../fetch/http-client.ts';

/** Hashes a body as it comes over the wire, before it is decoded. */
export interface DigestWatch {
  readonly see: (piece: Uint8Array) => void;
  /** Whether all that came has the digest that was named for it. Once, at the end. */
  fits(): boolean;
}

/** An answer that names a digest of its body. */
export interface DigestedResponse extends HttpResponse {
  /** Absent if it names no usable one. */
  readonly digest?: DigestWatch;
}

/** Up to this size, a body is held back until its digest is checked. For longer ones, the reader learns it at the end. */
const HELD_BYTES = 8 * 1024 * 1024;

/** Undefined, and without any cost, if the answer names no digest. */
export function watchDigest(status: number, headers: HttpHeaders): DigestWatch | undefined {
  const expected = expectedDigest(status, headers);
  if (expected === undefined) return undefined;
  const hash = createHash(expected.algorithm === 'sha-512' ? 'sha512' : 'sha256');
  return {
    see: (piece) => hash.update(piece),
    fits: () => hash.digest().equals(expected.hash),
  };
}

/**
 * An answer whose body has its digest, or `mismatch`. Nothing of a body is given out before that is known, but of one that is longer
 * than is held: its reader gets a {@link DigestMismatchError} in place of the end.
 */
export async function digestSeen({ digest, ...response }: DigestedResponse): Promise<HttpResponse | 'mismatch'> {
  if (digest === undefined) return response;
  const pieces: Uint8Array[] = [];
  const rest = response.body[Symbol.asyncIterator]();
  let heldBytes = 0;
  let failure: { readonly error: unknown } | undefined;
  try {
    while (heldBytes <= HELD_BYTES) {
      const next = await rest.next();
      if (next.done) return digest.fits() ? heldResponse(response, pieces) : 'mismatch';
      heldBytes += next.value.length;
      pieces.push(next.value);
    }
  } catch (error) {
    // One bit is enough, and compressed bytes cannot be decoded to their end.
    if (error instanceof BodyEncodingError) return 'mismatch';
    failure = { error };
  }
  return {
    ...response,
    body: {
      async *[Symbol.asyncIterator]() {
        yield* pieces;
        if (failure !== undefined) throw failure.error;
        yield* { [Symbol.asyncIterator]: () => rest };
        if (!digest.fits()) throw new DigestMismatchError(response.url);
      },
    },
    async discard() {
      await rest.return?.();
    },
  };
}

function heldResponse(response: HttpResponse, pieces: readonly Uint8Array[]): HttpResponse {
  return {
    ...response,
    body: {
      async *[Symbol.asyncIterator]() {
        yield* pieces;
      },
    },
    discard: async () => {},
  };
}
