import { createHash, timingSafeEqual } from 'node:crypto';

export const MIN_TOKEN_CHARACTERS = 16;
const MAX_TOKEN_CHARACTERS = 1024;
const PRINTABLE = /^[\x21-\x7e]+$/;
/** RFC 6750 §2.1; the name of the scheme in any case (RFC 9110 §11.1). */
const BEARER = /^bearer +([\x21-\x7e]+) *$/i;

/** The stored form of a token: the hex of its SHA-256. */
export function hashToken(token: string): string {
  return digest(token).toString('hex');
}

/** Whether an operator's own token is hard to guess and fits into an HTTP header. */
export function isTokenAcceptable(text: string): boolean {
  return text.length >= MIN_TOKEN_CHARACTERS && text.length <= MAX_TOKEN_CHARACTERS && PRINTABLE.test(text);
}

/** The token in an `Authorization` header; undefined if it holds none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}

/** Whether the header carries the token with that hash. Takes constant time. */
export function tokenMatches(hash: string, authorization: string | undefined): boolean {
  const token = bearerToken(authorization);
  return token !== undefined && isToken(hash, token);
}

/** Whether it is the token with that hash. Takes constant time. */
export function isToken(hash: string, token: string): boolean {
  const expected = Buffer.from(hash, 'hex');
  return expected.length === 32 && timingSafeEqual(expected, digest(token));
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}
