import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHub } from '../src/doors/hub.ts';
import { temporaryFolder } from './support/site.ts';

const TOKEN = 'websub-both-sides-token';
const PATIENCE = { timeout: 60_000, interval: 50 };

/** In one step: a check may come at any moment. */
function writePage(folder: string, words: string): void {
  writeFileSync(join(folder, 'next.tmp'), `<title>Limits</title><h1>Limits</h1><p>${words}</p>`);
  renameSync(join(folder, 'next.tmp'), join(folder, 'site', 'index.html'));
}

test('a hub that follows another one by its feed is told by it, and need not ask', async () => {
  using one = temporaryFolder();
  using two = temporaryFolder();
  one.write({ 'site/index.html': '<title>Limits</title><h1>Limits</h1><p>60 a minute.</p>' });
  const docs = {
    id: 'docs',
    kind: 'folder' as const,
    path: './site',
    site: 'https://docs.example/',
    intervalSeconds: 1,
  };
  const options = { token: TOKEN };
  await using teller = await startHub({ port: 0, allowPrivate: true, sources: [docs] }, { ...options, base: one.path });
  const feed = {
    id: 'told',
    kind: 'feed' as const,
    dialect: 'atom' as const,
    url: `${teller.url}atom/docs.atom`,
    intervalSeconds: 86_400,
  };
  await expect.poll(async () => (await fetch(feed.url)).text(), PATIENCE).toContain('<entry>');
  const settings = { port: 0, allowPrivate: true, sources: [feed], websubSubscriber: { enabled: true } };
  await using told = await startHub(settings, { ...options, base: two.path });

  const headers = { authorization: `Bearer ${TOKEN}` };
  const subscriptions = async () => {
    const answer = await fetch(new URL('api/v1/websub', teller.url), { headers });
    return ((await answer.json()) as { subscriptions: { topic: string; status: string; lastTry?: object }[] })
      .subscriptions;
  };
  await expect.poll(subscriptions, PATIENCE).toMatchObject([{ topic: feed.url, status: 'active' }]);
  const source = async () =>
    (await (await fetch(new URL('api/v1/sources/told', told.url), { headers })).json()) as object;
  await expect.poll(source, PATIENCE).toMatchObject({ websub: { state: 'active', topic: feed.url } });

  const changes = async () => {
    const answer = await fetch(new URL('api/v1/changes?source=told', told.url), { headers });
    return ((await answer.json()) as { changes: unknown[] }).changes.length;
  };
  const before = await changes();
  writePage(one.path, '120 a minute.');
  await expect.poll(changes, PATIENCE).toBeGreaterThan(before);
  await expect.poll(subscriptions, PATIENCE).toMatchObject([{ lastTry: { outcome: expect.stringMatching(/^2/) } }]);
});
