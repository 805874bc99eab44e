import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { callRoute, jsonOf } from '../../../test/support/call-route.ts';
import { keyLab } from '../../../test/support/key-lab.ts';
import { RIGHT_TOKEN, serveRoutes } from '../../../test/support/serve-routes.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import type { Route } from '../../hub/http/route.ts';
import { hashApiKey } from '../../hub/keys/api-key.ts';
import { describeApiKeyStore } from '../../hub/keys/api-key-store.contract.ts';
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

describeApiKeyStore('in SQLite', async () => {
  const folder = temporaryFolder();
  const store = await openSqliteHubStore({ folder: folder.path });
  onTestFinished(async () => {
    await store[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });
  return store.keys;
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
