import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { callRoute, jsonOf } from '../../../test/support/call-route.ts';
import { type KeyLabOptions, keyLab, NOON } from '../../../test/support/key-lab.ts';
import { RIGHT_TOKEN, serveRoutes } from '../../../test/support/serve-routes.ts';
import { PaymentError } from '../../errors/payment-error.ts';
import { randomApiKey } from '../../io/node/random-api-key.ts';
import { randomNonce } from '../../io/node/random-token.ts';
import { hashApiKey } from '../keys/api-key.ts';
import { createBuiltinPayments } from '../keys/builtin-payments.ts';
import type { Payments } from '../keys/payments.ts';

const KEY = /^dd_live_[0-9A-Za-z]{32}$/;
const CLAIM = '/api/v1/key/claim';
const WEBHOOK = '/api/v1/payments/webhook';

/** Who sells keys in these tests: `paid`, `unpaid` and `enterprise` are sessions, others are not. */
const shop: Payments = {
  checkout: async ({ claimUrl, cancelUrl }) => new URL(`https://pay.example/?to=${claimUrl}&back=${cancelUrl}`),
  async session(id) {
    if (id === 'broken') throw new PaymentError('it answers 500.');
    if (!['paid', 'unpaid', 'enterprise'].includes(id)) return undefined;
    return {
      id,
      isPaid: id !== 'unpaid',
      tier: id === 'enterprise' ? id : 'pro',
      label: 'ACME',
      subscription: 'sub_1',
    };
  },
  async readWebhook(body, signature) {
    if (signature !== 'right') return undefined;
    const [kind = '', id = ''] = new TextDecoder().decode(body).split(' ');
    return kind === 'ended' ? { kind, id, subscription: 'sub_1', sentMs: NOON } : { kind: 'other', id };
  },
};

async function lab(options: KeyLabOptions = { payments: shop }) {
  const made = await keyLab(options);
  return {
    ...made,
    call: (line: string, request: Parameters<typeof callRoute>[2] = {}) => callRoute(made.routes, line, request),
  };
}

async function builtinLab() {
  const time = { nowMs: NOON };
  const payments = createBuiltinPayments({ tier: 'pro', secret: 's', nonce: randomNonce, now: () => time.nowMs });
  const made = await lab({ payments });
  /** Where the checkout leads. */
  const checkout = async (clientIp = '192.0.2.1') => {
    const { status, headers } = await made.call('GET /api/v1/checkout', { clientIp });
    expect(status).toBe(303);
    const place = new URL(headers.location ?? '');
    return `${place.pathname}${place.search}`;
  };
  return { ...made, shopTime: time, checkout };
}

clause('DD-U11', 'the checkout leads to the provider, and says how to get a key where there is none', async () => {
  const { call } = await lab();
  const { status, headers } = await call('GET /api/v1/checkout');
  expect([status, headers['cache-control']]).toEqual([303, 'no-store']);
  expect(decodeURI(headers.location ?? '')).toBe(
    'https://pay.example/?to=https://hub.example/api/v1/key/claim?session_id={session_id}&back=https://hub.example/',
  );
  const { call: unsold } = await lab({});
  for (const line of ['GET /api/v1/checkout', `GET ${CLAIM}?session_id=paid`]) {
    const answer = await unsold(line);
    expect(jsonOf(answer)).toMatchObject({ status: 404, detail: expect.stringMatching(/without one.*apikeys issue/) });
  }
});

clause('DD-U12', 'a paid session gives its key once, and any other none', async () => {
  const { call, keys } = await lab();
  const answer = await call(`GET ${CLAIM}?session_id=paid&utm_source=mail`);
  expect(answer).toMatchObject({
    status: 200,
    headers: { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  });
  const { key, ...rest } = jsonOf(answer);
  expect(key).toMatch(KEY);
  expect(rest).toEqual({
    tier: 'pro',
    prefix: key.slice(0, 12),
    limit_per_minute: 1000,
    note: expect.stringContaining('cannot be shown again'),
  });
  expect(keys.find(key)).toMatchObject({ session: 'paid', subscription: 'sub_1', label: 'ACME' });
  for (const [query, status] of [
    ['?session_id=paid', 410],
    ['?session_id=unpaid', 402],
    ['?session_id=nobody', 404],
    ['?session_id=broken', 502],
    ['', 400],
    ['?session_id=', 400],
    ['?session_id=a%20b', 400],
    [`?session_id=${'a'.repeat(256)}`, 400],
    ['?session_id=paid&session_id=enterprise', 400],
  ] as const) {
    const refused = await call(`GET ${CLAIM}${query}`, { clientIp: query.slice(0, 20) });
    expect([query, refused.status, jsonOf(refused).status]).toEqual([query, status, status]);
    expect(refused.headers['cache-control']).toBe('no-store');
    expect(refused.body).not.toContain('dd_live_');
  }
  expect(keys.all()).toHaveLength(1);
  expect(jsonOf(await call(`GET ${CLAIM}?session_id=enterprise`))).toMatchObject({ limit_per_minute: 5000 });
});

test('of claims that race for one session, exactly one has a key', async () => {
  const { routes, keys } = await lab();
  const claims = Array.from({ length: 8 }, () => callRoute(routes, `GET ${CLAIM}?session_id=paid`));
  const statuses = (await Promise.all(claims)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, ...Array(7).fill(410)]);
  expect(keys.all()).toHaveLength(1);
});

test('checkout and claim are asked ten times a minute and no more, feeds or not', async () => {
  const { call, time } = await lab();
  for (let sent = 0; sent < 10; sent++) {
    expect((await call(sent % 2 ? 'GET /api/v1/checkout' : `GET ${CLAIM}?session_id=no`)).status).not.toBe(429);
  }
  expect(await call('GET /api/v1/checkout')).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
  expect((await call('GET /api/v1/checkout', { clientIp: '192.0.2.9' })).status).toBe(303);
  time.nowMs += 60_000;
  expect((await call('GET /api/v1/checkout')).status).toBe(303);
});

clause(['DD-U11', 'DD-U12'], 'a hub that sells nothing leads straight to a key, once, for an hour', async () => {
  const { call, checkout, keys, shopTime } = await builtinLab();
  const place = await checkout();
  const key = jsonOf(await call(`GET ${place}`)).key;
  expect(keys.find(key)).toMatchObject({ tier: 'pro' });
  expect((await call(`GET ${place}`)).status).toBe(410);
  const late = await checkout();
  shopTime.nowMs += 3600_000;
  expect((await call(`GET ${late}`)).status).toBe(404);
  const forged = (await checkout()).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  expect((await call(`GET ${forged}`)).status).toBe(404);
  // Another end than the one that was signed.
  const prolonged = (await checkout()).replace(/\.([0-9a-z]+)\.([\w-]{43})$/, '.zzzzzzzz.$2');
  expect((await call(`GET ${prolonged}`)).status).toBe(404);
});

test('an address gets five keys a day for nothing, and an IPv6 network is one address', async () => {
  const { call, checkout, time } = await builtinLab();
  const claim = async (clientIp: string) => {
    time.nowMs += 60_000;
    return (await call(`GET ${await checkout(clientIp)}`, { clientIp })).status;
  };
  const statuses: number[] = [];
  for (let last = 1; last <= 6; last++) statuses.push(await claim(`2001:db8::${last}`));
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  expect(await claim('2001:db8:0:1::1')).toBe(200);
  time.nowMs += 86_400_000;
  expect(await claim('2001:db8::1')).toBe(200);
});

clause('DD-U13', 'a key shows how it stands, and never itself; without one it is 401', async () => {
  const { call, issue, limiter, keys, time } = await lab();
  const { key, headers } = await issue('pro');
  const info = async () => jsonOf(await call('GET /api/v1/key/info', { headers }));
  time.nowMs += 1000;
  limiter.take(hashApiKey(key), 1000);
  const answer = await call('GET /api/v1/key/info', { headers });
  expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
  expect(jsonOf(answer)).toEqual({
    prefix: key.slice(0, 12),
    tier: 'pro',
    limit_per_minute: 1000,
    remaining: 999,
    reset: Math.ceil((time.nowMs + 60_000) / 1000),
    created_at: '2026-03-01T12:00:00.250Z',
  });
  expect(answer.body).not.toContain(key);
  expect(await info(), 'asking does not count').toEqual(await info());
  await keys.revoke(hashApiKey(key), { atMs: NOON, for: 'revoked' });
  for (const sent of [{}, headers, { 'x-diffdelta-key': randomApiKey() }, { authorization: `Bearer ${key}` }]) {
    for (const line of [`GET /api/v1/key/info?key=${key}`, 'POST /api/v1/key/rotate']) {
      const refused = await call(line, { headers: sent });
      expect(refused).toMatchObject({ status: 401, headers: { 'www-authenticate': expect.stringContaining('realm') } });
    }
  }
});

clause('DD-U14', 'a rotated key is replaced at once: the old one is 401, and its minute goes on', async () => {
  const { call, issue, limiter } = await lab();
  const { key, headers } = await issue('enterprise');
  for (let sent = 0; sent < 5; sent++) limiter.take(hashApiKey(key), 5000);
  const rotated = jsonOf(await call('POST /api/v1/key/rotate', { headers }));
  expect(rotated).toMatchObject({ key: expect.stringMatching(KEY), tier: 'enterprise', limit_per_minute: 5000 });
  expect(rotated.key).not.toBe(key);
  expect((await call('GET /api/v1/key/info', { headers })).status).toBe(401);
  expect((await call('POST /api/v1/key/rotate', { headers })).status).toBe(401);
  const next = { 'x-diffdelta-key': rotated.key };
  expect(jsonOf(await call('GET /api/v1/key/info', { headers: next }))).toMatchObject({
    remaining: 4995,
    rotated: true,
  });
});

test('of two rotations at once, one has a new key and the other none', async () => {
  const { routes, issue, keys } = await lab();
  const { headers } = await issue();
  const rotate = () => callRoute(routes, 'POST /api/v1/key/rotate', { headers });
  const [one, other] = await Promise.all([rotate(), rotate()]);
  expect([one.status, other.status]).toEqual([200, 409]);
  expect(keys.find(jsonOf(one).key)).toBeDefined();
  expect(keys.all()).toHaveLength(2);
});

test('a webhook that is signed ends what it names; one that is not does nothing; a second time it does no more', async () => {
  const { call, keys, issue } = await lab();
  const other = await issue();
  const { key } = jsonOf(await call(`GET ${CLAIM}?session_id=paid`));
  const send = (text: string, signature?: string) =>
    call(`POST ${WEBHOOK}`, { body: new TextEncoder().encode(text), headers: { 'stripe-signature': signature } });
  for (const signature of [undefined, 'wrong']) expect((await send('ended evt_1', signature)).status).toBe(400);
  expect((await call(`POST ${WEBHOOK}`)).status, 'nothing at all').toBe(400);
  expect(jsonOf(await send('said evt_0', 'right'))).toEqual({ received: true, replayed: false });
  expect(keys.find(key)).toBeDefined();
  expect(jsonOf(await send('ended evt_1', 'right'))).toEqual({ received: true, replayed: false });
  expect([keys.find(key), keys.find(other.key)?.tier]).toEqual([undefined, 'pro']);
  const ended = keys.all();
  expect(ended).toMatchObject([{}, { revokedFor: 'ended' }]);
  expect(await send('ended evt_1', 'right')).toMatchObject({ status: 200, body: expect.stringContaining('true}') });
  expect(keys.all()).toEqual(ended);
  const { call: unheard } = await builtinLab();
  expect((await unheard(`POST ${WEBHOOK}`)).status).toBe(404);
});

test('the admin issues, lists and revokes; a key is shown when it is made and never again', async () => {
  const { call, keys } = await lab();
  const issued = await call('POST /api/v1/keys', { body: { tier: 'enterprise', label: 'ACME' } });
  const { key, hash, prefix } = jsonOf(issued);
  expect([issued.status, jsonOf(issued).limit_per_minute, hash]).toEqual([201, 5000, hashApiKey(key)]);
  expect(jsonOf(await call('POST /api/v1/keys')).tier).toBe('pro');
  const listed = await call('GET /api/v1/keys');
  expect(jsonOf(listed).keys[0]).toEqual({
    prefix,
    hash,
    tier: 'enterprise',
    label: 'ACME',
    created_at: '2026-03-01T12:00:00.250Z',
  });
  expect(listed.body).not.toContain(key);
  for (const body of [
    { tier: 'free' },
    { tier: 'gold' },
    { label: '' },
    { label: 'x'.repeat(201) },
    { lable: 'x' },
    [],
  ]) {
    expect((await call('POST /api/v1/keys', { body })).status).toBe(400);
  }
  expect(jsonOf(await call(`DELETE /api/v1/keys/${prefix}`))).toMatchObject({ hash, revoked_for: 'revoked' });
  expect(keys.find(key)).toBeUndefined();
  for (const name of [prefix, hash, 'nobody', key]) {
    const missing = await call(`DELETE /api/v1/keys/${name}`);
    expect(jsonOf(missing)).toMatchObject({ status: 404, code: 'ApiKeyUnknownError' });
    expect(missing.body).not.toContain(key);
  }
});

test('keys that begin alike are told apart by their hashes', async () => {
  const { call, keys } = await lab();
  const alike = { prefix: 'dd_live_aaaa', tier: 'pro', createdMs: NOON } as const;
  const hashes = ['a', 'b'].map(hashApiKey);
  for (const hash of hashes) await keys.add({ ...alike, hash });
  const answer = jsonOf(await call('DELETE /api/v1/keys/dd_live_aaaa'));
  expect(answer).toMatchObject({ status: 409, detail: expect.stringContaining(hashes.join(', ')) });
  expect((await call(`DELETE /api/v1/keys/${hashes[0]?.slice(0, 12)}`)).status).toBe(200);
  expect((await call('DELETE /api/v1/keys/dd_live_aaaa')).status).toBe(200);
});

test('over real sockets: who may ask what, with which method', async () => {
  const { routes, hub, keys } = await builtinLab();
  const { server } = await serveRoutes(routes);
  hub.url = server.url;
  const ask = (path: string, init: RequestInit = {}) => fetch(server.url + path, { redirect: 'manual', ...init });
  const place = (await ask('api/v1/checkout')).headers.get('location') ?? '';
  // A HEAD would use up the session, and nobody would see the key.
  expect((await fetch(place, { method: 'HEAD' })).status).toBe(405);
  const claimed = await fetch(place);
  expect(claimed.headers.get('referrer-policy')).toBe('no-referrer');
  const { key } = (await claimed.json()) as { key: string };
  const headers = { 'x-diffdelta-key': key };
  expect((await ask('api/v1/key/info', { headers })).status).toBe(200);
  const wrongMethod = await ask('api/v1/key/rotate', { headers });
  expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([405, 'POST']);
  expect((await ask('api/v1/key/rotate', { method: 'POST', headers })).status).toBe(200);
  expect((await ask('api/v1/key/info', { headers })).status).toBe(401);

  for (const [method, path] of [
    ['GET', 'api/v1/keys'],
    ['POST', 'api/v1/keys'],
    ['DELETE', `api/v1/keys/${hashApiKey(key)}`],
  ]) {
    expect((await ask(path ?? '', { method, headers })).status, 'an API key is no token').toBe(401);
  }
  const admin = { authorization: RIGHT_TOKEN };
  expect(await (await ask('api/v1/keys', { headers: admin })).json()).toMatchObject({
    keys: [{ revoked_for: 'rotated' }, {}],
  });
  expect(keys.all()).toHaveLength(2);
});

test('the bytes of a webhook reach the provider as they came, whatever is said of them', async () => {
  const seen: string[] = [];
  const payments: Payments = {
    ...shop,
    async readWebhook(body) {
      seen.push(Buffer.from(body).toString('latin1'));
      return { kind: 'other', id: String(seen.length) };
    },
  };
  const { routes } = await lab({ payments });
  const { server } = await serveRoutes(routes);
  const bodies = ['{"a":1,"a":2}', '{ bad', '\u00ff\u0000'];
  for (const type of ['application/json', 'text/plain', '']) {
    for (const body of bodies) {
      const headers = { ...(type !== '' && { 'content-type': type }) };
      const sent = { method: 'POST', headers, body: Buffer.from(body, 'latin1') };
      expect((await fetch(server.url + WEBHOOK.slice(1), sent)).status).toBe(200);
    }
  }
  expect(seen).toEqual([...bodies, ...bodies, ...bodies]);
});
