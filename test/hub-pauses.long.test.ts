import { expect, onTestFinished, test, vi } from 'vitest';
import { type HubSettings, startHub } from '../src/doors/hub.ts';
import { pageOf, startLiveSite } from './support/live-site.ts';
import { temporaryFolder } from './support/site.ts';

const PATIENCE = { timeout: 60_000, interval: 50 };
const TOKEN = 'a-token-of-the-operator-that-is-long-enough';
const YEARS = { status: 429, headers: { 'retry-after': String(10 * 365 * 24 * 3600) } };

test('neither a reader of /doc nor a redirect of another site keeps a source from being read; its own host does until an operator resumes it', async () => {
  await using site = await startLiveSite({ '/': pageOf('Home'), '/trap': YEARS });
  await using other = await startLiveSite({ '/': { status: 302, headers: { location: `${site.url}trap` } } });
  const { hub, health, ask } = await watch([
    { id: 'docs', kind: 'site' as const, url: site.url, intervalSeconds: 1 },
    { id: 'other', kind: 'page' as const, urls: [other.url], intervalSeconds: 1 },
  ]);
  await vi.waitFor(
    async () => expect(await health('docs')).toMatchObject({ last_check_at: expect.any(String) }),
    PATIENCE,
  );

  const doc = await fetch(new URL(`doc?url=${encodeURIComponent(`${site.url}trap`)}`, hub.url));
  expect(doc.status).toBeGreaterThanOrEqual(400);
  await vi.waitFor(async () => expect(await health('other')).toMatchObject({ status: 'error' }), PATIENCE);
  await reads('docs');
  expect(await health('docs')).not.toHaveProperty('host_pause');
  const { host } = new URL(site.url);
  expect(await health('other')).toMatchObject({ host_pause: { by: host } });

  site.put({ '/': YEARS });
  await vi.waitFor(async () => expect(await health('docs')).toMatchObject({ host_pause: { by: host } }), PATIENCE);
  const { host_pause } = (await health('docs')) as { host_pause: { until: string } };
  expect(Date.parse(host_pause.until)).toBeLessThanOrEqual(Date.now() + 24 * 3600_000);
  expect(await (await fetch(hub.url)).text()).toContain(`${host} asked for a pause until`);
  expect(await ask('GET', 'api/v1/sources/docs')).toMatchObject({ health: { host_pause } });

  site.put({ '/': pageOf('Home') });
  site.takeRequests();
  await ask('POST', 'api/v1/sources/docs/resume');
  await vi.waitFor(async () => expect(await health('docs')).toMatchObject({ status: 'ok' }), PATIENCE);
  expect(await health('docs')).not.toHaveProperty('host_pause');

  /** Two more checks end, and read the source. */
  async function reads(id: string) {
    for (let round = 0; round < 2; round += 1) {
      const { last_check_at: before } = await health(id);
      await vi.waitFor(async () => expect((await health(id)).last_check_at).not.toBe(before), PATIENCE);
    }
    expect(await health(id)).toMatchObject({ status: 'ok' });
  }
});

/** A hub of these sources. */
async function watch(sources: NonNullable<HubSettings['sources']>) {
  const folder = temporaryFolder();
  const settings = { data: './data', port: 0, allowPrivate: true, cooldownMs: 0, sources };
  const hub = await startHub(settings, { base: folder.path, token: TOKEN });
  onTestFinished(async () => {
    await hub.close();
    folder[Symbol.dispose]();
  });
  return {
    hub,
    async health(id: string): Promise<Record<string, unknown>> {
      const response = await fetch(new URL('state/health.json', hub.url));
      const { sources } = (await response.json()) as { sources: Record<string, Record<string, unknown>> };
      return sources[id] ?? {};
    },
    async ask(method: string, path: string): Promise<unknown> {
      const headers = { authorization: `Bearer ${TOKEN}` };
      return await (await fetch(new URL(path, hub.url), { method, headers })).json();
    },
  };
}
