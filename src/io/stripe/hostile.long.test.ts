import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { startFeedServer } from '../../../test/support/feed-server.ts';
import { type StripeServer, type StripeTrouble, startStripeServer } from '../../../test/support/stripe-server.ts';
import { PaymentError } from '../../errors/payment-error.ts';
import type { Payments } from '../../hub/keys/payments.ts';
import type { ApiClient } from '../undici/guarded-fetch.ts';
import { createUndiciHttpClient } from '../undici/http-client.ts';
import { createStripePayments } from './payments.ts';

const PLACES = { claimUrl: 'https://hub.example/claim?id={session_id}', cancelUrl: 'https://hub.example/' };
const HTML = { 'content-type': 'text/html' };

const ANSWERS: readonly (readonly [string, StripeTrouble])[] = [
  ['a page', { status: 200, headers: HTML, body: '<!doctype html><title>Sign in</title>' }],
  ['a page of a proxy', { status: 502, headers: HTML, body: '<h1>Bad gateway</h1>' }],
  ['nothing', { status: 200, body: '' }],
  ['no content', { status: 204, body: '' }],
  ['a number', { status: 200, body: '5' }],
  ['a text', { status: 200, body: '"paid"' }],
  ['null', { status: 200, body: 'null' }],
  ['a list', { status: 200, body: '[]' }],
  ['an empty object', { status: 200, body: '{}' }],
  ['an error that is a number', { status: 400, body: '{"error":5}' }],
  ['an error that is a text', { status: 400, body: '{"error":"no","error_description":"never"}' }],
  ['an error whose words are none', { status: 400, body: '{"error":{"message":{"toString":1},"type":[]}}' }],
  ['numbers that are none', { status: 200, body: '{"currency_conversion":{"fx_rate":"abc"}}' }],
  ['half an object', { status: 200, body: '{"id":"cs_test_1","url":"https://' }],
  ['bytes that are no UTF-8', { status: 200, body: Buffer.from([0x7b, 0xff, 0x7d]) }],
  ['a body beyond measure', { status: 200, body: whole(1_100_000) }],
  ['a bomb', { status: 200, headers: { 'content-encoding': 'gzip' }, body: gzipSync(whole(50_000_000)) }],
  ['depth beyond measure', { status: 200, body: `{"id":${'['.repeat(400_000)}${']'.repeat(400_000)}}` }],
  ['a broken connection', 'reset'],
];

test.concurrent.each(ANSWERS)('%s is a failure of the provider, and of nothing else', async (_, trouble) => {
  await using lab = await openLab();
  const { stripe, payments } = lab;
  stripe.fail(trouble, trouble);
  expect((await failureOf(payments.checkout(PLACES))).message.length).toBeLessThan(400);
  stripe.fail(trouble, trouble);
  expect(await failureOf(payments.session('cs_test_1'))).toBeInstanceOf(PaymentError);
  expect(stripe.troublesMet).toBeGreaterThan(1);
});

test('an API that never answers is given up', async () => {
  await using lab = await openLab(150);
  const { stripe, payments } = lab;
  stripe.fail('hang', 'hang');
  expect(await failureOf(payments.checkout(PLACES))).toMatchObject({
    recovery: 'retry-later',
    message: expect.stringContaining('did not answer in time'),
  });
  expect(stripe.troublesMet).toBe(2);
});

test.concurrent.each([301, 302, 303, 307, 308])(
  'a redirect to another host (%d) is not followed, and takes no key along',
  async (status) => {
    await using other = await startFeedServer();
    await using lab = await openLab();
    const { stripe, payments } = lab;
    const away = {
      status,
      headers: { location: `${other.origin}v1/checkout/sessions/cs_test_1` },
      body: '{}',
    };
    stripe.fail(away, away);
    expect(await failureOf(payments.checkout(PLACES))).toMatchObject({ recovery: 'fix-config' });
    expect(stripe.troublesMet).toBe(2);
    stripe.fail(away, away);
    expect(await failureOf(payments.session('cs_test_1'))).toMatchObject({ recovery: 'fix-config' });
    expect(stripe.troublesMet).toBe(4);
    expect(other.connections).toBe(0);
  },
);

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '/pay/here', '', null, 7])(
  'a checkout at %s is none',
  async (url) => {
    await using lab = await openLab();
    const { stripe, payments } = lab;
    stripe.fail({ status: 200, body: JSON.stringify({ id: 'cs_test_1', url }) });
    expect((await failureOf(payments.checkout(PLACES))).message).toContain('no page for the checkout');
  },
);

test('over https the checkout is at https too', async () => {
  const answering = (url: string): ApiClient => ({
    get: () => Promise.reject(new Error('nothing is asked')),
    post: async (request) => ({
      url: request.url,
      status: 200,
      headers: {},
      body: (async function* () {
        yield Buffer.from(JSON.stringify({ url }));
      })(),
      discard: async () => {},
    }),
  });
  const open = (url: string) =>
    createStripePayments({ secretKey: 'sk_live_1', price: 'price_1', tier: 'pro', http: answering(url) });
  expect((await (await open('https://checkout.example/1')).checkout(PLACES)).href).toBe('https://checkout.example/1');
  await failureOf((await open('http://checkout.example/1')).checkout(PLACES));
});

test('an answer about another session is no answer', async () => {
  await using lab = await openLab();
  const { stripe, payments } = lab;
  const paid = { id: 'cs_test_2', status: 'complete', payment_status: 'paid', mode: 'subscription' };
  stripe.fail({ status: 200, body: JSON.stringify(paid) });
  expect((await failureOf(payments.session('cs_test_1'))).message).toContain('another session');
});

test.each(['../customers', 'sub_', 7, [], { id: 'cus_1' }, { id: '' }, { status: 'active' }])(
  'a subscription %o is none, and is not asked for',
  async (subscription) => {
    await using lab = await openLab();
    const { stripe, payments } = lab;
    const session = { id: 'cs_test_1', status: 'complete', payment_status: 'paid', subscription };
    stripe.fail({ status: 200, body: JSON.stringify(session) });
    expect((await failureOf(payments.session('cs_test_1'))).message).toContain('names no subscription');
    expect(stripe.requests).toHaveLength(1);
  },
);

test('a subscription keeps the id that the session gives it', async () => {
  await using lab = await openLab();
  const { stripe, payments } = lab;
  const session = { id: 'cs_test_1', status: 'complete', payment_status: 'paid', subscription: 'sub_1' };
  const other = { id: 'sub_2', status: 'active' };
  stripe.fail({ status: 200, body: JSON.stringify(session) }, { status: 200, body: JSON.stringify(other) });
  expect(await payments.session('cs_test_1')).toMatchObject({ isPaid: true, subscription: 'sub_1' });
});

test('a provider that repeats the key, or writes control characters, brings neither into the message', async () => {
  await using lab = await openLab();
  const { stripe, payments } = lab;
  const message = `You sent ${stripe.secretKey} and sk_live_other\u001b[31m\nwhsec_abc ${'long '.repeat(1000)}`;
  stripe.fail({ status: 401, body: JSON.stringify({ error: { type: 'x', message, code: stripe.secretKey } }) });
  const error = await failureOf(payments.checkout(PLACES));
  expect(error.message).toContain('You sent … and …');
  const everything = `${error.stack} ${JSON.stringify({ ...error })} ${error.cause}`;
  expect(everything).not.toMatch(/sk_test_|sk_live_|whsec_/);
  expect(everything).not.toContain('\u001b');
  expect(error.message.length).toBeLessThan(400);
});

test('a key of another shape than Stripe’s is not repeated either', async () => {
  await using lab = await openLab(5000, 'key-of-a-local-double');
  const body = JSON.stringify({ error: { type: 'x', message: 'Unknown key: key-of-a-local-double' } });
  lab.stripe.fail({ status: 401, body });
  const { message } = await failureOf(lab.payments.checkout(PLACES));
  expect(message).toContain('Unknown key: …');
  expect(message).not.toContain('local-double');
});

test('what the provider would print on our terminal is not printed', async () => {
  await using lab = await openLab();
  const { stripe, payments } = lab;
  const warnings: string[] = [];
  const hear = (warning: Error) => void warnings.push(warning.message);
  process.on('warning', hear);
  onTestFinished(() => void process.off('warning', hear));
  const body = JSON.stringify({ url: 'https://checkout.example/' });
  stripe.fail({ status: 200, headers: { 'stripe-notice': 'read this' }, body });
  await payments.checkout(PLACES);
  // A warning is told before the next turn.
  await nextTurn();
  expect(warnings).toEqual([]);
});

interface Lab extends AsyncDisposable {
  readonly stripe: StripeServer;
  readonly payments: Payments;
}

async function openLab(timeoutMs = 5000, key?: string): Promise<Lab> {
  const stripe = await startStripeServer();
  const http = createUndiciHttpClient({ allowPrivate: true, userAgent: 'tidings-test' });
  const { webhookSecret, price, url: apiUrl } = stripe;
  const secretKey = key ?? stripe.secretKey;
  return {
    stripe,
    payments: await createStripePayments({ secretKey, webhookSecret, price, apiUrl, tier: 'pro', http, timeoutMs }),
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]();
      await stripe[Symbol.asyncDispose]();
    },
  };
}

/** An answer that only its size speaks against. */
function whole(bytes: number): string {
  const answer = { id: 'cs_test_1', url: 'https://checkout.example/', status: 'complete', payment_status: 'paid' };
  return JSON.stringify(answer).padEnd(bytes, ' ');
}

async function failureOf(asking: Promise<unknown>): Promise<PaymentError> {
  const error: unknown = await asking.then(
    (answer) => new Error(`nothing failed: ${JSON.stringify(answer)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof PaymentError) return error;
  throw error;
}
