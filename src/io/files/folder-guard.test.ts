import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/site.ts';
import { FolderGuard } from './folder-guard.ts';

test('what is deleted or replaced is named; what is moved back is the same again', () => {
  using folder = temporaryFolder();
  const [data, aside] = [join(folder.path, 'data'), join(folder.path, 'aside')];
  const file = join(data, 'tidings.db');
  mkdirSync(data);
  writeFileSync(file, 'one');
  const guard = new FolderGuard([data, file]);
  writeFileSync(file, 'more');
  expect(guard.lost).toBeUndefined();
  renameSync(data, aside);
  expect(guard.lost).toBe(`${data} was deleted or moved`);
  mkdirSync(data);
  writeFileSync(file, 'one');
  expect(guard.lost).toBe(`${data} is another one`);
  rmSync(data, { recursive: true });
  renameSync(aside, data);
  expect(guard.lost).toBeUndefined();
  rmSync(file);
  expect(guard.lost).toBe(`${file} was deleted or moved`);
});
