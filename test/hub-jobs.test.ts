import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Job } from '../src/doors/jobs.ts';
import { runHub } from '../src/doors/run-hub.ts';
import { hubConfigOf } from '../src/doors/settings.ts';
import { openSqliteHubStore } from '../src/io/sqlite/hub-store.ts';
import { temporaryFolder } from './support/site.ts';
import { running } from './support/watching-verb.ts';

const TOKEN = 'test-token-of-the-jobs';
const PATIENCE = { timeout: 20_000, interval: 50 };
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

test('a start that has changes to catch up with says how far it is; a watch of the folder shows them', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  {
    await using store = await openSqliteHubStore({ folder: data });
    const drafts = Array.from({ length: 500 }, (_, number) => ({
      ...{ source: 'docs', action: 'create' as const, url: `https://docs.example/${number}` },
    }));
    await store.commit({ source: 'docs', drafts });
  }
  const steps: Job[] = [];
  const config = hubConfigOf({ port: 0, data, sources: [] }, { base: folder.path });
  const onJob = (job: Job) => void steps.push({ ...job });
  await using _hub = await runHub(config, { logger: SILENT, token: TOKEN, onJob });
  const told = steps.filter(({ what }) => what === 'Catching up of the aicf feeds');
  expect(told.at(-1)).toMatchObject({ total: 500, outcome: 'done' });
  expect(Math.max(...told.map(({ done }) => done))).toBe(500);
  const watching = running(['status', '--watch', '--data', data]);
  await vi.waitFor(() => expect(watching.out.join('\n')).toContain('500 changes so far'), PATIENCE);
  watching.stop();
  expect(await watching.code).toBe(0);
});

test('a watch of what is no hub ends with 3 and says why', async () => {
  const { code, out } = running(['status', '--watch', '--hub', 'http://127.0.0.1:9/']);
  expect(await code).toBe(3);
  expect(out.join('\n')).toContain('127.0.0.1:9');
});
