import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Tier } from '../config/tiers.ts';
import type { Payments } from './payments.ts';

export interface BuiltinPaymentsOptions {
  readonly tier: Tier;
  /** Signs the sessions; new at each start of a hub, so that older sessions are unknown. */
  readonly secret: string;
  /** A text of letters, digits, `-` and `_` that nobody has had before. */
  nonce(): string;
  now(): number;
}

const SESSION_MS = 3600_000;
const KEYS_PER_DAY = 5;
const BEGIN = 'tds';
const SESSION = /^tds\.([\w-]{8,64})\.([0-9a-z]{1,12})\.([\w-]{43})$/;

/**
 * For a hub that gives keys away: the checkout leads straight to the claim.
 *
 * A session carries its end and is signed, `tds.<nonce>.<end>.<signature>`, so that none is kept here and no flood of them costs memory.
 * That each gives one key is seen to by the store of keys.
 */
export function createBuiltinPayments({ tier, secret, nonce, now }: BuiltinPaymentsOptions): Payments {
  const sign = (signed: string) => createHmac('sha256', secret).update(signed).digest('base64url');
  return {
    dailyKeysPerClient: KEYS_PER_DAY,

    async checkout({ claimUrl }) {
      const signed = `${BEGIN}.${nonce()}.${Math.trunc(now() + SESSION_MS).toString(36)}`;
      return new URL(claimUrl.replace('{session_id}', `${signed}.${sign(signed)}`));
    },

    async session(id) {
      const [, once = '', end = '', signature = ''] = SESSION.exec(id) ?? [];
      const expected = sign(`${BEGIN}.${once}.${end}`);
      const isOurs =
        signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
      if (!isOurs || Number.parseInt(end, 36) <= now()) return undefined;
      return { id, isPaid: true, tier };
    },
  };
}
