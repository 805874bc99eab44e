import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openLogDatabase } from '../io/sqlite/log.ts';
import { type HubSettings, startHub } from './hub.ts';

test('where DiffDelta files lag behind the log, the metrics say so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-lag-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'index.html'), '<title>Lag</title><h1>Lag</h1><p>A page of the site.');
  const start = (sources: NonNullable<HubSettings['sources']>) =>
    startHub({ port: 0, data: './data', sources }, { base: folder, token: 'test-token-of-the-lagging-hub' });
  await (await start([])).close();
  {
    const { database, log } = await openLogDatabase({ folder: join(folder, 'data') });
    database.exec(
      `CREATE TRIGGER no_archive BEFORE INSERT ON hub_run_closed BEGIN SELECT RAISE(ABORT, 'not now'); END`,
    );
    await log.close();
  }

  await using hub = await start([{ id: 'docs', kind: 'folder' as const, path: '.', site: 'https://docs.example/' }]);
  const get = async (path: string) => (await fetch(new URL(path, hub.url))).text();
  // The other feeds are there: it is DiffDelta alone that lags.
  await vi.waitFor(async () => expect(await get('aicf/docs.ndjson')).toContain('https://docs.example/'), 60_000);
  const metrics = await get('metrics');
  const figure = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1]);
  expect(figure('tidings_log_seq')).toBeGreaterThan(0);
  expect(figure('tidings_feed_seq')).toBe(0);
});
