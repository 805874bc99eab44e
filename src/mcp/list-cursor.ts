import { createHash } from 'node:crypto';

const SIGN_CHARACTERS = 8;
const MAX_CURSOR = 16_384;

/**
 * A cursor of a list: the last item that was given, so that it stays good while others come and go, and over restarts. What it ends with
 * tells it from a text that this server did not make; it is no secret, and there is nothing to be had by making one.
 */
export function listCursor(kind: string, last: string): string {
  const body = Buffer.from(last, 'utf8').toString('base64url');
  return `${body}.${signOf(kind, body)}`;
}

/** Undefined for a text that is no cursor of this list. */
export function readListCursor(kind: string, cursor: string): string | undefined {
  if (cursor.length > MAX_CURSOR) return undefined;
  const [body = '', sign = '', more] = cursor.split('.');
  if (more !== undefined || body === '' || sign !== signOf(kind, body)) return undefined;
  return Buffer.from(body, 'base64url').toString('utf8');
}

function signOf(kind: string, body: string): string {
  return createHash('sha256').update(`tidings-mcp/${kind}/${body}`).digest('base64url').slice(0, SIGN_CHARACTERS);
}
