import type Stripe from 'stripe';
import type { PaymentEvent, Standing } from '../../hub/keys/payments.ts';

export interface WebhookDelivery {
  readonly body: Uint8Array;
  /** The header `Stripe-Signature`: `t=<seconds>,v1=<hex>`, with one `v1` for each secret that is valid now. */
  readonly signature: string | undefined;
  readonly nowMs: number;
}

/** https://docs.stripe.com/webhooks#replay-attacks: Stripe's own default. */
const TOLERANCE_SECONDS = 300;
/** https://docs.stripe.com/api/subscriptions/object#subscription_object-status; others change nothing. */
const STANDINGS: ReadonlyMap<unknown, Standing> = new Map<unknown, Standing>([
  ['canceled', 'ended'],
  ['incomplete_expired', 'ended'],
  ['unpaid', 'unpaid'],
  ['active', 'resumed'],
  ['trialing', 'resumed'],
  // A card that failed once leaves the subscription so, and Stripe tries again.
  ['past_due', 'resumed'],
]);

/** What Stripe reports, or undefined if the bytes are not signed with our secret, too old, or not an event. */
export function readStripeWebhook(
  webhooks: Stripe['webhooks'],
  secret: string,
  { body, signature = '', nowMs }: WebhookDelivery,
): PaymentEvent | undefined {
  if (isFromTheFuture(signature, nowMs)) return undefined;
  try {
    // The SDK would drop a BOM and replace what is not UTF-8: then other bytes than the signed ones would pass.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    return eventOf(webhooks.constructEvent(text, signature, secret, TOLERANCE_SECONDS, undefined, nowMs), nowMs);
  } catch {
    // Whatever the SDK makes of it, an event that we may believe it is not.
    return undefined;
  }
}

/** The SDK measures how old a signature is, not how young. Also holds for a header without one clear moment. */
function isFromTheFuture(signature: string, nowMs: number): boolean {
  const moments = signature.split(',').filter((part) => part.startsWith('t='));
  const seconds = /^t=(\d{1,12})$/.exec(moments.join(','))?.[1];
  return seconds === undefined || Number(seconds) - Math.floor(nowMs / 1000) > TOLERANCE_SECONDS;
}

function eventOf(event: unknown, nowMs: number): PaymentEvent | undefined {
  const { id, object, type, data, created } = stripeFieldsOf(event);
  if (object !== 'event' || typeof id !== 'string' || id === '' || id.length > 255) return undefined;
  const subscription = stripeFieldsOf(stripeFieldsOf(data).object);
  const kind = kindOf(type, subscription);
  if (kind === undefined || typeof subscription.id !== 'string') return { kind: 'other', id };
  const sentMs = Number.isSafeInteger(created) ? Number(created) * 1000 : nowMs;
  return { kind, id, subscription: subscription.id, sentMs };
}

function kindOf(type: unknown, subscription: StripeFields): Standing | undefined {
  if (type === 'customer.subscription.deleted') return 'ended';
  return type === 'customer.subscription.updated' ? standingOf(subscription) : undefined;
}

export function standingOf({ status }: StripeFields): Standing | undefined {
  return STANDINGS.get(status);
}

export type StripeFields = Readonly<Record<string, unknown>>;

/** What an answer or an event holds, none of it taken for granted. */
export function stripeFieldsOf(value: unknown): StripeFields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
