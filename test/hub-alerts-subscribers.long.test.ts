import { expect, test, vi } from 'vitest';
import { type AlertsHub, alertsHub, expectOnce, WAIT } from './support/alerts-hub.ts';
import { htmlPage } from './support/site.ts';
import { startWebhookReceiver } from './support/webhook-receiver.ts';

const FOLDER = { id: 'docs', kind: 'folder', path: './site', site: 'https://docs.example/', intervalSeconds: 1 };
const pageOf = (text: string) => ({ 'site/a.html': htmlPage('A', [{ heading: 'One', text }]) });

async function subscribe(at: AlertsHub, url: string, more: object = {}): Promise<string> {
  const wish = JSON.stringify({ url, ...more });
  const { id } = (await (await at.ask('api/v1/subscriptions', { method: 'POST', body: wish })).json()) as {
    id: string;
  };
  const status = async () => ((await (await at.ask(`api/v1/subscriptions/${id}`)).json()) as { status: string }).status;
  // An endpoint that is gone may be so before anybody looks.
  await vi.waitFor(async () => expect(await status()).toMatch(/^(?:active|gone)$/), WAIT);
  return id;
}

test('alerts are told by webhook: that one began and that it is over, with the same id', async ({ onTestFinished }) => {
  const at = alertsHub(onTestFinished);
  const receiver = await startWebhookReceiver();
  await at.start([]);
  await subscribe(at, receiver.url, { topic: 'alerts' });
  await at.start([], { freeMegabytes: 1_000_000_000 });
  await vi.waitFor(() => expect(receiver.events()).toHaveLength(1), WAIT);
  await at.start([]);
  await vi.waitFor(() => expect(receiver.events()).toHaveLength(2), WAIT);
  const [raised, cleared] = receiver.events().map(({ body }) => body);
  expect(raised).toMatchObject({
    type: 'alert.raised',
    data: { kind: 'disk.filling', subject: 'hub', severity: 'critical', summary: expect.any(String) },
  });
  expect(cleared).toMatchObject({ type: 'alert.cleared', data: { id: raised?.data.id, kind: 'disk.filling' } });
});

test('subscriber.behind: what is for it waits, until it is taken', async ({ onTestFinished }) => {
  const at = alertsHub(onTestFinished);
  const endpoint = { isBroken: false };
  const receiver = await startWebhookReceiver((_, response) => {
    if (endpoint.isBroken) response.statusCode = 503;
    response.end();
  });
  at.folder.write(pageOf('One.'));
  await at.start([FOLDER], { lagSeconds: 1 });
  const id = await subscribe(at, receiver.url);
  endpoint.isBroken = true;
  at.folder.write(pageOf('Two.'));
  await expectOnce(at, 'subscriber.behind', {
    subject: id,
    restart: () => at.start([FOLDER], { lagSeconds: 1 }),
    clear: async () => {
      endpoint.isBroken = false;
      await at.ask(`api/v1/subscriptions/${id}`, { method: 'PATCH', body: '{"status":"active"}' });
    },
  });
});

test('subscriber.disabled: its endpoint is gone, until the subscription is', async ({ onTestFinished }) => {
  const at = alertsHub(onTestFinished);
  const receiver = await startWebhookReceiver((_, response) => {
    response.statusCode = 410;
    response.end();
  });
  at.folder.write(pageOf('One.'));
  await at.start([FOLDER]);
  const id = await subscribe(at, receiver.url);
  at.folder.write(pageOf('Two.'));
  await expectOnce(at, 'subscriber.disabled', {
    subject: id,
    restart: () => at.start([FOLDER]),
    clear: () => at.ask(`api/v1/subscriptions/${id}`, { method: 'DELETE' }),
  });
});
