import { expect, test } from 'vitest';
import { callRoute, jsonOf, textOf } from '../../../../test/support/call-route.ts';
import { HOSTILE_MARKUP, HOSTILE_TEXTS, sentForm, signedIn } from '../../../../test/support/signed-in.ts';
import { apiKeyRecord } from '../../keys/api-key.ts';
import type { ApiKeyRecord, ApiKeyStore } from '../../keys/api-key-store.ts';
import { createKeyRing } from '../../keys/key-ring.ts';
import type { UsageDay } from '../../keys/key-usage.ts';
import { keyAdminRoutes } from '../../routes/key-admin-routes.ts';
import type { Role } from '../../sign-in/viewer.ts';
import { formRoutes } from '../form.ts';
import { viewRoutes } from '../view.ts';
import { KEY_FORMS } from './key-forms.ts';
import { keyListView } from './key-list.ts';
import { keyView } from './key-page.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const TODAY = Math.floor(NOON / 86_400_000);
const keyText = (number: number) => `dd_live_${String(number).padStart(4, '0')}${'k'.repeat(28)}`;

interface LabOptions {
  readonly records?: readonly ApiKeyRecord[];
  readonly usage?: ReadonlyMap<string, readonly UsageDay[]>;
  readonly role?: Role;
}

async function lab({ records = [], usage = new Map(), role = 'admin' }: LabOptions = {}) {
  const store = {
    apiKeys: async () => records,
    addApiKey: async () => 'done',
    revokeApiKey: async () => 'done',
  } as Partial<ApiKeyStore> as ApiKeyStore;
  const keys = await createKeyRing(store);
  const asked: string[] = [];
  const meter = {
    usageOf: async (owner: string) => {
      asked.push(owner);
      return usage.get(owner) ?? [];
    },
    allUsage: async () => usage,
  };
  const now = () => NOON;
  const perMinute = { free: 60, pro: 600, enterprise: 6000 };
  const makeKey = () => keyText(9999);
  const api = keyAdminRoutes({ keys, usage: meter, perMinute, makeKey, now, baseUrl: () => '', limiter: {} as never });
  const parts = signedIn(role);
  const sight = { keys, usage: meter };
  const routes = [
    ...viewRoutes([keyListView(sight, now), keyView(sight, now)], parts),
    ...formRoutes(KEY_FORMS, { ...parts, routes: () => api }),
  ];
  return {
    keys,
    asked,
    ask: (line: string) => callRoute(routes, line),
    send: (path: string, fields: Readonly<Record<string, string>> = {}) =>
      callRoute(routes, `POST ${path}`, sentForm(fields)),
  };
}

const recordOf = (number: number, more: Partial<ApiKeyRecord> = {}): ApiKeyRecord => ({
  ...apiKeyRecord(keyText(number), { tier: 'pro', createdMs: NOON - 1000 + number }),
  ...more,
});

test('keys are shown with what was asked with them, day by day and as a chart', async () => {
  const record = recordOf(1, { label: 'Search team' });
  const days = [
    { day: TODAY - 1, requests: 1200, bytes: 5, refused: 0, lastMs: NOON - 86_400_000 },
    { day: TODAY, requests: 3, bytes: 5, refused: 2, lastMs: NOON - 1000 },
  ];
  const { ask } = await lab({ records: [record], usage: new Map([[record.hash, days]]) });
  const facts = jsonOf(await ask('GET /api/v1/views/keys'));
  expect(facts).toMatchObject({ total: 1, keys: [{ label: 'Search team', total: { requests: 1203, refused: 2 } }] });
  expect([facts.days.length, facts.days.at(-1)]).toEqual([90, { date: '2026-03-01', requests: 3, refused: 2 }]);
  const html = textOf(await ask('GET /keys'));
  expect(html).toContain(`<a href="./keys/${record.hash}"><code>dd_live_0001…</code></a>`);
  expect(html).toContain('<title>2026-03-01: 5 requests, 2 refused</title>');
  const one = textOf(await ask(`GET /keys/${record.prefix}`));
  expect(one).toContain('1,203 requests, 2 refused');
  expect((await ask('GET /keys/nobody')).status).toBe(404);
});

test('a key is issued and shown once; a revoked one says so and has no button', async () => {
  const { ask, send, keys } = await lab();
  const issued = await send('/keys/issue', { tier: 'enterprise', label: ' Search team ' });
  expect([issued.status, textOf(issued)]).toEqual([200, expect.stringContaining(keyText(9999))]);
  const [record] = keys.all();
  expect(record).toMatchObject({ tier: 'enterprise', label: 'Search team' });
  const at = `/keys/${record?.hash}`;
  expect(textOf(await ask(`GET ${at}`))).not.toContain(keyText(9999));
  expect((await send(`${at}/revoke`)).headers.location).toBe(`../../keys/${record?.hash}?done=keys-revoke`);
  const html = textOf(await ask(`GET ${at}`));
  expect(html).toContain('<b class="badge disabled">revoked</b>');
  expect(html).not.toContain(`${record?.hash}/revoke`);
  const refused = await send('/keys/issue', { tier: 'gold' });
  expect([refused.status, textOf(refused)]).toEqual([400, expect.stringContaining('tier')]);
});

test('only the admin looks at keys', async () => {
  const { ask, send } = await lab({ role: 'operate' });
  expect([(await ask('GET /keys')).status, (await send('/keys/issue', { tier: 'pro' })).status]).toEqual([403, 403]);
});

test('of many keys a page is read, and the usage of no other', async () => {
  const records = Array.from({ length: 1000 }, (_, number) => recordOf(number));
  const { ask, asked } = await lab({ records });
  const { keys, total } = jsonOf(await ask('GET /api/v1/views/keys?from=50'));
  expect([keys.length, total, asked.length, keys[0].prefix]).toEqual([50, 1000, 50, 'dd_live_0949']);
  expect(textOf(await ask('GET /keys?from=50'))).toContain('href="./keys?from=100"');
});

test.each(HOSTILE_TEXTS)('a hostile label stays text: %.30j', async (label) => {
  const record = recordOf(1, { label });
  const { ask } = await lab({ records: [record] });
  for (const path of ['/keys', `/keys/${record.hash}`]) {
    const html = textOf(await ask(`GET ${path}`));
    expect(html).not.toMatch(HOSTILE_MARKUP);
    expect(html.length).toBeLessThan(60_000);
  }
});
