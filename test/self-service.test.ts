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
    const config = { id: 'asked', kind: 'page', urls: ['https://asked.invalid/'] } as const;
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
