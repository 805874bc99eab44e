import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface StripeSession {
  readonly id: string;
  readonly object: 'checkout.session';
  readonly livemode: false;
  readonly mode: string;
  readonly success_url: string;
  readonly cancel_url: string | null;
  readonly url: string | null;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid' | 'no_payment_required';
  customer: string | null;
  customer_details: { readonly email: string } | null;
  subscription: string | null;
}

export interface StripeSubscription {
  readonly id: string;
  readonly object: 'subscription';
  readonly customer: string;
  readonly items: { readonly object: 'list'; readonly data: readonly { readonly price: { readonly id: string } }[] };
  status: string;
}

export interface ApiCall {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Stored under its idempotency key. */
interface Kept {
  readonly form: string;
  readonly answer: Answer;
}

const KNOWN_PARAMETERS =
  /^(?:mode|success_url|cancel_url|client_reference_id|line_items\[\d+\]\[(?:price|quantity)\]|metadata\[\w+\]|expand\[\d*\])$/;

/** What one Stripe account in test mode stores, and what its API answers. */
export interface StripeAccount {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** The price that the account sells; `otherPrice` belongs to another product. */
  readonly price: string;
  readonly otherPrice: string;
  readonly sessions: ReadonlyMap<string, StripeSession>;
  readonly subscriptions: ReadonlyMap<string, StripeSubscription>;
  answer(call: ApiCall): Answer;
  /** The buyer has paid. Paying twice has no further effect. */
  complete(session: StripeSession): void;
}

/** `pages`: the address of the pages on which buyers pay. */
export function createStripeAccount(pages: URL): StripeAccount {
  const secretKey = `sk_test_${randomName()}`;
  const webhookSecret = `whsec_test${randomName()}`;
  const price = `price_${randomName()}`;
  const otherPrice = `price_${randomName()}`;
  const sessions = new Map<string, StripeSession>();
  const prices = new Map<string, string>();
  const subscriptions = new Map<string, StripeSubscription>();
  const kept = new Map<string, Kept>();
  return { secretKey, webhookSecret, price, otherPrice, sessions, subscriptions, answer: answerOf, complete };

  function answerOf({ method, path, headers, body }: ApiCall): Answer {
    const refused = keyProblem(headers.authorization, secretKey);
    if (refused !== undefined) return { status: 401, body: errorBody('invalid_request_error', refused) };
    const { pathname, searchParams } = new URL(path, pages);
    if (method === 'POST' && pathname === '/v1/checkout/sessions') {
      return answerOnce(headers['idempotency-key'], body, () => createSession(new URLSearchParams(body)));
    }
    const [, kind, id = ''] = /^\/v1\/(checkout\/sessions|subscriptions)\/([^/]+)$/.exec(pathname) ?? [];
    if (method !== 'GET' || kind === undefined) {
      const message = `Unrecognized request URL (${method}: ${pathname}).`;
      return { status: 404, body: errorBody('invalid_request_error', message) };
    }
    if (kind === 'subscriptions') return found(subscriptions.get(id), 'subscription', id);
    const session = sessions.get(id);
    const isExpanded = [...searchParams].some(
      ([key, value]) => /^expand\[\d*\]$/.test(key) && value === 'subscription',
    );
    const subscription = subscriptions.get(session?.subscription ?? '');
    const shown = session && { ...session, ...(isExpanded && subscription && { subscription }) };
    return found(shown, 'checkout.session', id);
  }

  /** https://docs.stripe.com/api/idempotent_requests */
  function answerOnce(key: string | string[] | undefined, form: string, answer: () => Answer): Answer {
    if (typeof key !== 'string') return answer();
    const before = kept.get(key);
    if (before === undefined) {
      const first = answer();
      kept.set(key, { form, answer: first });
      return first;
    }
    if (before.form === form) return { ...before.answer, headers: { 'idempotent-replayed': 'true' } };
    const message = 'Keys for idempotent requests can only be used with the same parameters they were first used with.';
    return { status: 400, body: errorBody('idempotency_error', message) };
  }

  function createSession(form: URLSearchParams): Answer {
    const unknown = [...form.keys()].find((key) => !KNOWN_PARAMETERS.test(key));
    if (unknown !== undefined) return refusal(`Received unknown parameter: ${unknown}`, 'parameter_unknown');
    if (form.get('mode') !== 'subscription')
      return refusal('This account sells subscriptions only.', 'parameter_invalid');
    const success = form.get('success_url') ?? '';
    if (!URL.canParse(success)) return refusal('Not a valid URL: success_url', 'url_invalid');
    const wanted = form.get('line_items[0][price]') ?? '';
    if (![price, otherPrice].includes(wanted)) return refusal(`No such price: '${wanted}'`, 'resource_missing');
    const id = `cs_test_${randomName()}`;
    prices.set(id, wanted);
    sessions.set(id, {
      id,
      object: 'checkout.session',
      livemode: false,
      mode: 'subscription',
      success_url: success,
      cancel_url: form.get('cancel_url'),
      url: new URL(id, pages).href,
      status: 'open',
      payment_status: 'unpaid',
      customer: null,
      customer_details: null,
      subscription: null,
    });
    return { status: 200, body: { ...sessions.get(id) } };
  }

  function complete(session: StripeSession): void {
    if (session.status !== 'open') return;
    const customer = `cus_${randomName()}`;
    const id = `sub_${randomName()}`;
    const items = { object: 'list', data: [{ price: { id: prices.get(session.id) ?? '' } }] } as const;
    subscriptions.set(id, { id, object: 'subscription', customer, items, status: 'active' });
    session.status = 'complete';
    session.payment_status = 'paid';
    session.customer = customer;
    session.customer_details = { email: 'buyer@example.test' };
    session.subscription = id;
  }
}

export function randomName(): string {
  return randomBytes(12).toString('hex');
}

export function errorBody(type: string, message: string, code?: string): object {
  return { error: { type, message, ...(code !== undefined && { code }) } };
}

function refusal(message: string, code: string): Answer {
  return { status: 400, body: errorBody('invalid_request_error', message, code) };
}

function found(object: object | undefined, kind: string, id: string): Answer {
  if (object !== undefined) return { status: 200, body: object };
  return { status: 404, body: errorBody('invalid_request_error', `No such ${kind}: '${id}'`, 'resource_missing') };
}

/** The problem with the key, in Stripe's words, or undefined. */
function keyProblem(authorization: string | undefined, secretKey: string): string | undefined {
  const key = /^Bearer (.+)$/.exec(authorization ?? '')?.[1];
  if (key === undefined) return 'You did not provide an API key.';
  const isRight = key.length === secretKey.length && timingSafeEqual(Buffer.from(key), Buffer.from(secretKey));
  return isRight ? undefined : `Invalid API Key provided: ${key.slice(0, 8)}****${key.slice(-4)}`;
}
