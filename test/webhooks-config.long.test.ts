import { expect, onTestFinished, test, vi } from 'vitest';
import { type HubSettings, startHub } from '../src/doors/hub.ts';
import { encodeWebhookSecret, verifyWebhook } from '../src/doors/webhooks.ts';
import { HUB_TOKEN } from './pin/asked-hub.ts';
import { startTarget } from './support/announce-target.ts';
import { temporaryFolder } from './support/site.ts';

interface Shown {
  readonly id: string;
  readonly url: string;
  readonly owner: string;
  readonly status: string;
  readonly format: string;
  readonly filter: object;
  readonly signing: readonly object[];
}

const SECRET = encodeWebhookSecret(new Uint8Array(32).fill(5));

/** One data folder, on which hubs start with other settings. */
function lab() {
  const folder = temporaryFolder();
  folder.write({ 'a.secret': `${SECRET}\n` });
  onTestFinished(() => folder[Symbol.dispose]());
  return async function shownBy(
    subscriptions: NonNullable<HubSettings['subscriptions']>,
    until: (all: readonly Shown[]) => boolean = () => true,
  ) {
    const hub = await startHub(
      { port: 0, allowPrivate: true, data: './data', subscriptions },
      { base: folder.path, token: HUB_TOKEN },
    );
    try {
      const headers = { authorization: `Bearer ${HUB_TOKEN}` };
      return await vi.waitFor(async () => {
        const answer = await fetch(new URL('api/v1/subscriptions', hub.url), { headers });
        const { subscriptions: all } = (await answer.json()) as { subscriptions: Shown[] };
        expect(until(all)).toBe(true);
        return all;
      }, 15_000);
    } finally {
      await hub.close();
    }
  };
}

async function willing() {
  const taken: string[] = [];
  const target = await startTarget(({ body }, response) => {
    const { type, data } = JSON.parse(body);
    taken.push(type);
    response.end(type === 'subscription.verify' ? data.challenge : '');
  });
  onTestFinished(() => target[Symbol.asyncDispose]());
  return { ...target, taken };
}

test('the settings say who is told: new ones are made, changed ones stay who they are, those that are gone end', async () => {
  const [one, other] = [await willing(), await willing()];
  const shownBy = lab();
  const entry = { name: 'search', url: one.origin, secretFile: './a.secret' };
  const areActive = (all: readonly Shown[]) => all.every(({ status }) => status === 'active');
  const [first, chat] = await shownBy([entry, { url: other.origin, format: 'slack', verify: false }], areActive);
  expect([first, chat]).toMatchObject([
    { url: one.origin, owner: 'config', format: 'tidings' },
    { url: other.origin, owner: 'config', format: 'slack' },
  ]);

  const again = await shownBy([entry, { url: other.origin, format: 'slack', verify: false }]);
  expect(again.map(({ id }) => id)).toEqual([first?.id, chat?.id]);
  expect([one.taken, other.taken]).toEqual([['subscription.verify'], []]);

  const changed = await shownBy([{ ...entry, filter: { path: '/guide/**' }, format: 'cloudevents' }]);
  expect(changed).toMatchObject([
    { id: first?.id, format: 'cloudevents', filter: { path: ['/guide/**'] }, status: 'active' },
  ]);
  const moved = await shownBy([{ ...entry, url: other.origin }], areActive);
  expect(moved).toMatchObject([{ id: first?.id, url: other.origin, filter: {} }]);
  expect(other.taken).toEqual(['subscription.verify']);
  expect(await shownBy([])).toEqual([]);
}, 60_000);

test('deliveries are signed with the secret in the file', async () => {
  const to = await willing();
  await lab()([{ url: to.origin, secretFile: './a.secret' }], ([one]) => one?.status === 'active');
  const [{ body, headers } = { body: '', headers: {} }] = to.requests;
  expect(verifyWebhook({ headers, body, secrets: [SECRET], now: new Date() })).toMatchObject({ ok: true });
});

test.each([
  [{ url: 'https://app.example/', formats: 'slack' }, /subscriptions\[0\]\.formats/],
  [{ url: 'https://app.example/', filter: { path: 'guide' } }, /subscriptions\[0\]\.filter\.path/],
  [{ url: 'https://app.example/', secretFile: './none' }, /none/],
  [{ url: 'ftp://app.example/' }, /subscriptions\[0\]\.url/],
])('%j keeps the hub from starting, and is named', async (entry, message) => {
  await expect(lab()([entry])).rejects.toThrow(message);
});

test('two of one name are refused', async () => {
  const url = 'https://app.example/';
  await expect(lab()([{ url }, { url }])).rejects.toThrow(/subscriptions\[1\]\.name/);
});
