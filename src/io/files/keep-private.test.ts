import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operate } from '../../../test/support/operator.ts';
import { seedChanges, serveFolder } from '../../../test/support/seeded-hub.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import { openSqliteFollowState } from '../sqlite/follow-state.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const ofPosix = process.platform !== 'win32';

test.runIf(ofPosix)(
  'whoever made the data folder, nobody else reads the database, the caches or a backup',
  async () => {
    using folder = temporaryFolder();
    const data = join(folder.path, 'data');
    mkdirSync(data);
    chmodSync(data, 0o755);
    await seedChanges(data, 1);
    // As an earlier Tidings left it.
    chmodSync(join(data, 'tidings.db'), 0o644);
    await using _hub = await serveFolder(data);
    const backup = join(folder.path, 'backup.db');
    expect((await operate(['backup', backup, '--data', data])).code).toBe(0);
    const [database, caches] = [
      readdirSync(data).filter((name) => name.startsWith('tidings.db')),
      readdirSync(join(data, 'cache')),
    ];
    expect(database).toEqual(expect.arrayContaining(['tidings.db', 'tidings.db-shm', 'tidings.db-wal']));
    expect(caches.length).toBeGreaterThan(1);
    const files = [
      ...database.map((name) => join(data, name)),
      ...caches.map((name) => join(data, 'cache', name)),
      backup,
    ];
    expect(files.filter((file) => modeOf(file) !== '600')).toEqual([]);
    expect(modeOf(data)).toBe('700');
  },
);

test.runIf(ofPosix)('a folder that holds something else stays open; what is ours in it does not', async () => {
  using folder = temporaryFolder();
  chmodSync(folder.path, 0o755);
  writeFileSync(join(folder.path, 'index.html'), '');
  await seedChanges(folder.path, 1);
  expect([modeOf(folder.path), modeOf(join(folder.path, 'tidings.db'))]).toEqual(['755', '600']);
});

test.runIf(ofPosix)('the state of a follower is closed to others', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'follow.db');
  await using _state = await openSqliteFollowState({ file });
  expect([modeOf(file), modeOf(`${file}-wal`)]).toEqual(['600', '600']);
});
