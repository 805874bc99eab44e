import { onTestFinished } from 'vitest';
import { DEFAULT_TIER_LIMITS, type Tier, type TierLimits } from '../../src/hub/config/tiers.ts';
import { API_KEY_HEADER } from '../../src/hub/http/access.ts';
import { apiKeyRecord } from '../../src/hub/keys/api-key.ts';
import { createKeyRing } from '../../src/hub/keys/key-ring.ts';
import { UsageMeter } from '../../src/hub/keys/key-usage.ts';
import type { Payments } from '../../src/hub/keys/payments.ts';
import { createRateLimiter } from '../../src/hub/keys/rate-limiter.ts';
import { keyRoutes } from '../../src/hub/routes/key-routes.ts';
import { randomApiKey } from '../../src/io/node/random-api-key.ts';
import { openSqliteHubStore } from '../../src/io/sqlite/hub-store.ts';
import { temporaryFolder } from './site.ts';

/** A moment with milliseconds, so that rounding is visible. */
export const NOON = Date.parse('2026-03-01T12:00:00.250Z');

export interface KeyLabOptions {
  readonly payments?: Payments;
  readonly perMinute?: TierLimits;
}

/** The keys of a hub over a real database, with a clock that moves when told. */
export async function keyLab({ payments, perMinute = DEFAULT_TIER_LIMITS }: KeyLabOptions = {}) {
  const folder = temporaryFolder();
  const store = await openSqliteHubStore({ folder: folder.path });
  onTestFinished(async () => {
    await store[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });
  const time = { nowMs: NOON };
  const now = () => time.nowMs;
  const keys = await createKeyRing(store.keys);
  const limiter = createRateLimiter({ now });
  const usage = new UsageMeter({ store: store.keyUsage, now, alarm: () => () => {}, onProblem: () => {} });
  const hub = { url: 'https://hub.example/' };
  const parts = { keys, usage, perMinute, limiter, makeKey: randomApiKey, baseUrl: () => hub.url, now };
  return {
    folder,
    store,
    time,
    keys,
    limiter,
    hub,
    usage,
    limits: { limiter, perMinute, keys, usage },
    routes: keyRoutes({ ...parts, ...(payments !== undefined && { payments }) }),
    /** A new key of that tier, and the header for it. */
    async issue(tier: Tier = 'pro') {
      const key = randomApiKey();
      await keys.add(apiKeyRecord(key, { tier, createdMs: now() }));
      return { key, headers: { [API_KEY_HEADER]: key } };
    },
  };
}
