import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHub } from '../src/doors/run-hub.ts';
import { hubConfigOf } from '../src/doors/settings.ts';
import { openSqliteHubStore } from '../src/io/sqlite/hub-store.ts';
import { pageOf } from './support/live-site.ts';
import { operate } from './support/operator.ts';
import { seedChanges } from './support/seeded-hub.ts';
import { temporaryFolder } from './support/site.ts';

const YEARS_MS = 14 * 365 * 24 * 3600_000;

test('a clock that jumps by years stamps no change, health and log say so, and doctor how to mend it', async () => {
  using folder = temporaryFolder();
  folder.write({ 'site/index.html': pageOf('Home', 'First.') });
  const data = join(folder.path, 'data');
  const source = { id: 'docs', kind: 'folder', path: './site', site: 'https://docs.example/', intervalSeconds: 1 };
  const said: string[] = [];
  const note = (_: object, message: string) => void said.push(message);
  const world = { aheadMs: 0 };
  const config = hubConfigOf({ port: 0, data, sources: [source] }, { base: folder.path });
  await using hub = await runHub(config, {
    token: 'tdg_0123456789abcdef',
    logger: { debug() {}, info: note, warn: note, error: note },
    wall: () => Date.now() + world.aheadMs,
  });
  const answer = async (path: string) => (await (await fetch(`${hub.url}${path}`)).json()) as Record<string, unknown>;
  const changes = async () => (await answer('api/v1/changes')).changes as { readonly time: string }[];
  await expect.poll(async () => (await changes()).length, { timeout: 60_000 }).toBe(1);
  expect((await answer('healthz')).clock).toBeUndefined();
  world.aheadMs = YEARS_MS;
  expect((await answer('healthz')).clock).toMatch(/not believed/);
  folder.write({ 'site/index.html': pageOf('Home', 'Second.') });
  await expect.poll(async () => (await changes()).length, { timeout: 60_000 }).toBe(2);
  const [, second] = await changes();
  expect(Date.parse(second?.time ?? '')).toBeLessThan(Date.now() + 24 * 3600_000);
  expect(String((await answer('state/health.json')).clock)).toContain('tidings doctor');
  world.aheadMs = 0;
  expect((await answer('healthz')).clock).toBeUndefined();
});

test('a start on a clock that is years ahead of the log does not believe it; doctor says what to do', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const [old] = await seedChanges(data, 1, () => Date.now() - YEARS_MS);
  const said: string[] = [];
  const note = (_: object, message: string) => void said.push(message);
  const logger = { debug() {}, info() {}, warn() {}, error: note };
  const config = hubConfigOf({ port: 0, data }, { base: folder.path });
  {
    await using hub = await runHub(config, { token: 'tdg_0123456789abcdef', logger });
    const health = (await (await fetch(`${hub.url}healthz`)).json()) as { clock?: string };
    expect(health.clock).toContain(old?.time.slice(0, 16) ?? '-');
    expect(said).toEqual([expect.stringContaining('not believed')]);
  }
  const { out } = await operate(['doctor', '--data', data, '--port', '0']);
  expect(out).toMatch(/^warn {2}clock .*not believed[^\n]*\n.*--trust-clock/m);
  await using trusting = await runHub(config, { token: 'tdg_0123456789abcdef', logger, trustClock: true });
  expect((await (await fetch(`${trusting.url}healthz`)).json()) as object).not.toHaveProperty('clock');
  await trusting.close();
  await using store = await openSqliteHubStore({ folder: data });
  expect((await store.lastChange())?.id).toBe(old?.id);
});
