import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { hashToken, isTokenAcceptable, MIN_TOKEN_CHARACTERS } from '../hub/http/admin-token.ts';
import type { HubStore } from '../hub/store/hub-store.ts';
import { randomToken } from '../io/node/random-token.ts';

export interface AdminToken {
  readonly hash: string;
  /** Present for a new token that nobody knows yet. */
  readonly made?: string;
  /** Stores the hash. Show a new token before: it cannot be recovered later. */
  keep(): Promise<void>;
}

const FACT = 'token-sha256';
const PREFIX = 'tdg_';

/** Refuses a token that is easy to guess, before anything is opened. */
export function ensureTokenIsAcceptable(token: string | undefined): void {
  if (token === undefined || isTokenAcceptable(token)) return;
  const demand = `It must be at least ${MIN_TOKEN_CHARACTERS} printable ASCII characters without spaces.`;
  throw new SettingRefusedError('TIDINGS_TOKEN', '(not shown)', demand);
}

/** The admin's token: the given one, or that of an earlier start, or a new one. Only its hash is ever stored. */
export async function adminToken(
  store: Pick<HubStore, 'fact' | 'putFact'>,
  given: string | undefined,
): Promise<AdminToken> {
  const known = await store.fact(FACT);
  if (given === undefined && known !== undefined) return { hash: known, keep: async () => {} };
  const token = given ?? PREFIX + randomToken();
  const hash = hashToken(token);
  const keep = async () => {
    if (hash !== known) await store.putFact(FACT, hash);
  };
  return { hash, ...(given === undefined && { made: token }), keep };
}
