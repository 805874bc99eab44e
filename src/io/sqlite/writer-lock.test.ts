import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lockFolder } from './writer-lock.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-lock-'));
afterAll(() => rm(root, { recursive: true }));
const newFolder = () => mkdtemp(join(root, 'folder-'));

test('the second one is turned away with the name of the folder, until the first one releases', async () => {
  const folder = await newFolder();
  const first = await lockFolder(folder, 'publish');
  await expect(lockFolder(folder, 'publish')).rejects.toMatchObject({
    name: 'LogLockedError',
    recovery: 'retry-later',
    folder,
    message: expect.stringContaining(`Cannot publish: ${folder} is in use`),
  });
  await first.release();
  await (await lockFolder(folder, 'publish')).release();
});

test('the lock is one empty file, which goes with it', async () => {
  const folder = await newFolder();
  const lock = await lockFolder(folder, 'publish');
  expect(await readdir(folder)).toEqual(['.lock']);
  expect((await stat(join(folder, '.lock'))).size).toBe(0);
  await lock.release();
  await lock.release();
  expect(await readdir(folder)).toEqual([]);
});

test('a second release does not free the lock of the next holder', async () => {
  const folder = await newFolder();
  const first = await lockFolder(folder, 'publish');
  await first.release();
  const second = await lockFolder(folder, 'publish');
  await first.release();
  await expect(lockFolder(folder, 'publish')).rejects.toMatchObject({ name: 'LogLockedError' });
  await second.release();
});

test('a file left behind locks nothing', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, '.lock'), '');
  await (await lockFolder(folder, 'publish')).release();
});

test('other folders are not concerned', async () => {
  const locks = [await lockFolder(await newFolder(), 'publish'), await lockFolder(await newFolder(), 'publish')];
  for (const lock of locks) await lock.release();
});

test('of many that start and leave at once, never two hold it', async () => {
  const folder = await newFolder();
  let holders = 0;
  let turns = 0;
  const contend = async () => {
    for (let round = 0; round < 20; round += 1) {
      const lock = await lockFolder(folder, 'publish').catch(() => undefined);
      if (lock === undefined) continue;
      holders += 1;
      turns += 1;
      expect(holders).toBe(1);
      await stat(folder);
      expect(holders).toBe(1);
      holders -= 1;
      await lock.release();
    }
  };
  await Promise.all(Array.from({ length: 5 }, contend));
  expect(turns).toBeGreaterThan(20);
});

test('a folder that does not exist is named', async () => {
  const folder = join(await newFolder(), 'gone');
  await expect(lockFolder(folder, 'publish')).rejects.toMatchObject({ name: 'LogUnavailableError' });
});
