import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { hashToken, isTokenAcceptable, MIN_TOKEN_CHARACTERS } from '../hub/admin-token.ts';
import type { HubStore } from '../hub/hub-store.ts';
import { randomToken } from '../io/random-token.ts';

export interface SettledToken {
  readonly hash: string;
  /** Present when it was made just now. Nobody can say it again. */
  readonly made?: string;
}

const FACT = 'token-sha256';
const PREFIX = 'tdg_';

/** The admin's token: the given one, else that of an earlier start, else a new one. Only its hash is kept. */
export async function settleToken(
  store: Pick<HubStore, 'fact' | 'putFact'>,
  given: string | undefined,
): Promise<SettledToken> {
  const known = await store.fact(FACT);
  if (given === undefined && known !== undefined) return { hash: known };
  if (given !== undefined && !isTokenAcceptable(given)) {
    const demand = `It must be at least ${MIN_TOKEN_CHARACTERS} printable ASCII characters without spaces.`;
    throw new SettingRefusedError('TIDINGS_TOKEN', '(not shown)', demand);
  }
  const token = given ?? PREFIX + randomToken();
  const hash = hashToken(token);
  if (hash !== known) await store.putFact(FACT, hash);
  return given === undefined ? { hash, made: token } : { hash };
}
