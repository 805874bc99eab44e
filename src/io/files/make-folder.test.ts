import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/site.ts';
import { makeFolder } from './make-folder.ts';

test('a folder is made with those above it, for this user alone, and may be there already', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a/b/../c/');
  makeFolder(path);
  makeFolder(path);
  for (const made of ['a', 'a/c']) {
    const { mode } = statSync(join(folder.path, made));
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o700);
  }
});

test('a link to a folder is one', () => {
  using folder = temporaryFolder();
  symlinkSync(folder.path, join(folder.path, 'link'));
  makeFolder(join(folder.path, 'link/deep'));
  expect(statSync(join(folder.path, 'deep')).isDirectory()).toBe(true);
});

test('where no folder can be made there is an error, not a wait without end', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'file');
  writeFileSync(file, '');
  symlinkSync('nowhere', join(folder.path, 'dangling'));
  symlinkSync('circle', join(folder.path, 'circle'));
  for (const path of [file, join(file, 'below'), join(folder.path, 'dangling'), join(folder.path, 'circle/below')]) {
    expect(() => makeFolder(path), path).toThrow();
  }
  for (const path of ['/proc/nope', '/proc/nope/deep/er']) expect(() => makeFolder(path), path).toThrow();
});
