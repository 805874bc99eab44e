import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkReport } from '../src/doors/check.ts';
import { type RunningHub, startHub } from '../src/doors/hub.ts';

const folderSource = (id: string, path = `./${id}`) => ({
  id,
  kind: 'folder',
  path,
  site: `https://${id}.example/`,
  cleanUrls: true,
  intervalSeconds: 1,
});

/** A hub that reads folders; the names in `there` have pages. */
async function startLab(there: readonly string[], settings: object): Promise<{ hub: RunningHub; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-check-hub-'));
  for (const name of there) await cp('examples/site', join(folder, name), { recursive: true });
  const hub = await startHub(
    { port: 0, allowPrivate: true, ...settings },
    { base: folder, token: 'test-token-of-the-checked-hub' },
  );
  onTestFinished(async () => {
    await hub.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { hub, folder };
}

async function feedOf(hub: RunningHub, name: string) {
  const answer = await fetch(new URL(`diff/${name}/latest.json`, hub.url));
  return (await answer.json()) as {
    cursor: string | null;
    changed: boolean;
    sources: Record<string, { status: string }>;
  };
}

test('a hub has no findings: while it runs, after a change, and with a source that fails', async () => {
  const sources = [folderSource('docs'), folderSource('broken', './not-there')];
  const { hub, folder } = await startLab(['docs'], { sources, limits: { perMinute: 100_000 } });
  const settled = (holds: () => Promise<boolean>) =>
    vi.waitFor(async () => expect(await holds()).toBe(true), { timeout: 60_000, interval: 50 });
  await settled(async () => (await feedOf(hub, 'docs')).cursor !== null);
  await settled(async () => (await feedOf(hub, 'broken')).sources.broken?.status === 'error');
  const before = (await feedOf(hub, 'docs')).cursor;
  const first = await checkReport(hub.url, { spec: 'diffdelta', allowPrivate: true });
  expect(first.findings).toEqual([]);

  await writeFile(
    join(folder, 'docs', 'new.html'),
    '<title>New</title><h1>New</h1><p>A page that was not there before.',
  );
  await settled(async () => (await feedOf(hub, 'docs')).cursor !== before);
  const second = await checkReport(hub.url, { spec: 'diffdelta', allowPrivate: true });
  expect(second.findings).toEqual([]);
  const passed = second.clauses.filter(({ status }) => status === 'pass').map(({ id }) => id);
  const wanted = [
    'DD-A1',
    'DD-A2',
    'DD-C1',
    'DD-G5',
    'DD-P2',
    'DD-T6',
    'DD-T9',
    'DD-T12',
    'DD-T13',
    'DD-U6',
    'DD-E1',
    'DD-E8',
  ];
  expect(passed).toEqual(expect.arrayContaining(wanted));

  await rm(join(folder, 'docs'), { recursive: true });
  await settled(async () => (await feedOf(hub, 'docs')).sources.docs?.status === 'error');
  const third = await checkReport(hub.url, { spec: 'diffdelta', allowPrivate: true });
  expect(third.findings).toEqual([]);
});

test('the limit of the free tier is not run into', async () => {
  const ids = Array.from({ length: 22 }, (_, at) => `s${at}`);
  const sources = ids.map((id) => folderSource(id));
  // A third of the usual limit: on a busy machine a check takes so long that it is allowed a few more requests.
  const { hub } = await startLab(ids, { sources, limits: { perMinute: 20 } });
  await vi.waitFor(
    async () => {
      const answer = await fetch(new URL('health', hub.url));
      expect(answer.status).toBeLessThan(500);
    },
    { timeout: 60_000, interval: 50 },
  );
  const { findings, notes } = await checkReport(hub.url, { spec: 'diffdelta', allowPrivate: true });
  expect(findings.filter(({ clause }) => clause.startsWith('DD-U'))).toEqual([]);
  expect(notes?.join()).toMatch(/sources were left out: the server allows no more requests now/);
});
