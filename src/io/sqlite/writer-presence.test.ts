import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/site.ts';
import { lockFolder } from './writer-lock.ts';
import { hasWriter } from './writer-presence.ts';

test('a writer is seen while it holds the folder, and keeps its place', async () => {
  using folder = temporaryFolder();
  expect(await hasWriter(folder.path)).toBe(false);
  expect(readdirSync(folder.path)).toEqual([]);
  const lock = await lockFolder(folder.path, 'test');
  expect([await hasWriter(folder.path), await hasWriter(folder.path)]).toEqual([true, true]);
  await expect(lockFolder(folder.path, 'test')).rejects.toMatchObject({ name: 'LogLockedError' });
  await lock.release();
  expect(await hasWriter(folder.path)).toBe(false);
});

test('a file that a killed writer left behind holds nothing', async () => {
  using folder = temporaryFolder();
  folder.write({ '.lock': '' });
  expect(await hasWriter(folder.path)).toBe(false);
  await (await lockFolder(folder.path, 'test')).release();
});
