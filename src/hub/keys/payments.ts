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

/** The state of a subscription. An `unpaid` one may be `resumed`; one that has `ended` stays so. */
export type Standing = 'ended' | 'unpaid' | 'resumed';

/** A change of state of a subscription, with the provider's time: events come in any order. */
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
  /** Begins a checkout: returns the next address for the buyer's browser. `claimUrl` contains `{session_id}` in place of the session's id. */
  checkout(places: { readonly claimUrl: string; readonly cancelUrl: string }): Promise<URL>;
  session(id: string): Promise<CheckoutSession | undefined>;
  /** Where nothing is paid, nobody gets more keys than this in a day, by address. */
  readonly dailyKeysPerClient?: number;
  /** Checks the signature over the received bytes. Undefined if it is forged, stale or not an event; absent if the provider has no webhooks. */
  readWebhook?(body: Uint8Array, signature: string | undefined, nowMs: number): Promise<PaymentEvent | undefined>;
  /** The current state of a subscription; undefined if unknown. Absent if the provider has no webhooks. */
  standingOf?(subscription: string): Promise<Standing | undefined>;
}
