import { cpSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operate } from '../../test/support/operator.ts';
import { feedsOf, publishFolder, seedChanges, serveFolder } from '../../test/support/seeded-hub.ts';
import { temporaryFolder } from '../../test/support/site.ts';
import { openSqliteHubStore } from '../io/sqlite/hub-store.ts';

/** A data folder with five published changes, and a copy of its database from before the last two. */
async function publishedFolder() {
  const folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const database = join(data, 'tidings.db');
  await seedChanges(data, 3);
  await publishFolder(data);
  cpSync(database, join(folder.path, 'older.db'));
  await seedChanges(data, 2);
  await publishFolder(data);
  return { folder, data, database, older: join(folder.path, 'older.db') };
}

async function refusedStart(data: string) {
  const before = feedsOf(data);
  const { code, err } = await operate(['serve', '--data', data, '--port', '0']);
  expect(feedsOf(data)).toEqual(before);
  expect(err).not.toContain('token');
  expect(err).toContain('tidings restore');
  return { code, err };
}

async function doctorSays(data: string): Promise<string> {
  const { code, out } = await operate(['doctor', '--data', data, '--port', '0']);
  expect([code, out]).toEqual([3, expect.stringContaining('tidings restore')]);
  return out;
}

test('a hub whose database is missing or empty says so and starts no new log over its feeds', async () => {
  const { folder, data, database } = await publishedFolder();
  using _ = folder;
  truncateSync(database);
  const emptied = await refusedStart(data);
  expect([emptied.code, emptied.err]).toEqual([3, expect.stringContaining('missing or empty')]);
  expect(await doctorSays(data)).toMatch(/^fail {2}database .*missing or empty/m);
  rmSync(database);
  const deleted = await refusedStart(data);
  expect([deleted.code, existsSync(database)]).toEqual([3, false]);
  // Verbs that write without a hub make no new log either.
  const added = await operate(['source', 'add', 'https://docs.example/', '--data', data]);
  expect([added.code, existsSync(database)]).toEqual([3, false]);
  // Without feeds it is an empty folder, in which a first start makes what it needs.
  rmSync(join(data, 'feeds'), { recursive: true });
  await publishFolder(data);
  expect(existsSync(database)).toBe(true);
});

test('a hub whose database is older than its feeds, or of another hub, says so and rewrites nothing', async () => {
  const { folder, data, database, older } = await publishedFolder();
  using _ = folder;
  cpSync(older, database);
  const put = await refusedStart(data);
  expect([put.code, put.err]).toEqual([3, expect.stringContaining('older than its feeds')]);
  expect(await doctorSays(data)).toMatch(/^fail {2}database .*older than its feeds/m);
  // The feed of a source is a witness where that of all is gone.
  rmSync(join(data, 'feeds', '_all.ndjson'));
  expect((await refusedStart(data)).code).toBe(3);
  const other = join(folder.path, 'other');
  await seedChanges(other, 9);
  cpSync(join(other, 'tidings.db'), database);
  expect((await refusedStart(data)).code).toBe(3);
});

test('feeds that lag behind the log, or end in a torn line, are mended as ever', async () => {
  const { folder, data } = await publishedFolder();
  using _ = folder;
  const before = feedsOf(data);
  const feed = join(data, 'feeds', '_all.ndjson');
  writeFileSync(feed, `${readFileSync(feed, 'utf8')}{"id":"7ZZZ`);
  await publishFolder(data);
  expect(feedsOf(data)).toEqual(before);
  await seedChanges(data, 1);
  await publishFolder(data);
  expect(feedsOf(data)['_all.ndjson']?.split('\n')).toHaveLength(7);
});

test('what retention cut off the log is no lost log', async () => {
  const { folder, data } = await publishedFolder();
  using _ = folder;
  {
    await using store = await openSqliteHubStore({ folder: data });
    await store.cutLog(5);
    expect(await store.lastChange()).toBeUndefined();
  }
  await using hub = await serveFolder(data);
  expect((await fetch(`${hub.url}healthz`)).status).toBe(200);
});

test('a damaged database is refused at the start, and the way back is named', async () => {
  const { folder, data, database } = await publishedFolder();
  using _ = folder;
  await seedChanges(data, 300);
  const bytes = readFileSync(database);
  writeFileSync(database, bytes.fill(0xff, Math.floor(bytes.length / 2 / 4096) * 4096));
  const { code, err } = await refusedStart(data);
  expect([code, err]).toEqual([3, expect.stringContaining('damaged')]);
  expect(readFileSync(database)).toEqual(bytes);
});
