import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type RunningHub, startHub } from '../src/doors/hub.ts';
import { clause } from './clause.ts';
import { htmlPage, temporaryFolder } from './support/site.ts';
import { type StripeEvent, startStripeServer } from './support/stripe-server.ts';

const KEY = /^dd_live_[0-9A-Za-z]{32}$/;

clause(['DD-U11', 'DD-U12', 'DD-U13'], 'from the checkout at Stripe to the end of the subscription', async () => {
  const shop = await openShop();
  const page = await shop.checkout();
  expect(page.origin).toBe(shop.stripe.url.origin);
  const id = sessionOf(page);
  expect(await shop.ask(`api/v1/key/claim?session_id=${id}`)).toMatchObject({ status: 402 });

  const claim = await shop.stripe.pay(page);
  expect(claim.href).toBe(`${shop.url()}api/v1/key/claim?session_id=${id}`);
  const { status, body } = await shop.ask(claim);
  expect(status).toBe(200);
  expect(body).toMatchObject({ key: expect.stringMatching(KEY), tier: 'pro' });
  expect(await shop.ask(claim)).toMatchObject({ status: 410 });

  const first = String(body.key);
  expect((await shop.info(first)).body).toMatchObject({ tier: 'pro', limit_per_minute: 1000 });
  expect(await shop.feed(first)).toEqual({ status: 200, tier: 'pro', limit: '1000' });

  const rotated = await shop.rotate(first);
  const second = String(rotated.body.key);
  expect(second).toMatch(KEY);
  expect(await shop.info(first)).toMatchObject({ status: 401 });
  expect(await shop.feed(second)).toEqual({ status: 200, tier: 'pro', limit: '1000' });

  const ended = shop.end(id);
  expect(await shop.hear(ended)).toMatchObject({ status: 200, body: { replayed: false } });
  expect(await shop.info(second)).toMatchObject({ status: 401 });
  expect(await shop.feed(second)).toEqual({ status: 200, tier: null, limit: '500' });
  expect(await shop.rotate(second)).toMatchObject({ status: 401 });
  expect(await shop.ask(claim)).toMatchObject({ status: 410 });
});

test('an event that comes again does no more, and is answered as heard', async () => {
  const shop = await openShop();
  const sold = await shop.sell();
  const ended = shop.end(sold.session);
  expect(await shop.hear(ended)).toMatchObject({ status: 200, body: { replayed: false } });
  expect(await shop.hear(ended)).toMatchObject({ status: 200, body: { replayed: true } });
});

test('a key that is not paid counts again when it is paid, the same key, also behind a restart', async () => {
  const shop = await openShop();
  const { key, session } = await shop.sell();
  for (const status of ['active', 'trialing', 'past_due']) {
    await shop.hear(shop.change(session, 'unpaid'));
    expect(await shop.info(key)).toMatchObject({ status: 401 });
    expect(await shop.ask(`api/v1/key/claim?session_id=${session}`)).toMatchObject({ status: 410 });
    await shop.restart();
    expect(await shop.info(key)).toMatchObject({ status: 401 });
    expect(await shop.hear(shop.change(session, status))).toMatchObject({ status: 200 });
    expect(await shop.info(key), status).toMatchObject({ status: 200, body: { tier: 'pro' } });
    expect(await shop.feed(key)).toEqual({ status: 200, tier: 'pro', limit: '1000' });
  }
});

test('events of Stripe that come in another order leave the key as the subscription stands', async () => {
  const shop = await openShop();
  const { key, session } = await shop.sell();
  const [unpaid, paid] = [shop.change(session, 'unpaid'), shop.change(session, 'active')];
  const sameSecond = { ...unpaid, created: paid.created };
  for (const event of [paid, sameSecond, { ...unpaid, id: 'evt_old', created: paid.created - 60 }]) {
    expect(await shop.hear(event)).toMatchObject({ status: 200 });
    expect(await shop.info(key)).toMatchObject({ status: 200 });
  }
  // While Stripe cannot say how it stands, it is asked to come again.
  const answer = shop.change(session, 'unpaid');
  shop.stripe.fail({ status: 500 }, { status: 500 });
  const doubtful = { ...answer, created: paid.created };
  expect(await shop.hear(doubtful)).toMatchObject({ status: 502 });
  expect(shop.stripe.troublesMet).toBe(2);
  expect(await shop.info(key)).toMatchObject({ status: 200 });
  expect(await shop.hear(doubtful)).toMatchObject({ status: 200, body: { replayed: false } });
  expect(await shop.info(key)).toMatchObject({ status: 401 });
});

test('nothing revives a key whose subscription was deleted', async () => {
  const shop = await openShop();
  const { key, session } = await shop.sell();
  const [unpaid, paid] = [shop.change(session, 'unpaid'), shop.change(session, 'active')];
  await shop.hear(unpaid);
  await shop.hear(shop.end(session));
  await shop.restart();
  for (const event of [paid, unpaid, { ...paid, id: 'evt_late', created: paid.created + 60 }]) {
    expect(await shop.hear(event)).toMatchObject({ status: 200 });
    expect(await shop.info(key)).toMatchObject({ status: 401 });
  }
  expect(await shop.keys()).toMatchObject([{ revoked_for: 'ended' }]);
});

test('a forged, a stale and an early event end nothing', async () => {
  const shop = await openShop();
  const { key, session } = await shop.sell();
  const ended = shop.end(session);
  expect(await shop.hear(ended, { secret: 'whsec_guessed' })).toMatchObject({ status: 400 });
  expect(await shop.hear(ended, { afterMs: -310_000 })).toMatchObject({ status: 400 });
  expect(await shop.hear(ended, { afterMs: 310_000 })).toMatchObject({ status: 400 });
  expect(await shop.info(key)).toMatchObject({ status: 200 });
  expect(await shop.hear(ended, { afterMs: -290_000 })).toMatchObject({ status: 200 });
  expect(await shop.info(key)).toMatchObject({ status: 401 });
});

test('of claims that race for one session, one has a key', async () => {
  const shop = await openShop();
  const claim = await shop.stripe.pay(await shop.checkout());
  const answers = await Promise.all(Array.from({ length: 5 }, () => shop.ask(claim)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410, 410]);
  expect((await shop.keys()).map(({ tier }) => tier)).toEqual(['pro']);
});

test('of rotations that race for one key, one has a new key, and only that one counts', async () => {
  const shop = await openShop();
  const { key } = await shop.sell();
  const answers = await Promise.all(Array.from({ length: 5 }, () => shop.rotate(key)));
  const given = answers.filter(({ status }) => status === 200);
  expect(given).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409 || status === 401)).toHaveLength(4);
  expect(await shop.info(String(given[0]?.body.key))).toMatchObject({ status: 200 });
  expect(await shop.info(key)).toMatchObject({ status: 401 });
});

test('two buyers at once have a key each, and the end of one is not the end of the other', async () => {
  const shop = await openShop();
  const [one, two] = await Promise.all([shop.sell(), shop.sell()]);
  expect(one.key).not.toBe(two.key);
  await shop.hear(shop.end(one.session));
  expect(await shop.info(one.key)).toMatchObject({ status: 401 });
  expect(await shop.info(two.key)).toMatchObject({ status: 200 });
});

test('who has cancelled before the claim gets no key', async () => {
  const shop = await openShop();
  const page = await shop.checkout();
  const claim = await shop.stripe.pay(page);
  shop.end(sessionOf(page));
  expect(await shop.ask(claim)).toMatchObject({ status: 402 });
});

test('while Stripe fails, nothing is lost and nothing is told: the claim works when it is back', async () => {
  const shop = await openShop();
  const claim = await shop.stripe.pay(await shop.checkout());
  const message = `Our fault. ${shop.stripe.secretKey}`;
  const failing = { status: 500, body: JSON.stringify({ error: { type: 'api_error', message } }) };
  shop.stripe.fail(failing, failing);
  const refused = await shop.ask(claim);
  expect(refused.status).toBe(502);
  expect(JSON.stringify(refused)).not.toContain(shop.stripe.secretKey);
  expect(shop.stripe.troublesMet).toBe(2);
  expect(JSON.stringify(shop.logged)).not.toContain(shop.stripe.secretKey);
  expect(shop.logged).toContainEqual({
    level: 'warn',
    fields: expect.arrayContaining([
      ['path', '/api/v1/key/claim'],
      ['status', 502],
      ['code', 'PaymentError'],
      ['error', expect.stringContaining('The payment provider could not be asked')],
    ]),
    message: 'A request could not be served',
  });
  expect(await shop.ask(claim)).toMatchObject({ status: 200, body: { tier: 'pro' } });
});

clause(
  'DD-U10',
  'neither a key nor a secret of Stripe is in the data folder or the log, and a key outlives the hub',
  async () => {
    const shop = await openShop();
    const { key, session } = await shop.sell();
    await shop.restart();
    expect(await shop.info(key)).toMatchObject({ status: 200, body: { tier: 'pro' } });
    expect(await shop.ask(`api/v1/key/claim?session_id=${session}`)).toMatchObject({ status: 410 });

    await shop.close();
    const stored = await textIn(shop.data);
    expect(stored).toContain(createHash('sha256').update(key).digest('hex'));
    for (const secret of [key, shop.stripe.secretKey, shop.stripe.webhookSecret]) {
      expect(stored.includes(secret)).toBe(false);
      expect(JSON.stringify(shop.logged).includes(secret)).toBe(false);
    }
  },
);

interface Told {
  readonly secret?: string;
  /** When it was signed, beside now. */
  readonly afterMs?: number;
}

const TOKEN = 'test-token-of-the-hub-that-sells';

/** A hub that watches a folder and sells its keys through an account at Stripe. */
async function openShop() {
  const stripe = await startStripeServer();
  const folder = temporaryFolder();
  folder.write({ 'site/index.html': htmlPage('Home', [{ heading: 'One', text: 'Some words.' }]) });
  const logged: unknown[] = [];
  let hub = await openHub();
  onTestFinished(async () => {
    await hub.close();
    await stripe[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  async function openHub(): Promise<RunningHub> {
    const { price, url, secretKey, webhookSecret } = stripe;
    const settings = {
      data: './data',
      port: 0,
      allowPrivate: true,
      limits: { perMinute: 500 },
      apiKeys: { provider: 'stripe' as const, price, apiUrl: url.href },
      sources: [{ id: 'docs', kind: 'folder' as const, path: './site', site: 'https://docs.example/' }],
    };
    const log = (level: string) => (fields: unknown, message: string) =>
      void logged.push({ level, fields: loggable(fields), message });
    const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
    return await startHub(settings, { base: folder.path, token: TOKEN, logger, stripe: { secretKey, webhookSecret } });
  }
  async function ask(path: string | URL, init: RequestInit = {}) {
    const response = await fetch(new URL(path, hub.url), { redirect: 'manual', ...init });
    const text = await response.text();
    const body: Record<string, unknown> = text === '' ? {} : JSON.parse(text);
    return { status: response.status, headers: response.headers, body };
  }
  const change = (session: string, status: string) =>
    stripe.change(stripe.sessions.get(session)?.subscription ?? '', status);
  const withKey = (key: string) => ({ headers: { 'x-diffdelta-key': key } });
  const checkout = async () => new URL((await ask('api/v1/checkout')).headers.get('location') ?? '');
  await vi.waitFor(async () => expect((await ask('diff/docs/head.json')).status).toBe(200), { timeout: 60_000 });

  return {
    stripe,
    logged,
    data: join(folder.path, 'data'),
    url: () => hub.url,
    close: () => hub.close(),
    async restart() {
      await hub.close();
      hub = await openHub();
    },
    ask,
    checkout,
    async sell() {
      const page = await checkout();
      const { body } = await ask(await stripe.pay(page));
      return { key: String(body.key), session: sessionOf(page) };
    },
    info: (key: string) => ask('api/v1/key/info', withKey(key)),
    rotate: (key: string) => ask('api/v1/key/rotate', { method: 'POST', ...withKey(key) }),
    async keys() {
      const { body } = await ask('api/v1/keys', { headers: { authorization: `Bearer ${TOKEN}` } });
      return body.keys as { readonly tier: string }[];
    },
    async feed(key: string) {
      const { status, headers } = await ask('diff/docs/head.json', withKey(key));
      return { status, tier: headers.get('x-diffdelta-tier'), limit: headers.get('x-ratelimit-limit') };
    },
    change,
    end: (session: string) => change(session, 'canceled'),
    async hear(event: StripeEvent, { afterMs = 0, ...signing }: Told = {}) {
      const to = new URL('api/v1/payments/webhook', hub.url);
      const { status, text } = await stripe.deliver(event, to, { atMs: Date.now() + afterMs, ...signing });
      return { status, body: JSON.parse(text) };
    },
  };
}

function sessionOf(page: URL): string {
  return page.pathname.slice('/pay/'.length);
}

/** With what an error says, which JSON leaves out. */
function loggable(fields: unknown): unknown {
  return Object.entries(fields ?? {}).map(([name, value]) =>
    value instanceof Error ? [name, value.stack, value.message, { ...value }, String(value.cause)] : [name, value],
  );
}

async function textIn(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'latin1'));
  return (await Promise.all(texts)).join('\n');
}
