import type Stripe from 'stripe';
import type { PaymentEvent } from '../hub/keys/payments.ts';

export interface WebhookDelivery {
  readonly body: Uint8Array;
  /** The header `Stripe-Signature`: `t=<seconds>,v1=<hex>`, with one `v1` for each secret that is valid now. */
  readonly signature: string | undefined;
  readonly nowMs: number;
}

/** https://docs.stripe.com/webhooks#replay-attacks: Stripe's own default. */
const TOLERANCE_SECONDS = 300;
/** A subscription in one of these pays for nothing any more. */
const ENDED = ['canceled', 'unpaid', 'incomplete_expired'];

/** What Stripe reports, or undefined where the bytes are not signed with our secret, not of now, or no event. */
export function readStripeWebhook(
  webhooks: Stripe['webhooks'],
  secret: string,
  { body, signature = '', nowMs }: WebhookDelivery,
): PaymentEvent | undefined {
  if (isFromTheFuture(signature, nowMs)) return undefined;
  try {
    // The SDK would drop a BOM and replace what is not UTF-8: then other bytes than the signed ones would pass.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    return eventOf(webhooks.constructEvent(text, signature, secret, TOLERANCE_SECONDS, undefined, nowMs));
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

function eventOf(event: unknown): PaymentEvent | undefined {
  const { id, object, type, data } = fieldsOf(event);
  if (object !== 'event' || typeof id !== 'string' || id === '' || id.length > 255) return undefined;
  const subscription = fieldsOf(fieldsOf(data).object);
  const hasEnded =
    type === 'customer.subscription.deleted' ||
    (type === 'customer.subscription.updated' && ENDED.includes(String(subscription.status)));
  if (!hasEnded || typeof subscription.id !== 'string') return { kind: 'other', id };
  return { kind: 'ended', id, subscription: subscription.id };
}

export type Fields = Readonly<Record<string, unknown>>;

/** What an answer or an event holds, none of it taken for granted. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
