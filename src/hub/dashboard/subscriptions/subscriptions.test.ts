import { expect, test } from 'vitest';
import { callRoute, jsonOf, textOf } from '../../../../test/support/call-route.ts';
import { HOSTILE_MARKUP, HOSTILE_TEXTS, sentForm, signedIn } from '../../../../test/support/signed-in.ts';
import { HOOK, NOON, webhookLab } from '../../../../test/support/webhook-lab.ts';
import { websubId } from '../../push/websub/subscribers.ts';
import type { WebSubRecord } from '../../push/websub/websub-store.ts';
import { subscriptionRoutes } from '../../routes/subscription-routes.ts';
import { websubAdminRoutes } from '../../routes/websub-admin-routes.ts';
import type { Role } from '../../sign-in/viewer.ts';
import { formRoutes } from '../form.ts';
import { viewRoutes } from '../view.ts';
import type { WebSubSight } from './subscription-facts.ts';
import { SUBSCRIPTION_FORMS } from './subscription-forms.ts';
import { subscriptionListView } from './subscription-list.ts';
import { subscriptionView } from './subscription-page.ts';

type Lab = Awaited<ReturnType<typeof webhookLab>>;

/** The pages, the forms and the API below them, for somebody with a role. */
function hubOf({ engine, store, subscriptions, time }: Lab, role?: Role, records: readonly WebSubRecord[] = []) {
  const parts = signedIn(role);
  const webhooks = { engine, store };
  const webSub: WebSubSight = {
    subscribers: { size: records.length, all: () => records },
    hubUrl: () => 'https://hub.example/hub',
    warning: () => undefined,
  };
  const denied: string[] = [];
  const keys = { find: () => undefined, all: () => [] };
  const endpoints = { allowPrivate: false, isPrivateName: () => false, isOwnAddress: () => false };
  const deny = (id: string) => denied.push(id) > 0;
  const api = [
    ...subscriptionRoutes({ engine, subscriptions, store, keys, endpoints, now: time.now }),
    ...websubAdminRoutes({
      hub: { subscribers: webSub.subscribers, deny } as never,
      hubUrl: webSub.hubUrl,
      warning: webSub.warning,
    }),
  ];
  const views = [subscriptionListView({ webhooks, webSub, now: time.now }), subscriptionView(webhooks, time.now)];
  const routes = [...viewRoutes(views, parts), ...formRoutes(SUBSCRIPTION_FORMS, { ...parts, routes: () => api })];
  return {
    denied,
    page: async (path: string) => textOf(await callRoute(routes, `GET ${path}`)),
    facts: async (path: string) => jsonOf(await callRoute(routes, `GET /api/v1/views${path}`)),
    status: async (path: string) => (await callRoute(routes, `GET ${path}`)).status,
    send: (path: string, fields: Readonly<Record<string, string>> = {}) =>
      callRoute(routes, `POST ${path}`, sentForm(fields)),
  };
}

function webSubRecord(number: number, more: Partial<NonNullable<WebSubRecord['active']>> = {}): WebSubRecord {
  const [topic, callback] = [
    'https://hub.example/changes.atom',
    `https://reader.example/cb/${number}?key=hidden-${number}`,
  ];
  const active = {
    topic,
    callback,
    method: 'sha256',
    confirmedMs: NOON,
    expiresMs: NOON + 1e6,
    deliveredSeq: 0,
    tries: 0,
  } as const;
  return { id: websubId(topic, callback), path: 'changes.atom', active: { ...active, ...more } };
}

test('webhooks that need somebody come first, with how far they have come and when they are tried again', async () => {
  const lab = await webhookLab({ answer: ({ url }) => (url.endsWith('/bad') ? { status: 500, body: 'no room' } : {}) });
  await lab.subscribe({ label: 'well' });
  await lab.subscribe({ url: `${HOOK}/bad`, label: 'ill' });
  lab.log.append('/a', '/b');
  await lab.time.pass(1000);
  const { page, facts } = hubOf(lab, 'admin');
  const { subscriptions, states } = await facts('/subscriptions');
  expect(states).toMatchObject({ active: 1, failing: 1 });
  expect(subscriptions).toMatchObject([
    { label: 'ill', status: 'failing', lag: 2, attempts: 1, next_attempt_at: expect.any(String) },
    { label: 'well', status: 'active', lag: 0 },
  ]);
  const html = await page('/subscriptions');
  expect(html.indexOf('<bdi>ill</bdi>')).toBeLessThan(html.indexOf('<bdi>well</bdi>'));
  expect(html).toContain('<b class="badge degraded">failing</b>');
  expect(html).toContain('(1 try so far)');
  expect(await page('/subscriptions?state=active')).not.toContain('<bdi>ill</bdi>');
  const one = await page(`/subscriptions/${subscriptions[0].id}`);
  expect(one).toContain('Behind by</dt><dd>2 changes');
  expect(one).toContain('500 ');
  expect(one).toContain('no room');
});

test('who did not sign in is led to it; who may only look sees no button and no whole address', async () => {
  const lab = await webhookLab({ answer: () => ({ breaks: true }) });
  const { id } = await lab.subscribe({ url: 'https://chat.example/services/T0/hidden' });
  lab.log.append('/a');
  await lab.time.pass(1000);
  const nobody = hubOf(lab);
  expect(await nobody.status('/subscriptions')).toBe(303);
  const records = [webSubRecord(1)];
  for (const path of ['/subscriptions', `/subscriptions/${id}`]) {
    const seen = await hubOf(lab, 'read', records).page(path);
    expect(seen).toContain('https://chat.example/…');
    expect(seen).not.toContain('hidden-1');
    expect(seen).not.toContain('/T0/');
    expect(seen).not.toMatch(/action="[^"]*(?:test|pause|add|remove|end)"/);
    expect(await hubOf(lab, 'admin', records).page(path)).toContain('/T0/hidden');
  }
  expect((await hubOf(lab, 'read').send(`/subscriptions/${id}/pause`)).status).toBe(403);
  expect((await hubOf(lab, 'operate').send(`/subscriptions/${id}/remove`)).status).toBe(403);
  expect(lab.engine.find(id)?.standing.status).toBe('failing');
});

test('a webhook is added with its filters; its secret is shown once', async () => {
  const lab = await webhookLab();
  const { send, page } = hubOf(lab, 'admin');
  const wish = { url: 'https://hooks.example/new', label: '', format: 'cloudevents', topic: 'changes' };
  const answer = await send('/subscriptions/add', { ...wish, source: 'docs, blog', path: '/guide/**', action: '' });
  expect(answer.status).toBe(200);
  const [added] = lab.engine.all();
  expect(added).toMatchObject({
    url: wish.url,
    form: 'cloudevents',
    verify: true,
    filter: { source: ['docs', 'blog'], path: ['/guide/**'] },
  });
  const secret = added?.secrets[0]?.secret ?? '?';
  expect(textOf(answer)).toContain(secret);
  expect(await page(`/subscriptions/${added?.id}`)).not.toContain(secret);
  const refused = await send('/subscriptions/add', { ...wish, url: 'no address' });
  expect([refused.status, textOf(refused)]).toEqual([400, expect.stringContaining('Give an absolute URL')]);
});

test('pause, resume, test, replay, a new secret, remove', async () => {
  const lab = await webhookLab();
  const { send } = hubOf(lab, 'admin');
  const { id } = await lab.subscribe();
  const [first] = lab.log.append('/a', '/b');
  await lab.time.pass(100);
  const at = `/subscriptions/${id}`;
  const status = () => lab.engine.find(id)?.standing.status;
  expect((await send(`${at}/pause`)).headers.location).toBe(`../../subscriptions/${id}?done=subscriptions-pause`);
  expect(status()).toBe('disabled');
  await send(`${at}/resume`);
  expect(status()).toBe('active');
  expect((await send(`${at}/test`)).status).toBe(303);
  expect(lab.received.at(-1)?.body.type).toBe('subscription.test');
  expect((await send(`${at}/replay`, { from: first?.id ?? '', since: '' })).status).toBe(303);
  await lab.time.pass(100);
  expect(lab.events().map(({ body }) => body.data.seq)).toEqual([1, 2, 2]);
  expect((await send(`${at}/replay`, { since: '2026-03-01T11:00', from: '' })).status).toBe(303);
  await lab.time.pass(100);
  expect(lab.events()).toHaveLength(5);
  expect((await send(`${at}/replay`, { since: '', from: '' })).status).toBe(400);
  const rotated = await send(`${at}/rotate`);
  expect(textOf(rotated)).toContain(lab.engine.find(id)?.secrets[0]?.secret);
  expect((await send(`${at}/remove`)).headers.location).toContain('subscriptions?done=');
  expect(lab.engine.all()).toEqual([]);
  expect((await send(`${at}/remove`)).status).toBe(404);
});

test('subscribers by WebSub are listed in order of id, page by page, and ended by a button', async () => {
  const lab = await webhookLab();
  const records = Array.from({ length: 120 }, (_, number) => webSubRecord(number, number === 7 ? { tries: 3 } : {}));
  const { facts, page, send, denied } = hubOf(lab, 'admin', records);
  const seen: string[] = [];
  for (let after = ''; ; ) {
    const { websub } = await facts(`/subscriptions?websub_after=${after}`);
    seen.push(...websub.subscriptions.map(({ id }: { id: string }) => id));
    if (websub.next === undefined) break;
    after = websub.next;
  }
  expect(seen).toEqual(records.map(({ id }) => id).toSorted());
  const html = await page('/subscriptions');
  expect(html).toContain('50 of 120 subscriptions.');
  expect(html).toContain(`action="./subscriptions/websub/${seen[0]}/end"`);
  expect((await send(`/subscriptions/websub/${seen[0]}/end`)).status).toBe(303);
  expect(denied).toEqual([seen[0]]);
});

test('a form for what is switched off says so', async () => {
  const routes = formRoutes(SUBSCRIPTION_FORMS, { ...signedIn('admin'), routes: () => [] });
  const answer = await callRoute(routes, 'POST /subscriptions/websub/none/end', sentForm());
  expect(answer.status).toBe(404);
  expect(textOf(answer)).toContain('switched off in its settings');
});

test.each(HOSTILE_TEXTS)('a hostile text stays text, in every field: %.30j', async (text) => {
  const lab = await webhookLab({ answer: () => ({ status: 500, body: text.slice(0, 1000) }) });
  const { id } = await lab.subscribe({ label: text, filter: { source: [text], path: [`/${text}`] } });
  await lab.subscribe({ url: `https://hooks.example/${encodeURI(text.toWellFormed().slice(0, 500))}` });
  lab.log.append('/a');
  await lab.time.pass(1000);
  const record = webSubRecord(1, {
    topic: `https://hub.example/${text}`,
    tries: 1,
    lastTry: { atMs: NOON, outcome: text },
  });
  const { page } = hubOf(lab, 'admin', [record]);
  for (const path of ['/subscriptions', `/subscriptions/${id}`]) {
    const html = await page(path);
    expect(html).not.toMatch(HOSTILE_MARKUP);
    expect(html.length).toBeLessThan(40_000);
  }
});
