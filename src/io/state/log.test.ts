import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeLog } from '../../log/log.contract.ts';
import type { Log } from '../../log/log.ts';
import type { Change, ChangeDraft } from '../../model/change.ts';
import { lockFolder } from '../sqlite/writer-lock.ts';
import { openFileLog } from './log.ts';

const SITE = 'https://docs.example/';
const root = await mkdtemp(join(tmpdir(), 'tidings-file-log-'));
afterAll(() => rm(root, { recursive: true }));

describeLog('a log in a file', async () => {
  const file = join(await mkdtemp(join(root, 'log-')), 'log.ndjson');
  return { open: (world) => openFileLog({ file, site: SITE, ...world }) };
});

const DRAFT: ChangeDraft = { source: 'docs', action: 'update', url: SITE };
const newFile = async () => join(await mkdtemp(join(root, 'log-')), 'log.ndjson');

async function all(log: Log): Promise<Change[]> {
  const changes: Change[] = [];
  for await (const change of log.read()) changes.push(change);
  return changes;
}

test('every earlier version of the file is a byte prefix of every later one', async () => {
  const file = await newFile();
  const log = await openFileLog({ file, site: SITE });
  let before = '';
  for (let size = 1; size < 5; size += 1) {
    await log.append(Array.from({ length: size }, () => DRAFT));
    const after = await readFile(file, 'utf8');
    expect(after.startsWith(before)).toBe(true);
    expect(after.split('\n')).toHaveLength(before === '' ? size + 2 : before.split('\n').length + size);
    before = after;
  }
  expect(before.split('\n', 1)).toEqual([`{"tidings":"log/1","site":"${SITE}"}`]);
  await log.close();
});

test('nothing but the log stays in its folder, also of an append that was killed', async () => {
  const file = await newFile();
  await writeFile(join(file, '..', '.log.ndjson.next'), 'half a li');
  const log = await openFileLog({ file, site: SITE });
  const changes = await log.append([DRAFT]);
  await log.close();
  expect(await readdir(join(file, '..'))).toEqual(['log.ndjson']);
  expect(await all(await openFileLog({ file, site: SITE, readonly: true }))).toEqual(changes);
});

test('opening writes nothing', async () => {
  const file = await newFile();
  const log = await openFileLog({ file, site: SITE });
  await log.append([]);
  await log.close();
  expect(await readdir(join(file, '..'))).toEqual([]);
});

test('a reader sees each batch once it is stored, and needs a log', async () => {
  const file = await newFile();
  await expect(openFileLog({ file, site: SITE, readonly: true })).rejects.toMatchObject({ name: 'LogMissingError' });
  const writer = await openFileLog({ file, site: SITE });
  const first = await writer.append([DRAFT]);
  const reader = await openFileLog({ file, site: SITE, readonly: true });
  expect(await all(reader)).toEqual(first);
  const second = await writer.append([DRAFT, DRAFT]);
  expect(await all(reader)).toEqual([...first, ...second]);
  expect(await reader.last()).toEqual(second[1]);
  await expect(reader.append([DRAFT])).rejects.toThrow('reading only');
  await reader.close();
  await writer.close();
});

test('the log of another site is refused', async () => {
  const file = await newFile();
  const log = await openFileLog({ file, site: SITE });
  await log.append([DRAFT]);
  await log.close();
  await expect(openFileLog({ file, site: 'https://other.example/' })).rejects.toMatchObject({
    name: 'StateContradictionError',
    recovery: 'fix-input',
  });
});

test('a damaged file is refused with its line, is not touched, and leaves the folder free', async () => {
  const file = await newFile();
  const log = await openFileLog({ file, site: SITE });
  await log.append([DRAFT, DRAFT]);
  await log.close();
  const damaged = (await readFile(file, 'utf8')).replace('"seq":2', '"seq":7');
  await writeFile(file, damaged);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await expect(openFileLog({ file, site: SITE })).rejects.toMatchObject({ name: 'StateCorruptError', file, line: 3 });
  }
  expect(await readFile(file, 'utf8')).toBe(damaged);
});

test('the lock of the caller serves, and stays with the caller', async () => {
  const file = await newFile();
  const folder = join(file, '..');
  const lock = await lockFolder(folder, 'publish');
  const log = await openFileLog({ file, site: SITE, lock });
  await log.append([DRAFT]);
  await log.close();
  await expect(openFileLog({ file, site: SITE })).rejects.toMatchObject({ name: 'LogLockedError' });
  await lock.release();
});

test.skipIf(process.getuid?.() === 0)('a file that cannot be read is named', async () => {
  const file = await newFile();
  await writeFile(file, '');
  await chmod(file, 0o000);
  await expect(openFileLog({ file, site: SITE })).rejects.toMatchObject({ name: 'LogUnavailableError', file });
});
