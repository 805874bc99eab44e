import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import { createBuiltinPayments } from '../hub/keys/builtin-payments.ts';
import type { Payments } from '../hub/keys/payments.ts';
import { randomNonce, randomToken } from '../io/node/random-token.ts';
import type { Endings } from './endings.ts';
import { openGuarded } from './open-http.ts';

/** The secrets that Stripe gives to a seller. */
export interface StripeSecrets {
  readonly secretKey?: string | undefined;
  readonly webhookSecret?: string | undefined;
}

/** The provider that sells or gives away the keys of this hub. Undefined if only the admin does. */
export async function openPayments(
  config: HubConfig,
  { secretKey, webhookSecret }: StripeSecrets,
  endings: Endings,
): Promise<Payments | undefined> {
  const { apiKeys } = config;
  if (apiKeys.provider === 'none') return undefined;
  const { tier } = apiKeys;
  if (apiKeys.provider === 'builtin') {
    return createBuiltinPayments({ tier, secret: randomToken(), nonce: randomNonce, now: Date.now });
  }
  if (secretKey === undefined) {
    throw new SettingRefusedError(
      'apiKeys.provider',
      'stripe',
      'Set TIDINGS_STRIPE_KEY or TIDINGS_STRIPE_KEY_FILE, too.',
    );
  }
  const { createStripePayments } = await import('../io/stripe/payments.ts');
  return await createStripePayments({
    secretKey,
    ...(webhookSecret !== undefined && { webhookSecret }),
    price: apiKeys.price,
    tier,
    apiUrl: new URL(apiKeys.apiUrl),
    http: endings.use(await openGuarded(config)),
  });
}
