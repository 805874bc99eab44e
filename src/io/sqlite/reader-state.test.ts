import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { describeReaderState } from '../../dialects/agent-feed/read/reader-state.contract.ts';
import type { ReaderCommit } from '../../dialects/agent-feed/read/reader-state.ts';
import { LogUnavailableError } from '../../errors/log-error.ts';
import { ReaderLockedError } from '../../errors/reader-error.ts';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import { moveIntoMainFile, openDatabase, openRawDatabase, type SqliteDatabase } from './database.ts';
import { openSqliteFollowState } from './follow-state.ts';
import { createSqliteReaderState, openSqliteReaderState } from './reader-state.ts';

const FEED = 'https://api.example/.well-known/agent-feed.xml';

describeReaderState('sqlite', async () => openSqliteReaderState({ file: await stateFile() }));

describeReaderState('sqlite, in the database of another', async () => {
  const database = await openDatabase(await stateFile());
  onTestFinished(() => database.close());
  return createSqliteReaderState(database, 'hub.db', 'hub_reader');
});

clause(['AF-S8', 'AF-F2'], 'everything is there again after the file was closed', async () => {
  const file = await stateFile();
  {
    await using state = await openSqliteReaderState({ file });
    await state.commit(commit({ applied: 2 }, ['a', 'b']));
  }
  expect(await readdir(dirname(file))).not.toContain('state.db.lock');
  await using state = await openSqliteReaderState({ file });
  expect(await state.find(FEED)).toMatchObject({ isTrusted: true, applied: 2, lastSeen: 'b' });
  expect([...(await state.seenAmong(FEED, ['a', 'b', 'c'])).keys()]).toEqual(['a', 'b']);
  await state.commit(commit({ applied: 3 }, ['c']));
  expect((await state.factsOf(FEED, 0, 10)).map(({ seq, entryId }) => [seq, entryId])).toEqual([
    [1, 'a'],
    [2, 'b'],
    [3, 'c'],
  ]);
});

test('a commit that fails leaves nothing of itself', async () => {
  await using state = await openSqliteReaderState({ file: await stateFile() });
  await state.commit(commit({ applied: 1 }, ['a']));
  const good = commit({ applied: 2 }, ['b']);
  const endpoints = [{ endpointId: 'orders-api', version: '1.0', migrations: [] }];
  const bad = { ...good, memory: { ...good.memory, endpoints, told: { x: 1 } } };
  const broken = { ...bad, seen: [...bad.seen, { entryId: 'c' }] } as unknown as ReaderCommit;
  await expect(state.commit(broken)).rejects.toThrow();
  expect((await state.find(FEED))?.applied).toBe(1);
  expect((await state.seenAmong(FEED, ['b', 'c'])).size).toBe(0);
  expect(await state.factsOf(FEED, 1, 10)).toEqual([]);
  await state.commit(bad);
  expect(await state.find(FEED)).toEqual(bad.memory);
});

test('a second reader on the same file is refused until the first one ends', async () => {
  const file = await stateFile();
  const first = await openSqliteReaderState({ file });
  await expect(openSqliteReaderState({ file })).rejects.toThrow(ReaderLockedError);
  await first[Symbol.asyncDispose]();
  await first[Symbol.asyncDispose]();
  await using _second = await openSqliteReaderState({ file });
});

test('the tables in the database of another stay when its reader ends, and a second one finds them', async () => {
  const database = await openDatabase(await stateFile());
  onTestFinished(() => database.close());
  {
    await using state = createSqliteReaderState(database, 'hub.db', 'hub_reader');
    await state.commit(commit({ applied: 1 }, ['a']));
  }
  await using state = createSqliteReaderState(database, 'hub.db', 'hub_reader');
  expect((await state.find(FEED))?.applied).toBe(1);
});

test('a poll that changed no endpoint does not write them again', async () => {
  const database = await openDatabase(await stateFile());
  onTestFinished(() => database.close());
  await using state = createSqliteReaderState(database, 'hub.db', 'hub_reader');
  const endpoints = [{ endpointId: 'orders-api', version: '1.0', migrations: [] }];
  const { memory } = commit({ applied: 1 }, ['a']);
  await state.commit({ memory: { ...memory, endpoints }, seen: [], facts: [] });
  const found = await state.find(FEED);
  if (found === undefined) throw new Error('It was committed.');
  database.exec("UPDATE hub_reader_parts SET body = '[]' WHERE name = 'endpoints'");
  await state.commit({ memory: { ...found, poll: { lastMs: 1 } }, seen: [], facts: [] });
  expect(await state.find(FEED)).toMatchObject({ endpoints: [], poll: { lastMs: 1 } });
  await state.commit({ memory: { ...found, endpoints: [...found.endpoints] }, seen: [], facts: [] });
  expect(await state.find(FEED)).toMatchObject({ endpoints });
});

test.each([
  ['text', async (file: string) => writeFile(file, 'this is no database\n'.repeat(100))],
  ['a damaged database', async (file: string) => writeFile(file, `SQLite format 3\0${'x'.repeat(5000)}`)],
  ['the database of another program', async (file: string) => edit(file, (it) => it.exec('CREATE TABLE notes (a)'))],
  ['the state of a follower', async (file: string) => (await openSqliteFollowState({ file }))[Symbol.asyncDispose]()],
  [
    'a state of a later format',
    async (file: string) => {
      await (await openSqliteReaderState({ file }))[Symbol.asyncDispose]();
      await edit(file, (database) => database.exec('UPDATE reader_format SET version = 2'));
    },
  ],
])('%s is refused and stays as it is, byte for byte', async (_, make) => {
  const file = await stateFile();
  await make(file);
  const before = await readFile(file);
  await expect(openSqliteReaderState({ file })).rejects.toThrow(StateCorruptError);
  expect(await readFile(file)).toEqual(before);
  expect(await readdir(dirname(file))).not.toContain('state.db.lock');
});

test('an empty file becomes a state', async () => {
  const file = await stateFile();
  await writeFile(file, '');
  await using state = await openSqliteReaderState({ file });
  await state.commit(commit({ applied: 1 }, ['a']));
});

test('a record that somebody damaged is told with its file', async () => {
  const file = await stateFile();
  {
    await using state = await openSqliteReaderState({ file });
    await state.commit(commit({ applied: 1 }, ['a']));
  }
  await edit(file, (database) => database.exec("UPDATE reader_feeds SET body = '{'"));
  await using state = await openSqliteReaderState({ file });
  await expect(state.find(FEED)).rejects.toThrow(/state\.db: a stored record is not JSON/);
});

test('a folder that is not there is told', async () => {
  const file = join(dirname(await stateFile()), 'nowhere', 'state.db');
  await expect(openSqliteReaderState({ file })).rejects.toThrow(LogUnavailableError);
});

function commit(memory: { readonly applied: number }, ids: readonly string[]): ReaderCommit {
  const fact = {
    type: 'endpoint-announcement',
    endpointId: 'orders-api',
    endpoint: '/orders',
    protocol: 'rest',
    version: '1.0',
    assertedAt: '2026-01-01T00:00:00Z',
  } as const;
  return {
    memory: { feedUrl: FEED, isTrusted: true, lastSeen: ids.at(-1) ?? '', endpoints: [], poll: {}, ...memory },
    seen: ids.map((entryId) => ({ entryId, payloadHash: `hash ${entryId}`, signature: 's', publicKey: 'k' })),
    facts: ids.map((entryId) => ({ entryId, fact, signer: 'did:web:api.example#key-1', learnedMs: 1 })),
  };
}

async function edit(file: string, work: (database: SqliteDatabase) => void): Promise<void> {
  const database = await openRawDatabase(file);
  work(database);
  moveIntoMainFile(database);
  database.close();
}

async function stateFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-reader-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'state.db');
}
