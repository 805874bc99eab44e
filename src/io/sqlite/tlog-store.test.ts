import { statSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeTlogStore, FIRST_STEP, NEXT_STEP } from '../../dialects/tlog/shelf/tlog-store.contract.ts';
import { openRawDatabase } from './database.ts';
import { openSqliteHubStore } from './hub-store.ts';
import { openSqliteTlogStore, readSqliteTlogStore } from './tlog-store.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-sqlite-tlog-'));
afterAll(() => rm(root, { recursive: true }));
const newFolder = () => mkdtemp(join(root, 'hub-'));

describeTlogStore('SQLite', async () => {
  const hub = await openSqliteHubStore({ folder: await newFolder() });
  return { store: hub.openTables(openSqliteTlogStore), [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
});

test('tiles and bundles can be neither changed nor deleted, whoever writes to the database', async () => {
  const folder = await newFolder();
  {
    await using hub = await openSqliteHubStore({ folder });
    const store = hub.openTables(openSqliteTlogStore);
    store.write(FIRST_STEP);
    store.write({
      ...NEXT_STEP,
      head: { size: 256, root: new Uint8Array(32) },
      bundles: [{ index: 0, body: Buffer.from('packed') }],
      tiles: [{ level: 0, index: 0, hashes: new Uint8Array(8192) }],
    });
  }
  const database = await openRawDatabase(join(folder, 'tidings.db'));
  for (const table of ['hub_tlog_tiles', 'hub_tlog_bundles']) {
    expect(() => database.exec(`DELETE FROM ${table}`)).toThrow('never deleted');
    expect(() => database.exec(`UPDATE ${table} SET log = 2`)).toThrow('never changed');
  }
  database.close();
});

test('the database that holds the key is closed to other users, also where it was open to them', async () => {
  const folder = await newFolder();
  const file = join(folder, 'tidings.db');
  for (const mode of [0o644, 0o666]) {
    {
      await using hub = await openSqliteHubStore({ folder });
      if (hub.openTables(openSqliteTlogStore).logs().length === 0)
        hub.openTables(openSqliteTlogStore).write(FIRST_STEP);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
    await chmod(file, mode);
  }
  await using _ = await openSqliteHubStore({ folder });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('who only reads finds no log where no hub has made one', async () => {
  const folder = await newFolder();
  await using hub = await openSqliteHubStore({ folder });
  expect(hub.openTables(readSqliteTlogStore)).toBeUndefined();
});
