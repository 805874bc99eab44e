import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/site.ts';
import { workBetweenTurns } from '../../../test/support/work-between-turns.ts';
import type { FeedChange } from '../../dialects/feed-change.ts';
import type { Batch, ReadingEnd } from '../../dialects/reader.ts';
import { openSqliteHubStore } from '../../io/sqlite/hub-store.ts';
import type { Change } from '../../model/change.ts';
import { type BatchTarget, commitBatches } from './commit-batches.ts';

const ENTRY = 'https://docs.example/feed';

async function openStore() {
  const folder = temporaryFolder();
  const store = await openSqliteHubStore({ folder: folder.path });
  onTestFinished(async () => {
    await store[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });
  const told: (readonly Change[])[] = [];
  store.onChanges((changes) => told.push(changes));
  const database = store.openTables((opened) => opened.database);
  const rows = (table: string) =>
    (database.prepare(`SELECT count(*) AS rows FROM ${table}`).get() as { readonly rows: number }).rows;
  const target = (more: Partial<BatchTarget> = {}): BatchTarget => ({
    id: 'docs',
    dialect: 'd',
    state: store.followStateOf('docs'),
    accepts: () => true,
    hadEvents: false,
    now: Date.now,
    note: () => {},
    onCommit: () => {},
    ...more,
  });
  return { store, told, database, rows, target };
}

function changeOf(at: number, summary = ''): FeedChange {
  return { id: `e${at}`, action: 'update', url: `https://docs.example/${at}`, summary, provenance: { by: 'd' } };
}

async function* oneBatch(batch: Partial<Batch>): AsyncGenerator<Batch, ReadingEnd> {
  yield { entry: ENTRY, id: 'docs', changes: [], memory: 'behind all', ...batch };
  return {};
}

const MANY = Array.from({ length: 1000 }, (_, at) => changeOf(at));
const ITEMS = Array.from({ length: 1200 }, (_, at) => ({ key: `k${at}`, page: ENTRY, version: '1', isRemoved: false }));

/** How many rows there are at each turn of the event loop until it is done. */
async function rowsByTurn(done: Promise<unknown>, rows: (table: string) => number) {
  const steps: { readonly changes: number; readonly items: number }[] = [];
  let isDone = false;
  const ended = done.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    steps.push({ changes: rows('changes'), items: rows('hub_follow_items') });
  }
  await ended;
  return steps;
}

function growth(counts: readonly number[]): number[] {
  return counts.map((count, at) => count - (counts[at - 1] ?? 0));
}

test('a long batch is one run, and no more than 200 changes are written before others have their turn', async () => {
  const { store, told, rows, target } = await openStore();
  const steps = await rowsByTurn(commitBatches(oneBatch({ changes: MANY, items: ITEMS }), target()), rows);
  expect(Math.max(...growth(steps.map(({ changes }) => changes)))).toBe(200);
  expect(Math.max(...growth(steps.map(({ items }) => items)))).toBe(500);
  expect(told.map(({ length }) => length)).toEqual([1000]);
  expect(new Set(told[0]?.map(({ time }) => time)).size).toBe(1);
  expect((await store.followStateOf('docs').itemsAmong('docs', ['k0', 'k1199'])).size).toBe(2);
  expect(await store.followStateOf('docs').find(ENTRY)).toMatchObject({ memory: 'behind all' });
});

test('words are judged some at a time', async () => {
  const { target } = await openStore();
  const most = await workBetweenTurns((count) => {
    const note = () => count();
    const round = MANY.map((change) => ({ ...change, provenance: { by: 'd', via: 'abcdefghijklmnop' } }));
    return commitBatches(oneBatch({ changes: round }), target({ hubId: 'abcdefghijklmnop', note }));
  });
  expect(most).toBe(200);
});

test('a batch of few large changes is cut by their length', async () => {
  const { told, target, rows } = await openStore();
  const large = Array.from({ length: 12 }, (_, at) => changeOf(at, 'x'.repeat(100_000)));
  const steps = await rowsByTurn(commitBatches(oneBatch({ changes: large }), target()), rows);
  expect(Math.max(...growth(steps.map(({ changes }) => changes)))).toBe(3);
  expect(told.map(({ length }) => length)).toEqual([12]);
});

test('what is told before the disk is full is not told again, and the rest is', async () => {
  const { told, database, target, store } = await openStore();
  const { page_count: pages } = database.prepare('PRAGMA page_count').get() as { readonly page_count: number };
  database.exec(`PRAGMA max_page_count = ${pages + 60}`);
  await expect(commitBatches(oneBatch({ changes: MANY }), target())).rejects.toMatchObject({ name: 'LogFullError' });
  const first = told.flat().length;
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(MANY.length);
  expect(await store.followStateOf('docs').find(ENTRY)).toBeUndefined();
  database.exec('PRAGMA max_page_count = 100000');
  await commitBatches(oneBatch({ changes: MANY }), target());
  expect(told.flat().map(({ url }) => url)).toEqual(MANY.map(({ url }) => url));
});

test('an event that stands twice in a long batch is told once', async () => {
  const { told, target } = await openStore();
  const twice = [...MANY.slice(0, 300), changeOf(0)];
  await commitBatches(oneBatch({ changes: twice }), target());
  expect(told.flat()).toHaveLength(300);
});
