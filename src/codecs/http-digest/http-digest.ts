/**
 * Digests of what HTTP carries.
 *
 *     Content-Digest: sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:
 *     Repr-Digest: sha-512=:…:, sha-256=:…:
 *
 * Spec: https://www.rfc-editor.org/rfc/rfc9530
 */
import { decodeBase64, encodeBase64 } from '../primitives/base64.ts';
import { parseDictionary } from '../primitives/structured-dictionary.ts';

export const CONTENT_DIGEST = 'content-digest';
export const REPR_DIGEST = 'repr-digest';

/** The supported algorithms (RFC 9530 §5), the stronger one last. */
export type DigestAlgorithm = 'sha-256' | 'sha-512';

const HASH_BYTES: Readonly<Record<DigestAlgorithm, number>> = { 'sha-256': 32, 'sha-512': 64 };

/** The hash that the bytes must have. */
export interface ExpectedDigest {
  readonly algorithm: DigestAlgorithm;
  readonly hash: Uint8Array;
}

export function encodeDigest({ algorithm, hash }: ExpectedDigest): string {
  return `${algorithm}=:${encodeBase64(hash)}:`;
}

/** Prefers `sha-256` to `sha-512`, which costs more and proves no more here. Undefined if the field has neither. */
export function decodeDigest(field: string | undefined): ExpectedDigest | undefined {
  const members = field === undefined ? undefined : parseDictionary(field);
  if (members === undefined) return undefined;
  for (const algorithm of ['sha-256', 'sha-512'] as const) {
    const member = members.get(algorithm);
    const hash = member?.kind === 'bytes' ? decodeBase64(member.text.slice(1, -1)) : undefined;
    if (hash?.length === HASH_BYTES[algorithm]) return { algorithm, hash };
  }
  return undefined;
}

/**
 * The digest that the body of an answer must have. A partial answer is compared only with its own digest. The fields of an error,
 * and of an answer without a body, say nothing about the requested document.
 */
export function expectedDigest(
  status: number,
  headers: Readonly<Record<string, string | undefined>>,
): ExpectedDigest | undefined {
  if (status !== 200 && status !== 206) return undefined;
  return decodeDigest(headers[CONTENT_DIGEST]) ?? (status === 200 ? decodeDigest(headers[REPR_DIGEST]) : undefined);
}
