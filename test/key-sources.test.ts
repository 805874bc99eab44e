import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHub } from '../src/doors/hub.ts';
import { apiKeyRecord } from '../src/hub/keys/api-key.ts';
import { createKeyRing } from '../src/hub/keys/key-ring.ts';
import { newSource } from '../src/hub/watch/watch-sources.ts';
import { randomApiKey } from '../src/io/node/random-api-key.ts';
import { openSqliteHubStore } from '../src/io/sqlite/hub-store.ts';
import { htmlPage, temporaryFolder } from './support/site.ts';
import { respond, startOriginServer } from './torture/origin-server.ts';

const TOKEN = 'tdg_0123456789abcdef';

test('a source of a key reaches nothing private where the hub itself may, and ends with its key', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const page = {
    headers: { 'content-type': 'text/html' },
    body: htmlPage('Home', [{ heading: 'One', text: 'Words.' }]),
  };
  await using secret = await startOriginServer((socket) => respond(socket, page));
  await using open = await startOriginServer((socket) => respond(socket, page));
  const key = randomApiKey();
  {
    // As if a name on the public web resolved to this machine.
    await using store = await openSqliteHubStore({ folder: data });
    const keys = await createKeyRing(store.keys);
    const record = apiKeyRecord(key, { tier: 'enterprise', createdMs: Date.now() });
    await keys.add(record);
    const source = (id: string, origin: string) =>
      newSource({ id, kind: 'page', urls: [`${origin}/`] }, 'api', { nowMs: Date.now(), allowPrivate: true });
    const theirs = { ...source('theirs', secret.origin), owner: record.hash };
    await store.putSources([theirs, source('house', open.origin)]);
  }
  const serve = () => startHub({ port: 0, data, allowPrivate: true, cooldownMs: 0 }, { token: TOKEN });
  let hub = await serve();
  const ask = async (path: string, headers: Record<string, string>, init: RequestInit = {}) => {
    const answer = await fetch(hub.url + path, { ...init, headers });
    return (await answer.json()) as { health: { status: string; error?: object }; paused?: string; sources: object[] };
  };
  const owner = { 'x-diffdelta-key': key };
  const admin = { authorization: `Bearer ${TOKEN}` };
  try {
    await expect
      .poll(async () => (await ask('api/v1/sources/theirs', owner)).health, { timeout: 10_000 })
      .toMatchObject({ status: 'error', error: { code: 'AddressRefusedError' } });
    await expect
      .poll(async () => (await ask('api/v1/sources/house', admin)).health, { timeout: 10_000 })
      .toMatchObject({ status: 'ok', last_ok_at: expect.any(String) });
    expect([secret.connections, open.connections > 0]).toEqual([0, true]);
    expect((await ask('api/v1/sources', owner)).sources).toHaveLength(1);

    await ask(`api/v1/keys/${key.slice(0, 12)}`, admin, { method: 'DELETE' });
    const paused = { paused: 'its API key counts no more (revoked)' };
    await expect.poll(() => ask('api/v1/sources/theirs', admin)).toMatchObject(paused);
    await hub.close();
    hub = await serve();
    expect(await ask('api/v1/sources/theirs', admin)).toMatchObject(paused);
  } finally {
    await hub.close();
  }
});
