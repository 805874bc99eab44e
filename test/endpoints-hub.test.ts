import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type RunningHub, startHub } from '../src/doors/hub.ts';
import {
  announcement,
  deprecation,
  type LiveOrigin,
  schemaChange,
  startLiveOrigin,
} from './support/agent-feed-origin.ts';
import { createTestAuthority } from './support/test-ca.ts';

const TOKEN = 'test-token-of-the-endpoints-hub';

let folder: string;
let origin: LiveOrigin;
let hub: RunningHub;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-endpoints-hub-'));
  const authority = createTestAuthority();
  await writeFile(join(folder, 'ca.pem'), authority.cert);
  origin = await startLiveOrigin(authority);
  origin.state(announcement(''));
  origin.state(schemaChange('', { migration: { add: ['/currency'], rename: { '/amount': '/total' } } }));
  origin.state(deprecation('', { sunset: '2099-01-01T00:00:00Z' }));
  hub = await start();
});

afterAll(async () => {
  await hub.close();
  await origin[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function start(): Promise<RunningHub> {
  const acme = { id: 'acme', kind: 'feed' as const, dialect: 'agent-feed' as const, url: origin.url };
  const settings = { port: 0, allowPrivate: true, ca: './ca.pem', data: './data' };
  return startHub({ ...settings, sources: [acme] }, { base: folder, token: TOKEN });
}

// biome-ignore lint/suspicious/noExplicitAny: a reader of JSON, as a script would be
type Json = any;

const ask = async (path: string, init: RequestInit = {}): Promise<{ status: number; body: Json }> => {
  const answer = await fetch(new URL(path, hub.url), init);
  return { status: answer.status, body: await answer.json() };
};
const observe = (body: object, token = TOKEN) =>
  ask('api/v1/endpoints/observations', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const table = async (query = '') => (await ask(`api/v1/endpoints${query}`)).body;

test('the endpoints of watched origins can be asked for and resolved, and mismatches are remembered over a restart', async () => {
  await vi.waitFor(async () => expect((await table()).origins[0]?.endpoints).toHaveLength(1), {
    timeout: 60_000,
    interval: 50,
  });
  const host = origin.url.replace(/\/$/, '');
  const url = `${origin.url}orders`;
  expect((await table()).origins[0]).toMatchObject({
    source: 'acme',
    origin: host,
    trust: true,
    feedStatus: 'active',
    endpoints: [{ endpointId: 'orders-api', url, version: '1.1', deprecated: { sunset: '2099-01-01T00:00:00Z' } }],
    mismatches: [],
  });
  const resolved = [{ source: 'acme', origin: host, endpointId: 'orders-api', url }];
  expect((await table('?resolve=orders-api')).resolved).toEqual(resolved);
  expect((await table(`?resolve=${encodeURIComponent(url)}`)).resolved).toEqual(resolved);
  expect((await table('?resolve=nothing')).resolved).toEqual([]);
  expect((await table('?origin=https://other.example')).origins).toEqual([]);
  expect((await ask('api/v1/endpoints?other=1')).status).toBe(400);
  expect((await ask('api/v1/endpoints?resolve=a&resolve=b')).status).toBe(400);

  const live = { origin: host, endpointId: 'orders-api', observed: { id: 7, amount: 12 } };
  expect((await observe(live, 'another')).status).toBe(401);
  expect((await observe({ origin: host })).status).toBe(400);
  expect((await observe({ ...live, origin: 'https://other.example' })).status).toBe(404);
  const asAnnounced = await observe({ ...live, observed: { id: 7, total: 12, currency: 'EUR' } });
  expect(asAnnounced).toEqual({ status: 200, body: { mismatch: null } });
  const { body } = await observe(live);
  expect(body.mismatch).toMatchObject({ endpointId: 'orders-api', 'expected-version': '1.1', at: expect.any(String) });

  await hub.close();
  hub = await start();
  expect((await table()).origins[0].mismatches).toEqual([body.mismatch]);
});

test('the description of the API names the routes', async () => {
  const { body } = await ask('openapi.json');
  expect(Object.keys(body.paths)).toEqual(
    expect.arrayContaining(['/api/v1/endpoints', '/api/v1/endpoints/observations']),
  );
});
