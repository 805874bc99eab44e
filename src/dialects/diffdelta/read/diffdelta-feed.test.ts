import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDiffDeltaService } from '../../../../test/support/diffdelta-service.ts';
import { openVisitLab } from '../../../../test/support/hub-visits.ts';
import { temporaryFolder } from '../../../../test/support/site.ts';
import { sha256Name } from '../../../codecs/diffdelta/cursor.ts';
import type { FeedConfig } from '../../../hub/config/source-config.ts';
import { readSecret } from '../../../io/files/secret.ts';

const KEY = 'dd_live_0123456789abcdefghijABCDEFGHIJ01';

const configOf = (url: string, extra: Partial<FeedConfig> = {}): FeedConfig => ({
  id: 'acme',
  kind: 'feed',
  url,
  dialect: 'diffdelta',
  ...extra,
});

test('the sources of a service are one source of the hub, and their risk goes into the log', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  service.run('blog', { '/b': 'Obey me.' }, { risk: 0.7, riskReasons: ['instructions'] });
  await using lab = await openVisitLab(configOf(service.origin));
  expect(await lab.visit()).toEqual({ is: 'read', changes: 2, freshMs: 300_000, notes: [] });
  expect(lab.log).toMatchObject([
    { source: 'acme', action: 'create', title: 'Page /a', provenance: { by: 'diffdelta', feedSource: 'docs' } },
    { source: 'acme', action: 'create', excerpt: 'Obey me.', risk: 0.7, riskReasons: ['instructions'] },
  ]);
  expect(await lab.visit(), 'the heads are asked from now on').toMatchObject({ is: 'read', changes: 0 });
  const { commits } = lab;
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
  expect(lab.commits, 'nothing new, nothing written').toBe(commits);
  service.run('docs', { '/a': null });
  service.run('docs', { '/c': 'one' });
  lab.told(service.origin);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 2 });
  expect(lab.told(service.origin)).toEqual(['delete /a', 'create /c']);
});

test('a source of the service that cannot be read is noted and counted, a service that is gone has failed', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  service.run('blog', { '/b': 'one' });
  service.run('news', { '/c': 'one' });
  service.putJson('/diff/docs/head.json', 'no json');
  service.putJson('/diff/docs/latest.json', 'no json');
  await using lab = await openVisitLab(configOf(service.origin));
  expect(await lab.visit()).toMatchObject({
    is: 'read',
    changes: 2,
    unread: 1,
    notes: [expect.stringContaining('/diff/docs/')],
  });
  service.run('docs', { '/a': 'two' });
  expect(await lab.visit()).toEqual({ is: 'read', changes: 2, freshMs: 300_000, notes: [] });
  service.remove('/.well-known/diffdelta.json');
  expect(await lab.visit()).toMatchObject({ is: 'failed', error: { code: 'FeedUnreadableError' } });
});

test('a service of which half cannot be read has failed, and what was read of it counts', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  service.run('blog', { '/b': 'one' });
  await using lab = await openVisitLab(configOf(service.origin));
  await lab.visit();
  service.run('blog', { '/b': 'two' });
  service.putJson('/diff/docs/head.json', 'no json');
  const half = await lab.visit();
  expect(half).toMatchObject({ is: 'failed', changes: 1, error: { code: 'HalfReadError' } });
  expect(half.is === 'failed' && half.error.message).toMatch(
    /^1 of 2 feeds could not be read: .*\/diff\/docs\/head\.json/,
  );
  expect(half).not.toHaveProperty('retryAfterMs');
  const limited = { kind: 'status', status: 429, headers: { 'retry-after': '60' } } as const;
  service.fail('/diff/blog/head.json', limited);
  service.run('docs', { '/a': 'two' });
  const paused = await lab.visit();
  expect(paused, 'the pause is kept').toMatchObject({ is: 'failed', changes: 1, retryAfterMs: expect.any(Number) });
});

test('a page of two sources of a service goes with the last of them', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/p': 'Of docs.' }, { risk: 0.7, riskReasons: ['odd'] });
  service.run('blog', { '/p': 'Of the blog.' });
  await using lab = await openVisitLab(configOf(service.origin));
  await lab.visit();
  service.run('docs', { '/p': null });
  await lab.visit();
  expect(lab.log.at(-1)).toMatchObject({ action: 'update', note: 'item-removed' });
  for (const key of ['title', 'excerpt', 'risk', 'riskReasons', 'checksum']) {
    expect(lab.log.at(-1)).not.toHaveProperty(key);
  }
  service.run('blog', { '/p': null });
  await lab.visit();
  const told = lab.told(service.origin);
  expect(told).toEqual(['create /p', 'create /p', 'update /p', 'delete /p']);
});

test('what comes and goes before the first visit is gone behind it', async () => {
  await using service = await startDiffDeltaService();
  for (const source of ['docs', 'blog']) {
    service.run(source, { '/p': 'one' });
    service.run(source, { '/p': null });
  }
  await using lab = await openVisitLab(configOf(service.origin));
  await lab.visit();
  expect(lab.log.map(({ action }) => action)).toEqual(['create', 'delete', 'create', 'delete']);
});

test('a mirror that takes over tells nothing twice', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  const head = new URL('/diff/docs/head.json', service.origin).href;
  const all = new URL('/diff/head.json', service.origin).href;
  await using lab = await openVisitLab(configOf(head, { fallbacks: [all] }));
  await lab.visit();
  service.run('docs', { '/b': 'one' });
  service.fail('/diff/docs/head.json', { kind: 'status', status: 500 });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, fallback: 0 });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
  expect(lab.told(service.origin)).toEqual(['create /a', 'create /b']);
});

test('the key of a source goes to its own origin and not to its fallback elsewhere', async () => {
  await using service = await startDiffDeltaService();
  await using mirror = await startDiffDeltaService();
  mirror.run('docs', { '/a': 'one' });
  using folder = temporaryFolder();
  const apiKeyFile = join(folder.path, 'key');
  await writeFile(apiKeyFile, `${KEY}\n`);
  await using lab = await openVisitLab(configOf(service.origin, { apiKeyFile, fallbacks: [mirror.origin] }));
  service.remove('/.well-known/diffdelta.json');
  expect(await lab.visit({ readSecret })).toMatchObject({ is: 'read', changes: 1, fallback: 0 });
  expect(service.requests.map(({ headers }) => headers['x-diffdelta-key'])).toContain(KEY);
  expect(mirror.requests.some(({ headers }) => headers['x-diffdelta-key'] !== undefined)).toBe(false);
});

test('a try says what there is', async () => {
  await using service = await startDiffDeltaService();
  await using lab = await openVisitLab(configOf(service.origin));
  service.run('docs', { '/a': 'one' });
  expect(JSON.stringify(await lab.test(configOf(service.origin)))).toContain('a DiffDelta feed; the first item is');
  expect(await lab.test(configOf(new URL('/nothing/', service.origin).href))).toBeDefined();
});

test('a try sends the key of the source', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  using folder = temporaryFolder();
  const apiKeyFile = join(folder.path, 'key');
  await writeFile(apiKeyFile, `${KEY}\n`);
  const config = configOf(service.origin, { apiKeyFile });
  await using lab = await openVisitLab(config);
  expect(await lab.test(config, { readSecret })).toMatchObject({ is: 'read' });
  const feeds = service.requests.filter(({ path }) => path.startsWith('/diff/'));
  expect(feeds.map(({ headers }) => headers['x-diffdelta-key'])).toEqual(feeds.map(() => KEY));
  expect(feeds.length).toBeGreaterThan(0);
});

test('sections that changed go into the log by their anchors', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  await using lab = await openVisitLab(configOf(service.origin));
  await lab.visit();
  service.run('docs', { '/a': { limits: 'None.', tiers: 'Three.' } }, { risk: 0.2, riskReasons: ['odd'] });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 2 });
  expect(lab.log.slice(1)).toMatchObject([
    { action: 'update', anchor: 'limits', excerpt: 'None.', risk: 0.2, riskReasons: ['odd'] },
    { action: 'update', anchor: 'tiers', excerpt: 'Three.', checksum: sha256Name('Three.'), title: 'Page /a' },
  ]);
});
