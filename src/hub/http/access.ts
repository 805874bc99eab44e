import { bearerToken } from './admin-token.ts';
import { problem } from './problem.ts';
import type { HubResponse, RouteAccess } from './route.ts';

export type Admission =
  | { readonly ok: true; readonly isAdmin: boolean }
  | { readonly ok: false; readonly refusal: HubResponse };

/** The only place where a key is accepted: URLs end up in logs and histories (DD-U9). */
export const API_KEY_HEADER = 'x-diffdelta-key';

/** The headers that identify the caller. */
export interface Credentials {
  readonly authorization?: string | undefined;
  readonly [API_KEY_HEADER]?: string | string[] | undefined;
}

const PUBLIC: Admission = { ok: true, isAdmin: false };
const ADMIN: Admission = { ok: true, isAdmin: true };
const CHALLENGE = 'Bearer realm="tidings"';
/** The challenge for a request without a valid key. */
export const KEY_CHALLENGE = 'DiffDelta-Key realm="tidings"';
const A_TOKEN = /^bearer(?: |$)/i;

/**
 * Whether a request may reach its handler, judged by its headers alone (RFC 6750 §3).
 *
 * A wrong token is refused even if part of the answer is public, so that nobody mistakes that part for the whole.
 */
export function admit(
  access: RouteAccess,
  { authorization, [API_KEY_HEADER]: key }: Credentials,
  isAdmin: (authorization: string) => boolean,
): Admission {
  if (access === 'open') return PUBLIC;
  if (authorization === undefined || !A_TOKEN.test(authorization)) {
    if (access === 'admin') return TOKEN_MISSING;
    return access === 'admin-or-key' && key === undefined ? NOBODY : PUBLIC;
  }
  if (bearerToken(authorization) === undefined) return TOKEN_MISSING;
  return isAdmin(authorization) ? ADMIN : TOKEN_WRONG;
}

const TOKEN_MISSING: Admission = {
  ok: false,
  refusal: problem(
    { status: 401, detail: "Send the hub's token: Authorization: Bearer <token>." },
    { 'www-authenticate': CHALLENGE },
  ),
};

const NOBODY: Admission = {
  ok: false,
  refusal: problem(
    { status: 401, detail: "Send an API key in X-DiffDelta-Key, or the hub's token: Authorization: Bearer <token>." },
    { 'www-authenticate': `${CHALLENGE}, ${KEY_CHALLENGE}` },
  ),
};

const TOKEN_WRONG: Admission = {
  ok: false,
  refusal: problem(
    { status: 401, detail: "This is not the hub's token." },
    { 'www-authenticate': `${CHALLENGE}, error="invalid_token"` },
  ),
};
