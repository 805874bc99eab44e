import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { callRoute, jsonOf } from '../../../test/support/call-route.ts';
import { keyLab } from '../../../test/support/key-lab.ts';
import { RIGHT_TOKEN, serveRoutes } from '../../../test/support/serve-routes.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import type { Route } from '../../hub/http/route.ts';
import { hashApiKey } from '../../hub/keys/api-key.ts';
import type { ApiKeyRecord } from '../../hub/keys/api-key-store.ts';
import { limitRoutes } from '../../hub/keys/limit-routes.ts';
import { openSqliteHubStore } from './hub-store.ts';
import { openSqliteLog } from './log.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');

const FEED: Route = {
  method: 'GET',
  path: '/diff/head.json',
  access: 'open',
  summary: '',
  responses: {},
  handle: () => ({ status: 200, headers: {}, body: 'x' }),
};

function record(name: string, more: Partial<ApiKeyRecord> = {}): ApiKeyRecord {
  return { hash: hashApiKey(name), prefix: `dd_live_${name}`, tier: 'pro', createdMs: NOON, ...more };
}

test('what is added is there again, in order of creation', async () => {
  using folder = temporaryFolder();
  const full = record('b', { label: 'ACME\u0000"', session: 'cs_1', subscription: 'sub_1', tier: 'enterprise' });
  {
    await using store = await openSqliteHubStore({ folder: folder.path });
    expect(await store.keys.apiKeys()).toEqual([]);
    expect(await store.keys.addApiKey(full)).toBe('done');
    expect(await store.keys.addApiKey(record('a'))).toBe('done');
  }
  await using store = await openSqliteHubStore({ folder: folder.path });
  expect(await store.keys.apiKeys()).toEqual([full, record('a')]);
});

test('one key for one session and one hash', async () => {
  using folder = temporaryFolder();
  await using store = await openSqliteHubStore({ folder: folder.path });
  const { keys } = store;
  const race = await Promise.all(['a', 'b', 'c'].map((name) => keys.addApiKey(record(name, { session: 'cs_1' }))));
  expect(race.toSorted()).toEqual(['done', 'too-late', 'too-late']);
  expect(await keys.addApiKey(record('a', { session: 'cs_2' }))).toBe('too-late');
  expect(await keys.apiKeys()).toHaveLength(1);
});

test('what is not paid can count again, with all that is known of it; what is revoked for good cannot', async () => {
  using folder = temporaryFolder();
  await using store = await openSqliteHubStore({ folder: folder.path });
  const { keys } = store;
  const kept = record('a', { label: 'ACME\u0000"é', session: 'cs_1', subscription: 'sub_1' });
  const { hash } = kept;
  await keys.addApiKey(kept);
  const unpaid = { revokedMs: NOON + 1, revokedFor: 'unpaid', heardMs: NOON };
  expect(await keys.settleApiKey(hash, unpaid)).toBe('done');
  expect(await keys.apiKeys()).toEqual([{ ...kept, ...unpaid }]);
  expect(await keys.settleApiKey(hash, { heardMs: NOON + 2 })).toBe('done');
  expect(await keys.apiKeys()).toEqual([{ ...kept, heardMs: NOON + 2 }]);
  expect(await keys.rotateApiKey(hash, record('b'))).toBe('done');
  expect((await keys.apiKeys())[1]).toMatchObject({ subscription: 'sub_1', heardMs: NOON + 2 });
  expect(await keys.settleApiKey(hash, { heardMs: NOON + 3 })).toBe('too-late');
  expect(await keys.settleApiKey('nobody', { heardMs: NOON })).toBe('too-late');
  await keys.settleApiKey(record('b').hash, { ...unpaid, revokedFor: 'ended' });
  expect(await keys.settleApiKey(record('b').hash, { heardMs: NOON + 3 })).toBe('too-late');
});

test('a key is revoked once; its session stays taken', async () => {
  using folder = temporaryFolder();
  await using store = await openSqliteHubStore({ folder: folder.path });
  const { keys } = store;
  const { hash } = record('a');
  await keys.addApiKey(record('a', { session: 'cs_1' }));
  expect(await keys.revokeApiKey(hash, { atMs: NOON + 1, for: 'ended' })).toBe('done');
  expect(await keys.revokeApiKey(hash, { atMs: NOON + 2, for: 'revoked' })).toBe('too-late');
  expect(await keys.revokeApiKey('nobody', { atMs: NOON, for: 'revoked' })).toBe('too-late');
  expect(await keys.apiKeys()).toMatchObject([{ hash, revokedMs: NOON + 1, revokedFor: 'ended' }]);
  expect(await keys.addApiKey(record('b', { session: 'cs_1' }))).toBe('too-late');
  expect(await keys.rotateApiKey(hash, record('c'))).toBe('too-late');
});

test('of two rotations one is done, and the new key has what the old one had', async () => {
  using folder = temporaryFolder();
  await using store = await openSqliteHubStore({ folder: folder.path });
  const { keys } = store;
  const old = record('a', { session: 'cs_1', subscription: 'sub_1' });
  await keys.addApiKey(old);
  const race = await Promise.all(
    ['b', 'c'].map((name) => keys.rotateApiKey(old.hash, record(name, { createdMs: NOON + 5, replaces: old.hash }))),
  );
  expect(race).toEqual(['done', 'too-late']);
  const [first, second, ...more] = await keys.apiKeys();
  expect(first).toEqual({ ...record('a'), revokedMs: NOON + 5, revokedFor: 'rotated' });
  expect(second).toEqual(
    record('b', { createdMs: NOON + 5, replaces: old.hash, session: 'cs_1', subscription: 'sub_1' }),
  );
  expect(more).toEqual([]);
  expect(await keys.addApiKey(record('d', { session: 'cs_1' }))).toBe('too-late');
});

test('an event is recorded once, and not for ever', async () => {
  using folder = temporaryFolder();
  await using store = await openSqliteHubStore({ folder: folder.path });
  const { keys } = store;
  expect(await keys.recordWebhook('evt_1', NOON)).toBe('done');
  expect(await keys.recordWebhook('evt_1', NOON + 1)).toBe('too-late');
  expect(await keys.recordWebhook('evt_2', NOON + 91 * 86_400_000)).toBe('done');
  expect(await keys.recordWebhook('evt_1', NOON + 91 * 86_400_000)).toBe('done');
});

test('a log without keys reads as one with none, beside its writer, and gets tables when it is written', async () => {
  using folder = temporaryFolder();
  await using log = await openSqliteLog({ folder: folder.path });
  {
    await using reader = await openSqliteHubStore({ folder: folder.path, readonly: true });
    expect(await reader.keys.apiKeys()).toEqual([]);
    await expect(reader.keys.addApiKey(record('a'))).rejects.toThrow('reading only');
  }
  await log.close();
  await using store = await openSqliteHubStore({ folder: folder.path });
  expect(await store.keys.addApiKey(record('a'))).toBe('done');
  await using reader = await openSqliteHubStore({ folder: folder.path, readonly: true });
  expect(await reader.keys.apiKeys()).toEqual([record('a')]);
});

clause('DD-U10', 'of a key, the hash is in the data folder; the key is neither there nor in the log', async () => {
  const lab = await keyLab();
  const served = [...lab.routes, ...limitRoutes([FEED], lab.limits)];
  const { server, logged } = await serveRoutes(served, { logRequests: true });
  const ask = (path: string, init: RequestInit = {}) => fetch(server.url + path, init);
  const admin = { authorization: RIGHT_TOKEN, 'content-type': 'application/json' };
  const issued = await ask('api/v1/keys', { method: 'POST', headers: admin, body: '{"label":"ACME"}' });
  const { key, hash } = (await issued.json()) as { key: string; hash: string };
  const headers = { 'x-diffdelta-key': key };
  await ask('diff/head.json', { headers });
  await ask(`diff/head.json?key=${key}`, { headers });
  await ask('api/v1/key/info', { headers });
  const rotated = await (await ask('api/v1/key/rotate', { method: 'POST', headers })).json();
  const { key: next } = rotated as { key: string };
  expect(jsonOf(await callRoute(lab.routes, 'GET /api/v1/keys')).keys).toHaveLength(2);

  const bytes = () =>
    readdirSync(lab.folder.path)
      .map((name) => readFileSync(join(lab.folder.path, name), 'latin1'))
      .join('\n');
  const whileOpen = bytes();
  await lab.store[Symbol.asyncDispose]();
  for (const stored of [whileOpen, bytes()]) {
    expect(stored).toContain(hash);
    expect(stored).toContain(hashApiKey(next));
    for (const secret of [key, next]) expect(stored).not.toContain(secret.slice('dd_live_'.length + 4));
  }
  expect(logged.length).toBeGreaterThan(4);
  for (const secret of [key, next]) expect(JSON.stringify(logged)).not.toContain(secret.slice('dd_live_'.length));
});
