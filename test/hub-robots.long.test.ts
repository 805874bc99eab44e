import { expect, onTestFinished, vi } from 'vitest';
import { startHub } from '../src/doors/hub.ts';
import { clause } from './clause.ts';
import { type Served, startLiveSite } from './support/live-site.ts';
import { htmlPage, temporaryFolder } from './support/site.ts';

const PATIENCE = { timeout: 60_000, interval: 50 };

clause(
  ['DD-E8', 'DD-E12'],
  'a site whose robots.txt answers 500 fails at each check, with that status, and is read again when it is better',
  async () => {
    const { site, health } = await watchSite({ status: 500 });
    await vi.waitFor(async () => {
      expect(await health()).toMatchObject({
        status: 'error',
        consecutive_failures: expect.toSatisfy((failures) => failures >= 3),
        error: { code: 'RobotsDeniedError', http_status: 500 },
      });
    }, PATIENCE);
    expect(new Set(site.takeRequests())).toEqual(new Set(['500 /robots.txt']));
    site.remove('/robots.txt');
    await vi.waitFor(async () => expect(await health()).toMatchObject({ status: 'ok' }), PATIENCE);
    expect(await health()).not.toHaveProperty('consecutive_failures');
  },
);

clause(
  ['DD-E8', 'DD-E12', 'AWI-R8'],
  'a robots.txt that answers 503 gives the host its minute, and each check until then has failed with that',
  async () => {
    const { site, health } = await watchSite({ status: 503 });
    await vi.waitFor(async () => {
      expect(await health()).toMatchObject({
        status: 'error',
        consecutive_failures: expect.toSatisfy((failures) => failures >= 4),
        error: { http_status: 503 },
      });
    }, PATIENCE);
    expect(site.takeRequests()).toEqual(['503 /robots.txt']);
  },
);

/** A hub that looks at a site each second. */
async function watchSite(robots: Served) {
  const site = await startLiveSite({
    '/': htmlPage('Home', [{ heading: 'One', text: 'Some words.' }]),
    '/robots.txt': robots,
  });
  const folder = temporaryFolder();
  const sources = [{ id: 'docs', kind: 'site' as const, url: site.url, intervalSeconds: 1 }];
  const settings = { data: './data', port: 0, allowPrivate: true, cooldownMs: 0, sources };
  const hub = await startHub(settings, { base: folder.path });
  onTestFinished(async () => {
    await hub.close();
    await site[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });
  return {
    site,
    async health(): Promise<Record<string, unknown>> {
      const response = await fetch(new URL('state/health.json', hub.url));
      const { sources } = (await response.json()) as { sources: { docs: Record<string, unknown> } };
      return sources.docs;
    },
  };
}
