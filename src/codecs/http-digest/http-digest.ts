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

/** Those that count (RFC 9530 §5), the stronger one last. */
export type DigestAlgorithm = 'sha-256' | 'sha-512';

const HASH_BYTES: Readonly<Record<DigestAlgorithm, number>> = { 'sha-256': 32, 'sha-512': 64 };

/** The hash that bytes must have. */
export interface ExpectedDigest {
  readonly algorithm: DigestAlgorithm;
  readonly hash: Uint8Array;
}

export function encodeDigest({ algorithm, hash }: ExpectedDigest): string {
  return `${algorithm}=:${encodeBase64(hash)}:`;
}

/** `sha-256` before `sha-512`, which costs more and proves no more here. Undefined where the field says nothing that counts. */
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
 * The digest that the body of an answer must have. A part is held against its own digest alone; the fields of an error, and those of
 * an answer without a body, are no statement about the document that was asked for.
 */
export function expectedDigest(
  status: number,
  headers: Readonly<Record<string, string | undefined>>,
): ExpectedDigest | undefined {
  if (status !== 200 && status !== 206) return undefined;
  return decodeDigest(headers[CONTENT_DIGEST]) ?? (status === 200 ? decodeDigest(headers[REPR_DIGEST]) : undefined);
}
