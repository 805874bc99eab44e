import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';
import { clause } from './clause.ts';
import { ADMIN, limitsPage, PATIENCE, startMcpHub } from './support/mcp-lab.ts';
import { startWebhookReceiver } from './support/webhook-receiver.ts';

interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Answered;
}

/** What the API says, whichever line of it: each answer has some of these. */
interface Answered {
  readonly id: string;
  readonly status: string;
  readonly secret: string;
  readonly key: string;
  readonly code: string;
  readonly subscriptions: readonly object[];
  readonly deliveries: readonly Record<string, unknown>[];
}

async function startHubWithHooks(settings: object = {}) {
  const hub = await startMcpHub({ webhooks: { firstRetryMs: 100 }, ...settings });
  const ask = async (line: string, body?: unknown, headers?: Record<string, string>): Promise<Asked> => {
    const [method = '', path = ''] = line.split(' ');
    const answer = await fetch(new URL(`api/v1/${path}`, hub.url), {
      method,
      headers: { ...(headers ?? { authorization: `Bearer ${ADMIN}` }), 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  const becomes = (id: string, status: string) =>
    vi.waitFor(async () => expect((await ask(`GET subscriptions/${id}`)).body.status).toBe(status), PATIENCE);
  return { ...hub, ask, becomes };
}

clause(
  ['SW-H1', 'SW-S1', 'SW-P1'],
  'a subscriber is asked, and then told of changes with signatures that the official package takes',
  async () => {
    const hub = await startHubWithHooks();
    const receiver = await startWebhookReceiver();
    const made = await hub.ask('POST subscriptions', { url: receiver.url, filter: { source: 'docs' } });
    expect(made).toMatchObject({ status: 201, body: { status: 'pending', secret: expect.stringMatching(/^whsec_/) } });
    const { id, secret } = made.body;
    expect(made.headers.get('location')).toBe(`/api/v1/subscriptions/${id}`);
    await hub.becomes(id, 'active');

    hub.write({ 'limits.html': limitsPage('There are seven tiers of accounts.') });
    await vi.waitFor(() => expect(receiver.events()).toHaveLength(1), PATIENCE);
    const [event] = receiver.events();
    expect(event?.body).toMatchObject({ type: 'change', data: { source: 'docs', anchor: 'tiers' } });
    for (const { text, headers, body } of receiver.received)
      expect(new Webhook(secret).verify(text, headers)).toEqual(body);
    const other = `whsec_${Buffer.alloc(32).toString('base64')}`;
    expect(() => new Webhook(other).verify(event?.text ?? '', event?.headers ?? {})).toThrow();

    const told = { id, status: 'active', lag: 0, cursor: event?.body.data.id };
    const listed = await vi.waitFor(async () => {
      const answer = await hub.ask('GET subscriptions');
      expect(answer.body.subscriptions).toMatchObject([told]);
      return answer;
    }, PATIENCE);
    expect(JSON.stringify([listed.body, (await hub.ask(`GET subscriptions/${id}`)).body])).not.toContain(secret);
    const { deliveries } = (await hub.ask(`GET subscriptions/${id}/deliveries`)).body;
    expect(deliveries.map(({ type, status, outcome }) => [type, status, outcome])).toEqual([
      ['change', 200, 'delivered'],
      ['subscription.verify', 200, 'delivered'],
    ]);
    const metrics = await (await fetch(`${hub.url}metrics`, { headers: { authorization: `Bearer ${ADMIN}` } })).text();
    expect(metrics).toContain('tidings_webhook_attempts_total{outcome="delivered"} 2');
    expect(metrics).toContain('tidings_subscriptions{status="active"} 1');
  },
);

test('who sends back all that it gets is no subscriber', async () => {
  const hub = await startHubWithHooks();
  const receiver = await startWebhookReceiver(({ text }, response) => response.end(text));
  const { body } = await hub.ask('POST subscriptions', { url: `${receiver.url}own` });
  hub.write({ 'more.html': limitsPage('A page that is new.') });
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(2), PATIENCE);
  expect((await hub.ask(`GET subscriptions/${body.id}`)).body).toMatchObject({
    status: 'pending',
    reason: expect.stringMatching(/challenge/),
  });
  expect(new Set(receiver.received.map((one) => one.text)).size).toBe(1);
});

test('a test event is sent at once, and what came back is shown', async () => {
  const hub = await startHubWithHooks();
  const receiver = await startWebhookReceiver((_, response) => response.writeHead(503).end('<b>busy</b>\u0000'));
  const { body } = await hub.ask('POST subscriptions', { url: receiver.url });
  await hub.becomes(body.id, 'active');
  const tested = await hub.ask(`POST subscriptions/${body.id}/test`);
  expect(tested).toMatchObject({
    status: 200,
    body: {
      type: 'subscription.test',
      outcome: 'failed',
      status: 503,
      answer: '<b>busy</b>\u0000',
      error: { code: 'StatusError' },
    },
  });
  const pending = await hub.ask('POST subscriptions', { url: `${receiver.url}own` });
  expect(await hub.ask(`POST subscriptions/${pending.body.id}/test`)).toMatchObject({ status: 409 });
});

test('a secret is rotated: both sign for a day, or the old one is dropped at once', async () => {
  const hub = await startHubWithHooks();
  const receiver = await startWebhookReceiver();
  const { body: made } = await hub.ask('POST subscriptions', { url: receiver.url });
  await hub.becomes(made.id, 'active');
  const { body: rotated } = await hub.ask(`POST subscriptions/${made.id}/rotate`);
  await hub.ask(`POST subscriptions/${made.id}/test`);
  const both = receiver.received.at(-1);
  for (const secret of [made.secret, rotated.secret]) new Webhook(secret).verify(both?.text ?? '', both?.headers ?? {});
  const { body: last } = await hub.ask(`POST subscriptions/${made.id}/rotate`, { now: true });
  await hub.ask(`POST subscriptions/${made.id}/test`);
  const one = receiver.received.at(-1);
  new Webhook(last.secret).verify(one?.text ?? '', one?.headers ?? {});
  expect(() => new Webhook(rotated.secret).verify(one?.text ?? '', one?.headers ?? {})).toThrow();
});

clause(
  ['SW-D7', 'SW-D8'],
  'an address that is not https, private, with a password, or that of the hub is refused',
  async () => {
    const hub = await startHubWithHooks({ allowPrivate: false });
    const bad = [
      'http://hooks.example/',
      'https://127.0.0.1/',
      'https://[::1]:8443/x',
      'https://169.254.169.254/',
      'https://localhost/',
    ];
    for (const url of [
      ...bad,
      'https://user:word@hooks.example/',
      'ftp://hooks.example/',
      'https://hooks.example/#a',
      hub.url,
      5,
    ]) {
      const { status, body } = await hub.ask('POST subscriptions', { url });
      expect([status, body.code], String(url)).toEqual([400, 'SettingRefusedError']);
      expect(JSON.stringify(body)).not.toContain('word@');
    }
    const own = await startHubWithHooks();
    expect(
      await own.ask('POST subscriptions', { url: `${own.url.replace('127.0.0.1', 'localhost')}hub` }),
    ).toMatchObject({ status: 400 });
  },
);

clause(
  'DD-U4',
  'a key has its own subscriptions, as many as it may, also after it was rotated, and none when it is revoked',
  async () => {
    const hub = await startHubWithHooks({ webhooks: { perKey: 2, firstRetryMs: 100 } });
    const receiver = await startWebhookReceiver();
    const keyOf = async () => (await hub.ask('POST keys', { tier: 'pro' })).body.key as string;
    const [one, other] = [await keyOf(), await keyOf()];
    const withKey = (key: string) => ({ 'x-diffdelta-key': key });
    expect(await hub.ask('GET subscriptions', undefined, {})).toMatchObject({ status: 401 });
    const { body: made, status } = await hub.ask('POST subscriptions', { url: receiver.url }, withKey(one));
    expect(status).toBe(201);
    expect(await hub.ask(`GET subscriptions/${made.id}`, undefined, withKey(other))).toMatchObject({ status: 404 });
    expect(await hub.ask(`DELETE subscriptions/${made.id}`, undefined, withKey(other))).toMatchObject({ status: 404 });
    for (const wish of [{ verify: false }, { topic: 'alerts' }]) {
      expect(await hub.ask('POST subscriptions', { url: receiver.url, ...wish }, withKey(one))).toMatchObject({
        status: 400,
      });
    }
    const rotated = (await hub.ask('POST key/rotate', undefined, withKey(one))).body.key as string;
    expect(await hub.ask('POST subscriptions', { url: receiver.url }, withKey(rotated))).toMatchObject({ status: 201 });
    expect(await hub.ask('POST subscriptions', { url: receiver.url }, withKey(rotated))).toMatchObject({ status: 403 });
    expect((await hub.ask('GET subscriptions', undefined, withKey(rotated))).body.subscriptions).toHaveLength(2);
    expect((await hub.ask('GET subscriptions', undefined, withKey(other))).body.subscriptions).toEqual([]);
    await hub.becomes(made.id, 'active');
  },
);

test('what makes no sense is refused by name, and changes nothing', async () => {
  const hub = await startHubWithHooks();
  const receiver = await startWebhookReceiver();
  const { url } = receiver;
  const { body } = await hub.ask('POST subscriptions', { url });
  const one = `subscriptions/${body.id}`;
  const bad = [
    [`PATCH ${one}`, { status: 'gone' }],
    [`PATCH ${one}`, { filter: { path: 'x' } }],
    [`PATCH ${one}`, { batch: { max: 1000 } }],
    ['POST subscriptions', { url, format: 'xml' }],
    ['POST subscriptions', { url, secret: `whsec_${'A'.repeat(28)}` }],
    ['POST subscriptions', { url, from: 'yesterday' }],
    ['POST subscriptions', { url, unknown: 1 }],
    ['POST subscriptions', []],
    [`POST ${one}/replay`, {}],
    [`POST ${one}/replay`, { delivery: 'msg_nobody' }],
    [`POST ${one}/rotate`, { signing: 'v2' }],
  ] as const;
  for (const [line, wish] of bad) expect([line, wish, (await hub.ask(line, wish)).status]).toEqual([line, wish, 400]);
  const unknown = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  expect(await hub.ask(`POST ${one}/replay`, { from: unknown })).toMatchObject({ status: 410 });
  expect(await hub.ask('POST subscriptions', { url, from: unknown })).toMatchObject({ status: 410 });
  expect(await hub.ask('GET subscriptions/sub_nobody')).toMatchObject({ status: 404 });
  expect((await hub.ask('GET subscriptions')).body.subscriptions).toHaveLength(1);
});
