import { expect, test } from 'vitest';
import { MemoryJournal } from '../../../test/support/memory-journal.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import type { PlacedWrite } from '../../hub/cluster/journal.ts';
import { all, draft, page, source } from '../../hub/store/hub-store-fixtures.contract.ts';
import type { Change } from '../../model/change.ts';
import { openSqliteHubStore, type SqliteHubStore } from '../sqlite/hub-store.ts';
import type { LogDatabase } from '../sqlite/log.ts';
import { LocalReplica, type StepApplier } from './local-replica.ts';
import { visitBody, visitSteps } from './visit-body.ts';
import { packBody } from './write-body.ts';

/** A store of somebody else: counts what it is told, in a table of its own. */
function countSteps({ database, log }: LogDatabase): StepApplier {
  database.exec('CREATE TABLE IF NOT EXISTS counts (name TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT');
  const put = database.prepare(
    'INSERT INTO counts VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET count = count + 1 RETURNING count',
  );
  return (step) => {
    let count = 0;
    // As stores write that know nothing of replicas.
    log.appendWith([], () => {
      count = (put.get(step as string) as { count: number }).count;
    });
    if (step === 'broken') throw new Error('It cannot be counted.');
    return count;
  };
}

async function openReplica(folder: string): Promise<{ store: SqliteHubStore; replica: LocalReplica }> {
  const store = await openSqliteHubStore({ folder, isReplica: true });
  const replica = new LocalReplica(store.tables);
  replica.addStore('counts', store.openTables(countSteps));
  if (replica.standing() === undefined) replica.begin('one');
  return { store, replica };
}

/** A visit that is several writes. */
async function longVisit(): Promise<readonly PlacedWrite[]> {
  const put = Array.from({ length: 500 }, (_, at) => page(String(at)));
  const drafts = put.map(({ record: { url } }) => ({ ...draft('a'), url }));
  const [parts = []] = visitSteps({ source: 'a', drafts, pages: { put, remove: [] } });
  const journal = new MemoryJournal();
  await journal.connect().append(
    await Promise.all(
      parts.map(async (part, at) => ({
        kind: 'visit',
        body: await packBody(visitBody(part, at < parts.length - 1)),
        drafts: part.drafts,
        ...(at > 0 && { isMore: true as const }),
      })),
    ),
  );
  return journal.writes;
}

test('a run that was cut off between its writes is not shown, goes on at the next one, and is whole then', async () => {
  using folder = temporaryFolder();
  const [first, ...rest] = await longVisit();
  if (first === undefined) throw new Error('There is no visit.');
  expect(rest.length).toBeGreaterThan(1);
  {
    const { store, replica } = await openReplica(folder.path);
    await replica.apply(first);
    expect(await all(store)).toEqual([]);
    await store[Symbol.asyncDispose]();
  }
  const { store, replica } = await openReplica(folder.path);
  expect(replica.standing()).toMatchObject({ epoch: 'one', rev: 1 });
  expect(await all(store)).toEqual([]);
  const heard: Change[][] = [];
  store.onChanges((changes) => heard.push([...changes]));
  for (const write of rest) await replica.apply(write);
  expect(await all(store)).toHaveLength(500);
  expect((await store.pagesOf('a')).pages.size).toBe(500);
  expect(heard).toHaveLength(1);
  await store[Symbol.asyncDispose]();
});

test('a store of somebody else writes in the step that stamps the place, or nothing of it is written', async () => {
  using folder = temporaryFolder();
  const { store, replica } = await openReplica(folder.path);
  const write = async (rev: number, kind: string, value: unknown): Promise<PlacedWrite> => {
    return { rev, kind, body: await packBody({ value }), changes: [], atMs: 1 };
  };
  const heard: unknown[] = [];
  replica.onStep('counts', ({ step }) => heard.push(step));
  expect(await replica.apply(await write(1, 'store:counts', { step: 'x', by: 'me' }))).toBe(1);
  expect(await replica.apply(await write(2, 'store:counts', { step: 'x', by: 'me' }))).toBe(2);
  await expect(replica.apply(await write(3, 'store:counts', { step: 'broken', by: 'me' }))).rejects.toThrow(
    'cannot be counted',
  );
  expect(replica.standing()?.rev).toBe(2);
  expect(await replica.apply(await write(3, 'store:counts', { step: 'x', by: 'me' }))).toBe(3);
  const counts = store.openTables(({ database }) => database.prepare('SELECT * FROM counts').all());
  expect(counts).toMatchObject([{ name: 'x', count: 3 }]);
  expect(heard).toEqual(['x', 'x', 'x']);
  await expect(replica.apply(await write(4, 'store:later', 1))).rejects.toMatchObject({
    name: 'UnknownWriteError',
    recovery: 'fix-config',
  });
  await replica.apply(await write(4, 'sources', [source('a')]));
  expect((await store.sources()).map(({ config }) => config.id)).toEqual(['a']);
  await store[Symbol.asyncDispose]();
});

test('changes that do not follow on the newest one are refused', async () => {
  using folder = temporaryFolder();
  const { store, replica } = await openReplica(folder.path);
  const [first, second] = await longVisit();
  if (first === undefined || second === undefined) throw new Error('There is no visit.');
  await expect(replica.apply(second)).rejects.toMatchObject({ name: 'StateCorruptError' });
  await replica.apply(first);
  await replica.apply(second);
  expect(replica.standing()?.rev).toBe(2);
  await store[Symbol.asyncDispose]();
});
