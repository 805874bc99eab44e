import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { changedPage } from '../../test/support/atom-lab.ts';
import { openShelvedHub } from '../../test/support/shelved-hub.ts';
import { logEpoch } from '../hub/log-epoch.ts';
import { backUpDatabase } from '../io/sqlite/backup.ts';
import { openSqliteHubStore } from '../io/sqlite/hub-store.ts';
import { readSqliteTlogStore } from '../io/sqlite/tlog-store.ts';
import { fsckHub } from './fsck-hub.ts';
import { restoreHub } from './restore-hub.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-tlog-carried-'));
afterAll(() => rm(root, { recursive: true }));

async function logsIn(folder: string) {
  await using store = await openSqliteHubStore({ folder, readonly: true });
  return { logs: store.openTables(readSqliteTlogStore)?.logs() ?? [], epoch: await logEpoch(store) };
}

test('a backup carries the log with its key; the hub that is restored from it begins another one, which names the last checkpoint', async () => {
  const [folder, restored, backup] = [join(root, 'hub'), join(root, 'restored'), join(root, 'backup.db')];
  {
    await using hub = await openShelvedHub({ folder });
    await hub.commit('docs', [changedPage('a'), changedPage('b')]);
    await hub.told();
    await backUpDatabase(folder, backup);
    await hub.commit('docs', [changedPage('c')]);
    await hub.told();
  }
  await restoreHub(backup, { folder: restored, replace: false, now: Date.now });
  const { logs, epoch } = await logsIn(restored);
  const [before] = (await logsIn(folder)).logs;
  expect(logs).toMatchObject([{ vkey: before?.vkey, seq: 2 }]);
  expect([Buffer.from(logs[0]?.seed ?? []), epoch]).toEqual([
    Buffer.from(before?.seed ?? []),
    expect.stringMatching(/^[0-9a-f]{8}$/),
  ]);
  {
    await using hub = await openShelvedHub({ folder: restored, ...(epoch !== undefined && { epoch }) });
    await hub.commit('docs', [changedPage('d')]);
    await hub.told();
  }
  const [old, made] = (await logsIn(restored)).logs;
  expect([made?.log, made?.epoch, made?.vkey === old?.vkey, old?.checkpoint]).toEqual([
    2,
    epoch,
    false,
    logs[0]?.checkpoint,
  ]);
  expect(await fsckHub(restored)).toMatchObject({ ok: true, findings: [] });
});

test('cutting the log of changes touches neither tiles nor bundles, and nothing is found missing', async () => {
  const folder = join(root, 'cut');
  {
    await using hub = await openShelvedHub({ folder });
    for (let run = 0; run < 30; run += 1) {
      await hub.commit(
        'docs',
        Array.from({ length: 10 }, (_, at) => changedPage(`${run}-${at}`)),
      );
    }
    await hub.told();
    await hub.shelves.secure();
    await hub.store.cutLog(200);
    await hub.shelves.rebegin();
  }
  expect(await fsckHub(folder)).toMatchObject({ ok: true, findings: [] });
  await using store = await openSqliteHubStore({ folder, readonly: true });
  const tables = store.openTables(readSqliteTlogStore);
  expect([tables?.bundle(1, 0) === undefined, tables?.tile(1, 0, 0)?.length, tables?.place(1)?.entry]).toEqual([
    false,
    8192,
    1,
  ]);
});
