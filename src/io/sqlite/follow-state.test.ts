import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LogUnavailableError } from '../../errors/log-error.ts';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import { describeFollowState } from '../../follow/follow-state.contract.ts';
import type { StateCommit } from '../../follow/follow-state.ts';
import type { Change } from '../../model/change.ts';
import { moveIntoMainFile, openRawDatabase } from './database.ts';
import { openSqliteFollowState } from './follow-state.ts';
import { openSqliteLogFile } from './log.ts';

const DRAFT = {
  source: 's',
  action: 'update',
  url: 'https://docs.example/p',
  provenance: { by: 'aicf', originId: '7' },
} as const;

describeFollowState('sqlite', async () => openSqliteFollowState({ file: await stateFile() }));

test('everything is there again after the file was closed', async () => {
  const file = await stateFile();
  {
    await using state = await openSqliteFollowState({ file });
    await state.commit(commit({ seenIds: ['7'], changes: [DRAFT] }));
  }
  await using state = await openSqliteFollowState({ file });
  expect(await state.find('e')).toEqual({ source: 's', entry: 'e', dialect: 'd', memory: '7' });
  expect(await state.seenAmong('s', ['7', '8'])).toEqual(new Set(['7']));
});

test('what was handed on can be read as a log, also beside the follower and over restarts', async () => {
  const file = await stateFile();
  {
    await using state = await openSqliteFollowState({ file });
    await state.commit(commit({ changes: [DRAFT, DRAFT] }));
  }
  await using state = await openSqliteFollowState({ file });
  await state.commit(commit({ changes: [DRAFT] }));
  const changes = await logOf(file);
  expect(changes.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(changes.map(({ id }) => id)).toEqual(changes.map(({ id }) => id).toSorted());
  expect(changes[0]).toMatchObject({ source: 's', url: DRAFT.url, provenance: { by: 'aicf', originId: '7' } });
});

test('a commit that fails leaves neither position nor log', async () => {
  const file = await stateFile();
  await using state = await openSqliteFollowState({ file });
  await state.commit(commit({ changes: [DRAFT] }));
  const bad = commit({
    state: { source: 's', entry: 'e', dialect: 'd', memory: '8' },
    changes: [DRAFT, { ...DRAFT, url: 'nowhere' }],
  });
  await expect(state.commit(bad)).rejects.toThrow(expect.objectContaining({ name: 'InvalidChangeError' }));
  const cyclic = commit({ state: { source: 's', entry: 'e', dialect: 'd', memory: '9' }, changes: [DRAFT] });
  const broken = {
    ...cyclic,
    pending: [{ event: { id: undefined }, tries: 1, reason: 'r' }],
  } as unknown as StateCommit;
  await expect(state.commit(broken)).rejects.toThrow();
  expect((await state.find('e'))?.memory).toBe('7');
  expect(await logOf(file)).toHaveLength(1);
});

test('a second follower on the same file is refused until the first one ends', async () => {
  const file = await stateFile();
  const first = await openSqliteFollowState({ file });
  await expect(openSqliteFollowState({ file })).rejects.toThrow(expect.objectContaining({ name: 'FollowLockedError' }));
  await first[Symbol.asyncDispose]();
  await using _second = await openSqliteFollowState({ file });
});

test.each([
  ['text', async (file: string) => writeFile(file, 'this is no database\n'.repeat(100))],
  ['a damaged database', async (file: string) => writeFile(file, `SQLite format 3\0${'x'.repeat(5000)}`)],
  [
    'a log of another kind',
    async (file: string) => runSql(file, 'CREATE TABLE changes (seq); PRAGMA user_version = 1'),
  ],
  ['a database of others', async (file: string) => runSql(file, 'CREATE TABLE notes (text)')],
  ['a state of a later format', async (file: string) => makeLater(file, 'UPDATE follow_format SET version = 3')],
  ['a state whose log is of a later format', async (file: string) => makeLater(file, 'PRAGMA user_version = 9')],
])('%s is refused and stays as it is', async (_, make) => {
  const file = await stateFile();
  await make(file);
  const before = await readFile(file);
  await expect(openSqliteFollowState({ file })).rejects.toThrow(StateCorruptError);
  expect((await readFile(file)).equals(before)).toBe(true);
  await expect(openSqliteFollowState({ file }), 'the lock was released').rejects.toThrow(StateCorruptError);
});

test('a file that cannot be made is named', async () => {
  const file = join(await stateFile(), 'below', 'nothing.db');
  await expect(openSqliteFollowState({ file })).rejects.toThrow(LogUnavailableError);
});

test('a file of a release that knew no items is opened and has room for them', async () => {
  const file = await stateFile();
  {
    await using state = await openSqliteFollowState({ file });
    await state.commit(commit({ seenIds: ['a'] }));
  }
  const database = await openRawDatabase(file, {});
  database.exec('DROP TABLE follow_items; DROP TABLE follow_live_items');
  database.close();
  await using state = await openSqliteFollowState({ file });
  const item = { key: 'k', page: 'https://d/p', version: '1', isRemoved: false };
  await state.commit(commit({ items: [item] }));
  expect(await state.itemsAmong('s', ['k'])).toEqual(new Map([['k', item]]));
  expect(await state.seenAmong('s', ['a'])).toEqual(new Set(['a']));
});

function commit(part: Partial<StateCommit>): StateCommit {
  const state = { source: 's', entry: 'e', dialect: 'd', memory: '7' };
  return { state, seenIds: [], checksums: [], items: [], pending: [], settledIds: [], changes: [], ...part };
}

async function stateFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-follow-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'state.db');
}

async function logOf(file: string): Promise<Change[]> {
  await using log = await openSqliteLogFile(file);
  const changes: Change[] = [];
  for await (const change of log.read()) changes.push(change);
  return changes;
}

async function runSql(file: string, sql: string): Promise<void> {
  const database = await openRawDatabase(file);
  database.exec(sql);
  // Else the write-ahead log moves into the main file when the garbage collector comes by.
  moveIntoMainFile(database);
  database.close();
}

async function makeLater(file: string, sql: string): Promise<void> {
  await (await openSqliteFollowState({ file }))[Symbol.asyncDispose]();
  await runSql(file, sql);
}
