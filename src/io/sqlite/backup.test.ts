import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { Change, ChangeDraft } from '../../model/change.ts';
import { backUpDatabase } from './backup.ts';
import { openSqliteHubStore } from './hub-store.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-backup-'));
afterAll(() => rm(root, { recursive: true }));
const newFolder = () => mkdtemp(join(root, 'data-'));

const DRAFT: ChangeDraft = { source: 'docs', action: 'update', url: 'https://docs.example/' };

test('a copy beside the running hub is a data folder of its own, as it was at that moment', async () => {
  const [folder, copied] = [await newFolder(), await newFolder()];
  await using store = await openSqliteHubStore({ folder });
  const changes = await store.commit({
    source: 'docs',
    drafts: [DRAFT, DRAFT],
    snapshots: new Map([['sha256:1', 'x']]),
  });
  await store.putFact('token', 'hash');
  await backUpDatabase(folder, join(copied, 'tidings.db'));
  await store.commit({ source: 'docs', drafts: [DRAFT] });
  expect(await readdir(copied)).toEqual(['tidings.db']);
  await using copy = await openSqliteHubStore({ folder: copied });
  expect(await changesOf(copied)).toEqual(changes);
  expect(await copy.snapshot('sha256:1')).toBe('x');
  expect(await copy.fact('token')).toBe('hash');
  expect(await copy.commit({ source: 'docs', drafts: [DRAFT] })).toMatchObject([{ seq: 3 }]);
});

test('copies made while another process writes hold whole commits, each more than the one before', async () => {
  const folder = await newFolder();
  {
    await using store = await openSqliteHubStore({ folder });
    await store.commit({ source: 'docs', drafts: [DRAFT, DRAFT] });
  }
  const committed = await startWriter(folder);
  let before = 0;
  for (let round = 0; round < 3; round += 1) {
    await committed();
    const copied = await newFolder();
    await backUpDatabase(folder, join(copied, 'tidings.db'));
    const seqs = (await changesOf(copied)).map(({ seq }) => seq);
    expect(seqs.length).toBeGreaterThan(before);
    expect(seqs.length % 2).toBe(0);
    expect(seqs).toEqual(Array.from(seqs, (_, index) => index + 1));
    before = seqs.length;
  }
});

test('a file that is there is not replaced, and what a killed run left behind is no hindrance', async () => {
  const folder = await newFolder();
  await (await openSqliteHubStore({ folder }))[Symbol.asyncDispose]();
  const target = join(await newFolder(), 'copy.db');
  await writeFile(target, 'precious');
  await expect(backUpDatabase(folder, target)).rejects.toMatchObject({ name: 'FolderError', path: target });
  expect(await readFile(target, 'utf8')).toBe('precious');
  await rm(target);
  await writeFile(`${target}.tidings-tmp`, 'half a copy');
  await backUpDatabase(folder, target);
  expect(await readdir(join(target, '..'))).toEqual(['copy.db']);
});

test('a folder without a log, one of something else, and a target that cannot be written are named', async () => {
  const [empty, foreign, folder] = [await newFolder(), await newFolder(), await newFolder()];
  const target = join(await newFolder(), 'copy.db');
  const missing = { name: 'LogMissingError', file: join(empty, 'tidings.db') };
  await expect(backUpDatabase(empty, target)).rejects.toMatchObject(missing);
  await writeFile(join(foreign, 'tidings.db'), 'no database '.repeat(100));
  const corrupt = { name: 'StateCorruptError', file: join(foreign, 'tidings.db') };
  await expect(backUpDatabase(foreign, target)).rejects.toMatchObject(corrupt);
  await (await openSqliteHubStore({ folder }))[Symbol.asyncDispose]();
  const below = join(target, 'below', 'copy.db');
  await expect(backUpDatabase(folder, below)).rejects.toMatchObject({ name: 'LogUnavailableError', file: below });
  expect(await readdir(join(target, '..'))).toEqual([]);
});

test('a damaged database gives no copy', async () => {
  const [folder, elsewhere] = [await newFolder(), await newFolder()];
  {
    await using store = await openSqliteHubStore({ folder });
    await store.commit({ source: 'docs', drafts: Array.from({ length: 1000 }, () => DRAFT) });
  }
  const file = join(folder, 'tidings.db');
  const bytes = await readFile(file);
  // The first page, which says what tables there are, stays.
  await writeFile(file, bytes.fill(0xff, 4096));
  await expect(backUpDatabase(folder, join(elsewhere, 'copy.db'))).rejects.toMatchObject({
    name: 'StateCorruptError',
    file,
  });
  expect(await readdir(elsewhere)).toEqual([]);
});

/** Another process that appends two changes at a time without pause. Resolves to a wait for its next commits. */
async function startWriter(folder: string): Promise<() => Promise<void>> {
  const script = `
    import { DatabaseSync } from '@photostructure/sqlite';
    const database = new DatabaseSync(${JSON.stringify(join(folder, 'tidings.db'))});
    database.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    const insert = database.prepare('INSERT INTO changes SELECT max(seq) + 1, id, body FROM changes');
    const round = () => {
      database.exec('BEGIN IMMEDIATE'); insert.run(); insert.run(); database.exec('COMMIT');
      process.stdout.write('.\\n', () => setImmediate(round));
    };
    round();
  `;
  const writer = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(writer, 'exit');
  onTestFinished(async () => {
    writer.kill('SIGKILL');
    await exited;
  });
  const lines = createInterface(writer.stdout);
  return async () => {
    await once(lines, 'line');
  };
}

async function changesOf(folder: string): Promise<Change[]> {
  await using reader = await openSqliteHubStore({ folder, readonly: true });
  const changes: Change[] = [];
  for await (const change of reader.changes({})) changes.push(change);
  return changes;
}
