import { expect, onTestFinished, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { type StripeServer, startStripeServer } from '../../../test/support/stripe-server.ts';
import { createTestAuthority } from '../../../test/support/test-ca.ts';
import { PaymentError } from '../../errors/payment-error.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import type { Payments } from '../../hub/keys/payments.ts';
import { createUndiciHttpClient, type HttpClientOptions } from '../undici/http-client.ts';
import { createStripePayments, type StripePaymentsOptions } from './payments.ts';

const PLACES = {
  claimUrl: 'https://hub.example/api/v1/key/claim?session_id={session_id}',
  cancelUrl: 'https://hub.example/pricing',
};

clause('DD-U11', 'a checkout is a subscription to the configured price, and its page is Stripe’s', async () => {
  await using stripe = await startStripeServer();
  const payments = await openPayments(stripe);
  const page = await payments.checkout(PLACES);
  expect(page.href).toMatch(new RegExp(`^${stripe.url.href}pay/cs_test_`));
  expect(stripe.requests).toMatchObject([
    {
      method: 'POST',
      path: '/v1/checkout/sessions',
      form: {
        mode: 'subscription',
        'line_items[0][price]': stripe.price,
        'line_items[0][quantity]': '1',
        success_url: 'https://hub.example/api/v1/key/claim?session_id={CHECKOUT_SESSION_ID}',
        cancel_url: 'https://hub.example/pricing',
      },
    },
  ]);
});

clause('DD-U12', 'a session is paid once its buyer has paid, and not before', async () => {
  await using stripe = await startStripeServer();
  const payments = await openPayments(stripe);
  const page = await payments.checkout(PLACES);
  const id = idOf(page);
  expect(await payments.session(id)).toEqual({ id, isPaid: false, tier: 'pro' });

  const claim = await stripe.pay(page);
  expect(claim.href).toBe(`https://hub.example/api/v1/key/claim?session_id=${id}`);
  const { customer, subscription } = stripe.sessions.get(id) ?? {};
  expect(await payments.session(id)).toEqual({ id, isPaid: true, tier: 'pro', label: customer, subscription });
});

test('the buyer’s e-mail address is not taken over', async () => {
  await using stripe = await startStripeServer();
  const payments = await openPayments(stripe);
  const id = await paidSession(stripe, payments);
  expect(stripe.sessions.get(id)?.customer_details?.email).toBe('buyer@example.test');
  expect(JSON.stringify(await payments.session(id))).not.toContain('@');
});

test.each([
  ['active', true],
  ['trialing', true],
  ['past_due', true],
  ['canceled', false],
  ['unpaid', false],
  ['incomplete', false],
  ['incomplete_expired', false],
  ['paused', false],
])('a session whose subscription is %s counts as paid: %s', async (status, isPaid) => {
  await using stripe = await startStripeServer();
  const payments = await openPayments(stripe);
  const id = await paidSession(stripe, payments);
  stripe.change(stripe.sessions.get(id)?.subscription ?? '', status);
  expect(await payments.session(id)).toMatchObject({ id, isPaid });
});

test('a subscription that the answer only names is looked up', async () => {
  await using stripe = await startStripeServer();
  const payments = await openPayments(stripe);
  const id = await paidSession(stripe, payments);
  const session = stripe.sessions.get(id);
  stripe.change(session?.subscription ?? '', 'canceled');
  stripe.fail({ status: 200, body: JSON.stringify(session) });
  expect(await payments.session(id)).toMatchObject({ isPaid: false, subscription: session?.subscription });
  expect(stripe.requests.at(-1)?.path).toBe(`/v1/subscriptions/${session?.subscription}`);
});

test.each([
  [{ payment_status: 'no_payment_required' }, true],
  [{ payment_status: 'unpaid' }, false],
  [{ status: 'open' }, false],
  [{ status: 'expired' }, false],
  [{ payment_status: 1 }, false],
])('a session with %o counts as paid: %s', async (fields, isPaid) => {
  await using stripe = await startStripeServer();
  const payments = await openPayments(stripe);
  const id = await paidSession(stripe, payments);
  stripe.fail({ status: 200, body: JSON.stringify({ ...stripe.sessions.get(id), ...fields, subscription: null }) });
  expect(await payments.session(id)).toMatchObject({ isPaid });
});

test('what the same account sells otherwise buys no key', async () => {
  await using stripe = await startStripeServer();
  const shop = await openPayments(stripe, { price: stripe.otherPrice });
  const payments = await openPayments(stripe);
  const id = await paidSession(stripe, shop);
  expect(await shop.session(id)).toMatchObject({ isPaid: true });
  expect(await payments.session(id)).toBeUndefined();

  const oneTime = { ...stripe.sessions.get(id), mode: 'payment', subscription: null };
  stripe.fail({ status: 200, body: JSON.stringify(oneTime) });
  expect(await payments.session(id)).toBeUndefined();
});

test('that something else is missing does not make a session unknown', async () => {
  await using stripe = await startStripeServer();
  const payments = await openPayments(stripe);
  const error = { type: 'invalid_request_error', code: 'resource_missing', message: 'No such account' };
  stripe.fail({ status: 400, body: JSON.stringify({ error }) });
  expect(await failureOf(payments.session('cs_test_1'))).toMatchObject({ recovery: 'fix-config' });
});

test('an unknown session is none, and an id that is none is not asked for', async () => {
  await using stripe = await startStripeServer();
  const payments = await openPayments(stripe);
  expect(await payments.session('cs_test_unknown')).toBeUndefined();
  expect(stripe.requests).toHaveLength(1);
  const crooked = [
    '',
    'cs_',
    'cs_test_/../../customers',
    'cs_test_a?b',
    'cs_test_ä',
    'sub_1',
    `cs_${'a'.repeat(253)}`,
    'cs_a\n',
  ];
  for (const id of crooked) expect(await payments.session(id), id).toBeUndefined();
  expect(stripe.requests).toHaveLength(1);
});

test('checkouts at the same time are sessions of their own', async () => {
  await using stripe = await startStripeServer();
  const payments = await openPayments(stripe);
  const pages = await Promise.all([payments.checkout(PLACES), payments.checkout(PLACES)]);
  expect(new Set(pages.map(String)).size).toBe(2);
  expect(new Set(stripe.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
  await stripe.pay(pages[0]);
  expect(await Promise.all(pages.map((page) => payments.session(idOf(page))))).toMatchObject([
    { isPaid: true },
    { isPaid: false },
  ]);
});

test.each([['lost' as const], [{ status: 500 }]])(
  'a request that fails (%o) is repeated under its own key',
  async (trouble) => {
    await using stripe = await startStripeServer();
    const payments = await openPayments(stripe);
    stripe.fail(trouble);
    const page = await payments.checkout(PLACES);
    expect(stripe.troublesMet).toBe(1);
    const [first, second] = stripe.requests.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/./);
    expect(second).toBe(first);
    expect([...stripe.sessions.keys()]).toEqual([idOf(page)]);
  },
);

test('Stripe learns what we ask, and nothing about the machine', async () => {
  await using stripe = await startStripeServer();
  const payments = await openPayments(stripe);
  await payments.checkout(PLACES);
  await payments.checkout(PLACES);
  const { headers } = stripe.requests[1] ?? {};
  expect(Object.keys(headers ?? {}).sort()).toEqual([
    'accept',
    'accept-encoding',
    'authorization',
    'connection',
    'content-length',
    'content-type',
    'host',
    'idempotency-key',
    'stripe-version',
    'user-agent',
  ]);
  expect(headers).toMatchObject({ 'user-agent': 'tidings-test', authorization: `Bearer ${stripe.secretKey}` });
});

test('a key that Stripe does not accept is said, and not repeated', async () => {
  await using stripe = await startStripeServer();
  const payments = await openPayments(stripe, { secretKey: 'sk_test_notTheRightOne' });
  const error = await failureOf(payments.checkout(PLACES));
  expect(error.recovery).toBe('fix-config');
  expect(error.message).toContain('does not accept the secret key (HTTP 401)');
  expect(everythingOf(error)).not.toMatch(/notTheRight|sk_test/);
});

test('a price that Stripe does not know is said in its words', async () => {
  await using stripe = await startStripeServer();
  const payments = await openPayments(stripe, { price: 'price_gone' });
  const error = await failureOf(payments.checkout(PLACES));
  expect(error).toMatchObject({
    recovery: 'fix-config',
    message: expect.stringContaining("No such price: 'price_gone'"),
  });
});

test.each([
  [{ status: 429 }, 'it was asked too often (HTTP 429)'],
  [{ status: 402 }, 'its answer is an error (HTTP 402)'],
])('an answer %o can be better later', async (trouble, said) => {
  await using stripe = await startStripeServer();
  const payments = await openPayments(stripe);
  stripe.fail(trouble, trouble);
  const error = await failureOf(payments.session('cs_test_1'));
  expect(error).toMatchObject({ recovery: 'retry-later', message: expect.stringContaining(said) });
});

test('over https, the API has to prove that it is the one', async () => {
  const authority = createTestAuthority();
  await using stripe = await startStripeServer(authority.issue('localhost'));
  const trusting = await openPayments(stripe, { http: openHttp({ ca: authority.cert }) });
  expect((await trusting.checkout(PLACES)).href).toMatch(/^https:\/\/localhost:\d+\/pay\/cs_test_/);
  const payments = await openPayments(stripe);
  const error = await failureOf(payments.checkout(PLACES));
  expect(error).toMatchObject({ recovery: 'retry-later', message: expect.stringContaining('certificate') });
  expect(stripe.requests).toHaveLength(1);
});

test('without leave, no private address is asked', async () => {
  await using stripe = await startStripeServer();
  const http = openHttp({ allowPrivate: false });
  const payments = await openPayments(stripe, { http });
  const error = await failureOf(payments.checkout(PLACES));
  expect(error).toMatchObject({ recovery: 'fix-config', message: expect.stringContaining('127.0.0.1') });
  expect(await failureOf(payments.session('cs_test_1'))).toMatchObject({ recovery: 'fix-config' });
  expect(stripe.requests).toEqual([]);
});

test.each([
  ['a key with a line break', { secretKey: 'sk_test_1\n' }],
  ['an empty key', { secretKey: '' }],
  ['an empty webhook secret', { webhookSecret: '' }],
  ['an empty price', { price: '' }],
  ['another scheme', { apiUrl: new URL('ftp://stripe.example/') }],
  ['a path', { apiUrl: new URL('https://stripe.example/v1') }],
  ['a password', { apiUrl: new URL('https://me:secret@stripe.example/') }],
  ['a live key over http', { secretKey: 'sk_live_1', apiUrl: new URL('http://stripe.example/') }],
])('%s is refused at once', async (_, wrong) => {
  await using stripe = await startStripeServer();
  const error: unknown = await openPayments(stripe, wrong).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SettingRefusedError);
  expect(String(error)).not.toMatch(/sk_test_1|sk_live_1|secret@/);
});

test('a package that is not there is named', async () => {
  await using stripe = await startStripeServer();
  const opening = openPayments(stripe, { loadStripe: () => Promise.reject(new Error('not found')) });
  await expect(opening).rejects.toThrow('npm install stripe');
});

test('without a webhook secret there are no webhooks', async () => {
  await using stripe = await startStripeServer();
  const { url: apiUrl, secretKey, price } = stripe;
  const payments = await createStripePayments({ apiUrl, secretKey, price, tier: 'pro', http: openHttp() });
  expect(payments.readWebhook).toBeUndefined();
});

async function openPayments(stripe: StripeServer, special: Partial<StripePaymentsOptions> = {}): Promise<Payments> {
  const { secretKey, webhookSecret, price, url: apiUrl } = stripe;
  return await createStripePayments({
    secretKey,
    webhookSecret,
    price,
    apiUrl,
    tier: 'pro',
    http: openHttp(),
    ...special,
  });
}

function openHttp(special: Partial<HttpClientOptions> = {}) {
  const http = createUndiciHttpClient({ allowPrivate: true, userAgent: 'tidings-test', ...special });
  onTestFinished(() => http[Symbol.asyncDispose]());
  return http;
}

async function paidSession(stripe: StripeServer, payments: Payments): Promise<string> {
  const page = await payments.checkout(PLACES);
  await stripe.pay(page);
  return idOf(page);
}

function idOf(page: URL): string {
  return page.pathname.slice('/pay/'.length);
}

async function failureOf(asking: Promise<unknown>): Promise<PaymentError> {
  const error: unknown = await asking.then(
    () => 'nothing failed',
    (reason: unknown) => reason,
  );
  if (error instanceof PaymentError) return error;
  throw error;
}

/** As a logger might write it. */
function everythingOf(error: Error): string {
  return `${error.stack} ${JSON.stringify({ ...error, message: error.message, cause: error.cause })}`;
}
