import type { Tier } from '../config/tiers.ts';

/** What is known of one visit to the checkout. */
export interface CheckoutSession {
  readonly id: string;
  /** Whether a key may be claimed with it now. */
  readonly isPaid: boolean;
  readonly tier: Tier;
  readonly label?: string;
  readonly subscription?: string;
}

/** How a subscription stands. Nobody pays while it is `unpaid`, and it may be `resumed`; one that has `ended` stays so. */
export type Standing = 'ended' | 'unpaid' | 'resumed';

/** That a subscription came to stand so, and when the provider says that it did: events come in any order. */
export interface StandingEvent {
  readonly kind: Standing;
  readonly id: string;
  readonly subscription: string;
  readonly sentMs: number;
}

/** What a webhook of the provider asks for. */
export type PaymentEvent = StandingEvent | { readonly kind: 'other'; readonly id: string };

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
  /** How a subscription stands now; undefined where that is not known. Absent where the provider has no webhooks. */
  standingOf?(subscription: string): Promise<Standing | undefined>;
}
