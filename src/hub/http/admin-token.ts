import { createHash, timingSafeEqual } from 'node:crypto';

export const MIN_TOKEN_CHARACTERS = 16;
const MAX_TOKEN_CHARACTERS = 1024;
const PRINTABLE = /^[\x21-\x7e]+$/;
/** RFC 6750 §2.1; the name of the scheme in any case (RFC 9110 §11.1). */
const BEARER = /^bearer +([\x21-\x7e]+) *$/i;

/** What of a token is kept: the hex of its SHA-256. */
export function hashToken(token: string): string {
  return digest(token).toString('hex');
}

/** Whether an operator's own token is one that nobody guesses by accident and every HTTP header can carry. */
export function isTokenAcceptable(text: string): boolean {
  return text.length >= MIN_TOKEN_CHARACTERS && text.length <= MAX_TOKEN_CHARACTERS && PRINTABLE.test(text);
}

/** The token in an `Authorization` header; undefined where it holds none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}

/** Whether the header carries the token of that hash. Takes the same time however much of it is right. */
export function tokenMatches(hash: string, authorization: string | undefined): boolean {
  const token = bearerToken(authorization);
  return token !== undefined && isToken(hash, token);
}

/** Whether it is the token of that hash. Takes the same time however much of it is right. */
export function isToken(hash: string, token: string): boolean {
  const expected = Buffer.from(hash, 'hex');
  return expected.length === 32 && timingSafeEqual(expected, digest(token));
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}
