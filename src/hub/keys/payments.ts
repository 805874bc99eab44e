import type { Tier } from './tiers.ts';

/** What is known of one visit to the checkout. */
export interface CheckoutSession {
  readonly id: string;
  /** Whether a key may be claimed with it now. */
  readonly isPaid: boolean;
  readonly tier: Tier;
  readonly label?: string;
  readonly subscription?: string;
}

/** What a webhook of the provider asks for. */
export type PaymentEvent =
  | { readonly kind: 'ended'; readonly id: string; readonly subscription: string }
  | { readonly kind: 'other'; readonly id: string };

/**
 * Who sells keys. A provider throws a {@link PaymentError} when it cannot answer; an unknown session is undefined.
 */
export interface Payments {
  /** Begins a checkout: where the buyer's browser goes next. `claimUrl` contains `{session_id}` where the session's id belongs. */
  checkout(places: { readonly claimUrl: string; readonly cancelUrl: string }): Promise<URL>;
  session(id: string): Promise<CheckoutSession | undefined>;
  /** Where nothing is paid, nobody gets more keys than this in a day, by address. */
  readonly dailyKeysPerClient?: number;
  /** Checks the signature over the bytes as they came. Undefined for one that is forged, stale or no event; absent where the provider has no webhooks. */
  readWebhook?(body: Uint8Array, signature: string | undefined, nowMs: number): Promise<PaymentEvent | undefined>;
}
