import { createHash } from 'node:crypto';

const SIGN_CHARACTERS = 8;
const MAX_CURSOR = 16_384;

/**
 * A cursor of a list: the last returned item, so that it stays valid while items are added and removed, and across restarts. Its ending distinguishes
 * it from a text that this server did not make; it is not a secret, and forging one gains nothing.
 */
export function listCursor(kind: string, last: string): string {
  const body = Buffer.from(last, 'utf8').toString('base64url');
  return `${body}.${signOf(kind, body)}`;
}

/** Undefined for a text that is not a cursor of this list. */
export function readListCursor(kind: string, cursor: string): string | undefined {
  if (cursor.length > MAX_CURSOR) return undefined;
  const [body = '', sign = '', more] = cursor.split('.');
  if (more !== undefined || body === '' || sign !== signOf(kind, body)) return undefined;
  return Buffer.from(body, 'base64url').toString('utf8');
}

function signOf(kind: string, body: string): string {
  return createHash('sha256').update(`tidings-mcp/${kind}/${body}`).digest('base64url').slice(0, SIGN_CHARACTERS);
}
