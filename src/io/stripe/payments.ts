import type Stripe from 'stripe';
import { canParseUrl } from '../../codecs/primitives/can-parse-url.ts';
import { PaymentError } from '../../errors/payment-error.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import type { Tier } from '../../hub/config/tiers.ts';
import type { Payments } from '../../hub/keys/payments.ts';
import { type ApiClient, createGuardedFetch } from '../undici/guarded-fetch.ts';
import { isMissing, paymentErrorOf } from './errors.ts';
import { readStripeWebhook, type StripeFields, standingOf, stripeFieldsOf } from './webhook.ts';

export interface StripePaymentsOptions {
  /** `sk_…`, or a restricted key that may write Checkout Sessions and read Subscriptions. */
  readonly secretKey: string;
  /** `whsec_…`, of the webhook endpoint in Stripe's dashboard. Without it no webhook is believed. */
  readonly webhookSecret?: string;
  /** `price_…`: what is sold, a price that recurs. */
  readonly price: string;
  /** What it buys. */
  readonly tier: Tier;
  /** Where the API is; Stripe's own unless said otherwise. */
  readonly apiUrl?: URL;
  readonly http: ApiClient;
  /** For one request; 20 s unless said otherwise. */
  readonly timeoutMs?: number;
  readonly loadStripe?: () => Promise<{ readonly default: typeof Stripe }>;
}

const API_URL = new URL('https://api.stripe.com/');
const TIMEOUT_MS = 20_000;
const MAX_RETRIES = 1;
const MAX_BODY_BYTES = 1024 * 1024;
const REQUEST_HEADERS = ['accept', 'content-type', 'idempotency-key', 'stripe-version'];
/** Not `stripe-notice`, which the SDK would print as it came. */
const RESPONSE_HEADERS = ['content-type', 'request-id', 'stripe-should-retry'];
const SESSION_ID = /^cs_\w{1,252}$/;
const SUBSCRIPTION_ID = /^sub_\w{1,251}$/;

/**
 * Sells keys through Stripe Checkout. Each checkout is one session, even if a request is repeated after a broken connection: the SDK gives all tries of one
 * call the same idempotency key.
 */
export async function createStripePayments(options: StripePaymentsOptions): Promise<Payments> {
  const { secretKey, webhookSecret, price, tier, apiUrl = API_URL } = options;
  ensureSettings(options);
  const stripe = await openStripe(options, apiUrl);
  const asking = new Asking(stripe, webhookSecret === undefined ? [secretKey] : [secretKey, webhookSecret]);

  return {
    async checkout({ claimUrl, cancelUrl }) {
      const session = await asking.answer(() =>
        stripe.checkout.sessions.create({
          mode: 'subscription',
          line_items: [{ price, quantity: 1 }],
          success_url: claimUrl.replaceAll('{session_id}', '{CHECKOUT_SESSION_ID}'),
          cancel_url: cancelUrl,
        }),
      );
      return checkoutUrlOf(stripeFieldsOf(session).url, apiUrl);
    },

    async session(id) {
      if (!SESSION_ID.test(id)) return undefined;
      const found = await asking.unlessMissing(() =>
        stripe.checkout.sessions.retrieve(id, { expand: ['subscription'] }),
      );
      if (found === undefined) return undefined;
      const session = stripeFieldsOf(found);
      if (session.id !== id) throw new PaymentError('its answer is about another session.');
      const subscription = await asking.subscriptionOf(session.subscription);
      if (!isForPrice(session, subscription, price)) return undefined;
      return {
        id,
        isPaid: isPaid(session, subscription),
        tier,
        ...labelOf(session.customer),
        ...(typeof subscription.id === 'string' && { subscription: subscription.id }),
      };
    },

    ...(webhookSecret !== undefined && { readWebhook: webhookReader(stripe, webhookSecret) }),

    async standingOf(id) {
      if (!SUBSCRIPTION_ID.test(id)) return undefined;
      return standingOf(stripeFieldsOf(await asking.subscription(id)));
    },
  };
}

/** Asks Stripe, and explains what it answers instead. */
class Asking {
  readonly #stripe: Stripe;
  readonly #secrets: readonly string[];

  constructor(stripe: Stripe, secrets: readonly string[]) {
    this.#stripe = stripe;
    this.#secrets = secrets;
  }

  /** Expanded in the session's own answer; looked up if the answer gives only its id. */
  async subscriptionOf(given: unknown): Promise<StripeFields> {
    if (given === null || given === undefined) return {};
    const id = typeof given === 'string' ? given : stripeFieldsOf(given).id;
    if (typeof id !== 'string' || !SUBSCRIPTION_ID.test(id)) {
      throw new PaymentError('its answer names no subscription.');
    }
    if (typeof given !== 'string') return stripeFieldsOf(given);
    return { ...stripeFieldsOf(await this.subscription(id)), id };
  }

  async unlessMissing<T>(ask: () => Promise<T>): Promise<T | undefined> {
    return await this.answer(() =>
      ask().catch((error: unknown) => (isMissing(error) ? undefined : Promise.reject(error))),
    );
  }

  async answer<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      throw paymentErrorOf(error, this.#secrets);
    }
  }

  async subscription(id: string): Promise<unknown> {
    return await this.unlessMissing(() => this.#stripe.subscriptions.retrieve(id));
  }
}

function webhookReader(stripe: Stripe, secret: string): NonNullable<Payments['readWebhook']> {
  return async (body, signature, nowMs) => readStripeWebhook(stripe.webhooks, secret, { body, signature, nowMs });
}

async function openStripe(options: StripePaymentsOptions, apiUrl: URL): Promise<Stripe> {
  const { secretKey, http, timeoutMs = TIMEOUT_MS, loadStripe = () => import('stripe') } = options;
  const { default: StripeClient } = await loadStripe().catch(() => {
    throw new SettingRefusedError('payments', 'stripe', 'Its package cannot be loaded: npm install stripe@23.');
  });
  const guardedFetch = createGuardedFetch({
    http,
    origin: apiUrl.origin,
    requestHeaders: REQUEST_HEADERS,
    responseHeaders: RESPONSE_HEADERS,
    maxBodyBytes: MAX_BODY_BYTES,
    deadlineMs: timeoutMs,
  });
  return new StripeClient(secretKey, {
    host: apiUrl.hostname,
    port: apiUrl.port || (apiUrl.protocol === 'http:' ? 80 : 443),
    protocol: apiUrl.protocol === 'http:' ? 'http' : 'https',
    httpClient: StripeClient.createFetchHttpClient(guardedFetch),
    timeout: timeoutMs,
    maxNetworkRetries: MAX_RETRIES,
    telemetry: false,
  });
}

/** Values of secrets are not repeated. */
function ensureSettings({ secretKey, webhookSecret, price, apiUrl = API_URL }: StripePaymentsOptions): void {
  if (!isOneWord(secretKey)) {
    throw new SettingRefusedError('The secret key', 'of Stripe', 'Give it as it stands in the dashboard: sk_….');
  }
  if (webhookSecret !== undefined && !isOneWord(webhookSecret)) {
    throw new SettingRefusedError('The webhook secret', 'of Stripe', 'Give it as it stands in the dashboard: whsec_….');
  }
  if (!isOneWord(price)) throw new SettingRefusedError('price', price, 'Give the id of a price that recurs: price_….');
  if (!/^https?:$/.test(apiUrl.protocol) || apiUrl.href !== `${apiUrl.origin}/`) {
    throw new SettingRefusedError('apiUrl', apiUrl.origin, 'Give scheme, host and port of the API, no more.');
  }
  if (apiUrl.protocol === 'http:' && /^[sr]k_live_/.test(secretKey)) {
    throw new SettingRefusedError('apiUrl', apiUrl.href, 'A live key goes over https only.');
  }
}

function isOneWord(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** Where the buyer's browser is sent. The provider cannot make it anything but a web page. */
function checkoutUrlOf(text: unknown, apiUrl: URL): URL {
  const url = typeof text === 'string' && canParseUrl(text) ? new URL(text) : undefined;
  if (url !== undefined && ['https:', apiUrl.protocol].includes(url.protocol)) return url;
  throw new PaymentError('its answer names no page for the checkout.');
}

/** One account may sell other things too, and what they cost buys no key. */
function isForPrice(session: StripeFields, subscription: StripeFields, price: string): boolean {
  if (session.mode !== undefined && session.mode !== 'subscription') return false;
  const items = stripeFieldsOf(subscription.items).data;
  return !Array.isArray(items) || items.some((item) => stripeFieldsOf(stripeFieldsOf(item).price).id === price);
}

/** If an API leaves a field out, the others decide: stand-ins for Stripe say less than Stripe. */
function isPaid(session: StripeFields, subscription: StripeFields): boolean {
  const isSettled = session.payment_status === 'paid' || session.payment_status === 'no_payment_required';
  const isInForce = subscription.status === undefined || standingOf(subscription) === 'resumed';
  const isComplete = session.status === undefined || session.status === 'complete';
  return isComplete && isSettled && isInForce;
}

/** The customer's id, or nothing: names and e-mail addresses stay with Stripe. */
function labelOf(customer: unknown): { readonly label?: string } {
  const id = typeof customer === 'string' ? customer : stripeFieldsOf(customer).id;
  return typeof id === 'string' && /^cus_\w{1,251}$/.test(id) ? { label: id } : {};
}
