import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHub } from '../src/doors/hub.ts';
import { SELF_SERVICE } from '../src/hub/keys/self-service-owner.ts';
import { newSource } from '../src/hub/watch/watch-sources.ts';
import { openSqliteHubStore } from '../src/io/sqlite/hub-store.ts';
import { pageOf, startLiveSite } from './support/live-site.ts';
import { temporaryFolder } from './support/site.ts';

const TOKEN = 'tdg_0123456789abcdef';

test('visitors ask for public sites only, and what they asked for rests while the operator has it switched off', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  await using site = await startLiveSite({ '/': pageOf('Start') });
  {
    await using store = await openSqliteHubStore({ folder: data });
    const config = { id: 'asked', kind: 'page' as const, urls: ['https://asked.invalid/'] } as const;
    await store.putSources([
      { ...newSource(config, 'api', { nowMs: Date.now(), allowPrivate: true }), owner: SELF_SERVICE },
    ]);
  }
  const serve = (enabled: boolean) =>
    startHub({ port: 0, data, allowPrivate: true, cooldownMs: 0, selfService: { enabled } }, { token: TOKEN });
  const ask = async (base: string, url: string) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${base}api/v1/requests`, { method: 'POST', headers, body: JSON.stringify({ url }) });
    return [answer.status, (await answer.json()).detail];
  };
  const source = async (base: string) => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    return (await (await fetch(`${base}api/v1/sources/asked`, { headers })).json()) as {
      owner?: string;
      paused?: string;
    };
  };
  {
    await using hub = await serve(true);
    // The hub itself may reach this machine; who asks from outside may not have it do so.
    for (const url of [site.url, 'http://localhost/', 'http://10.0.0.1/', 'http://[::1]/', 'https://hub.internal/']) {
      expect(await ask(hub.url, url)).toEqual([403, 'Only sites on the public web are followed.']);
    }
    expect(site.takeRequests()).toEqual([]);
    expect(await source(hub.url)).toMatchObject({ owner: 'self-service' });
    expect(await source(hub.url)).not.toHaveProperty('paused');
  }
  {
    await using hub = await serve(false);
    expect(await ask(hub.url, site.url)).toEqual([404, expect.stringContaining('takes no requests')]);
    await expect.poll(() => source(hub.url)).toMatchObject({ paused: expect.stringContaining('switched that off') });
  }
  await using hub = await serve(true);
  await expect.poll(() => source(hub.url)).not.toHaveProperty('paused');
});

test('a private hub stays open for those whose sites it watches, and for nobody else', async () => {
  using folder = temporaryFolder();
  const settings = {
    port: 0,
    data: join(folder.path, 'data'),
    access: 'private' as const,
    selfService: { enabled: true },
  };
  await using hub = await startHub(settings, { token: TOKEN });
  const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  const ask = async (path: string, init: RequestInit = {}) =>
    (await fetch(hub.url + path, { redirect: 'manual', ...init })).status;
  expect([await ask('bot'), await ask('owners'), await ask('follow'), await ask('sources')]).toEqual([
    200, 200, 303, 303,
  ]);
  expect(await ask('owners/token', { ...form, body: 'domain=docs.lantern.dev' })).toBe(200);
  expect(await ask('follow', { ...form, body: 'url=https://a.lantern.dev/' })).toBe(401);
  expect(await ask('api/v1/owners/closed')).toBe(401);
});
