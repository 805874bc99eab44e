import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hasFolder, keepCopy } from './kept-copy.ts';
import { filesBelow } from './list-files.ts';

test('a copy holds the files that are named and no others, and what is the same is not written again', async () => {
  const root = mkdtempSync(join(tmpdir(), 'tidings-copy-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [from, to] = [join(root, 'from'), join(root, 'to')];
  mkdirSync(join(from, 'a'), { recursive: true });
  for (const file of ['a/one', 'two', 'unnamed']) writeFileSync(join(from, file), file);
  expect(hasFolder(to)).toBe(false);

  await keepCopy(from, to, ['a/one', 'two', 'missing']);
  expect(filesBelow(to).toSorted()).toEqual(['.gitignore', 'a/one', 'two']);
  expect(hasFolder(to)).toBe(true);
  const { ino } = statSync(join(to, 'two'));

  writeFileSync(join(from, 'two.5'), 'new');
  await keepCopy(from, to, ['two', 'two.5']);
  expect(filesBelow(to).toSorted()).toEqual(['.gitignore', 'two', 'two.5']);
  expect(statSync(join(to, 'two')).ino).toBe(ino);
});
