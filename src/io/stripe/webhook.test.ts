import { expect, test } from 'vitest';
import { type StripeServer, startStripeServer } from '../../../test/support/stripe-server.ts';
import type { PaymentEvent } from '../../hub/keys/payments.ts';
import { createUndiciHttpClient } from '../undici/http-client.ts';
import { createStripePayments } from './payments.ts';

/** In the middle of a second, as most moments are. */
const NOW_MS = Date.UTC(2026, 4, 1, 12) + 678;
const SECOND_MS = 1000;

test('a subscription that was deleted has ended', async () => {
  await using lab = await openLab();
  const event = lab.stripe.event('customer.subscription.deleted', { id: 'sub_1', status: 'canceled' });
  expect(await lab.read(event)).toEqual({
    kind: 'ended',
    id: event.id,
    subscription: 'sub_1',
    sentMs: event.created * SECOND_MS,
  });
  expect(await lab.read({ ...event, created: 'yesterday' })).toMatchObject({ kind: 'ended', sentMs: NOW_MS });
});

test.each([
  ['unpaid', 'unpaid'],
  ['canceled', 'ended'],
  ['incomplete_expired', 'ended'],
  ['past_due', 'resumed'],
  ['trialing', 'resumed'],
  ['active', 'resumed'],
  ['paused', 'other'],
  ['constructor', 'other'],
])('a subscription that became %s: %s', async (status, kind) => {
  await using lab = await openLab();
  const event = lab.stripe.event('customer.subscription.updated', { id: 'sub_1', status });
  expect(await lab.read(event)).toMatchObject({ kind, id: event.id });
});

test.each([
  ['checkout.session.completed', { id: 'cs_test_1' }],
  ['invoice.paid', { id: 'in_1', status: 'canceled' }],
  ['customer.subscription.deleted', { status: 'canceled' }],
  ['customer.subscription.deleted', null],
])('%s of %o is heard and ends nothing', async (type, object) => {
  await using lab = await openLab();
  const event = lab.stripe.event(type, object);
  expect(await lab.read(event)).toEqual({ kind: 'other', id: event.id });
});

test('the same event is read each time that it comes, under one id', async () => {
  await using lab = await openLab();
  const event = lab.stripe.event('customer.subscription.deleted', { id: 'sub_1' });
  const first = await lab.read(event);
  const again = await lab.read(event, { atMs: NOW_MS + 60 * SECOND_MS, nowMs: NOW_MS + 60 * SECOND_MS });
  expect(again).toEqual(first);
  expect(first?.id).toBe(event.id);
});

test.each([
  ['now', 0, true],
  ['300 s old', -300, true],
  ['301 s old', -301, false],
  ['300 s ahead', 300, true],
  ['301 s ahead', 301, false],
])('a signature %s counts: %s', async (_, seconds, counts) => {
  await using lab = await openLab();
  const event = lab.stripe.event('invoice.paid', {});
  const read = await lab.read(event, { atMs: NOW_MS + seconds * SECOND_MS });
  expect(read?.id).toBe(counts ? event.id : undefined);
});

test('another secret, or an empty one, signs nothing', async () => {
  await using lab = await openLab();
  const event = lab.stripe.event('customer.subscription.deleted', { id: 'sub_1' });
  expect(await lab.read(event, { secret: 'whsec_another' })).toBeUndefined();
  expect(await lab.read(event, { secret: lab.stripe.secretKey })).toBeUndefined();
  expect(await lab.read(event)).toBeDefined();
});

test('one byte that differs breaks the signature, wherever it is', async () => {
  await using lab = await openLab();
  const body = JSON.stringify(lab.stripe.event('customer.subscription.deleted', { id: 'sub_1', note: 'ü\ufffd' }));
  const signature = lab.stripe.sign(body, { atMs: NOW_MS });
  const bytes = Buffer.from(body);
  expect(await lab.readBytes(bytes, signature)).toBeDefined();
  for (let at = 0; at < bytes.length; at += 1) {
    const altered = Buffer.from(bytes);
    altered[at] = (altered[at] ?? 0) ^ 1;
    expect(await lab.readBytes(altered, signature), `byte ${at}`).toBeUndefined();
  }
});

test('bytes that read like the signed ones are not the signed ones', async () => {
  await using lab = await openLab();
  const body = JSON.stringify(lab.stripe.event('customer.subscription.deleted', { id: 'sub_1', note: '\ufffd' }));
  const signature = lab.stripe.sign(body, { atMs: NOW_MS });
  const withBom = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(body)]);
  const notUtf8 = Buffer.from(Buffer.from(body).toString('latin1').replace('\u00ef\u00bf\u00bd', '\u00ff'), 'latin1');
  expect(notUtf8).toHaveLength(Buffer.byteLength(body) - 2);
  expect(await lab.readBytes(withBom, signature)).toBeUndefined();
  expect(await lab.readBytes(notUtf8, signature)).toBeUndefined();
  expect(await lab.readBytes(Buffer.from(body), signature)).toBeDefined();
});

test('while a secret is replaced, one of several signatures is enough', async () => {
  await using lab = await openLab();
  const body = JSON.stringify(lab.stripe.event('invoice.paid', {}));
  const [moment, ours] = lab.stripe.sign(body, { atMs: NOW_MS }).split(',');
  const [, theirs] = lab.stripe.sign(body, { atMs: NOW_MS, secret: 'whsec_old' }).split(',');
  const bytes = Buffer.from(body);
  expect(await lab.readBytes(bytes, [moment, theirs, ours, 'v0=00'].join())).toBeDefined();
  expect(await lab.readBytes(bytes, [moment, theirs, theirs].join())).toBeUndefined();
  expect(await lab.readBytes(bytes, [moment, ours?.replace('v1', 'v0')].join())).toBeUndefined();
});

test('a header that is none is no signature', async () => {
  await using lab = await openLab();
  const body = JSON.stringify(lab.stripe.event('invoice.paid', {}));
  const [moment, ours] = lab.stripe.sign(body, { atMs: NOW_MS }).split(',');
  const none = [
    undefined,
    '',
    ',',
    moment,
    ours,
    `${moment},v1=`,
    `${moment},v1=${'é'.repeat(64)}`,
    `t=,${ours}`,
    `t=NaN,${ours}`,
    `t=-1,${ours}`,
    `t=1e3,${ours}`,
    `${moment},t=99999999999,${ours}`,
    'v1=,v1=,t=',
    'x'.repeat(100_000),
  ];
  for (const signature of none) {
    expect(await lab.readBytes(Buffer.from(body), signature), signature?.slice(0, 80)).toBeUndefined();
  }
});

test.each([
  ['no JSON', 'customer.subscription.deleted'],
  ['nothing', ''],
  ['a number', '5'],
  ['null', 'null'],
  ['no event', '{"object":"subscription","id":"sub_1"}'],
  ['an event without an id', '{"object":"event","type":"customer.subscription.deleted"}'],
  ['an event whose id is no text', '{"object":"event","id":7,"type":"invoice.paid"}'],
  ['a notification of the second API', '{"object":"v2.core.event","id":"evt_1"}'],
])('%s is no event, though it is signed', async (_, body) => {
  await using lab = await openLab();
  expect(await lab.readBytes(Buffer.from(body), lab.stripe.sign(body, { atMs: NOW_MS }))).toBeUndefined();
});

interface Reading {
  readonly atMs?: number;
  readonly nowMs?: number;
  readonly secret?: string;
}

interface Lab extends AsyncDisposable {
  readonly stripe: StripeServer;
  read(event: object, reading?: Reading): Promise<PaymentEvent | undefined>;
  readBytes(body: Uint8Array, signature: string | undefined): Promise<PaymentEvent | undefined>;
}

async function openLab(): Promise<Lab> {
  const stripe = await startStripeServer();
  const http = createUndiciHttpClient({ allowPrivate: true, userAgent: 'tidings-test' });
  const { secretKey, webhookSecret, price, url: apiUrl } = stripe;
  const payments = await createStripePayments({ secretKey, webhookSecret, price, apiUrl, tier: 'pro', http });
  const readWebhook = payments.readWebhook ?? (() => Promise.reject(new Error('there are no webhooks')));
  return {
    stripe,
    async read(event, { atMs = NOW_MS, nowMs = NOW_MS, ...signing } = {}) {
      const body = JSON.stringify(event);
      return await readWebhook(Buffer.from(body), stripe.sign(body, { atMs, ...signing }), nowMs);
    },
    readBytes: (body, signature) => readWebhook(body, signature, NOW_MS),
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]();
      await stripe[Symbol.asyncDispose]();
    },
  };
}
