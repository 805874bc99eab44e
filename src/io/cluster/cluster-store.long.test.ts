import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { MemoryJournal } from '../../../test/support/memory-journal.ts';
import { describeReaderState } from '../../dialects/agent-feed/read/reader-state.contract.ts';
import { openClusterStore } from '../../doors/open-cluster.ts';
import { LogUnavailableError } from '../../errors/log-error.ts';
import { describeApiKeyStore } from '../../hub/keys/api-key-store.contract.ts';
import { describeWebhookStore } from '../../hub/push/webhooks/webhook-store.contract.ts';
import { describeHubStore } from '../../hub/store/hub-store.contract.ts';
import { all, check, draft, fill, page, source } from '../../hub/store/hub-store-fixtures.contract.ts';
import { openSqliteHubStore } from '../sqlite/hub-store.ts';
import { openSqliteSessions } from '../sqlite/sessions.ts';
import { openSqliteWebhooks } from '../sqlite/webhooks.ts';
import type { ClusterHubStore } from './cluster-store.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-cluster-store-'));
afterAll(() => rm(root, { recursive: true }));
const newFolder = () => mkdtemp(join(root, 'replica-'));

async function open(journal: MemoryJournal, folder?: string): Promise<ClusterHubStore> {
  const store = await openClusterStore({ journal: journal.connect(), folder: folder ?? (await newFolder()) });
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store;
}

describeHubStore('a replica of a journal', async () => {
  const folder = await newFolder();
  const journal = new MemoryJournal();
  return {
    open: (world) => {
      journal.now = world?.now ?? Date.now;
      return openClusterStore({ journal: journal.connect(), folder });
    },
  };
});

describeReaderState('in a replica of a journal', async () => (await open(new MemoryJournal())).readerState);
describeApiKeyStore('in a replica of a journal', async () => (await open(new MemoryJournal())).keys);

describeWebhookStore('in a replica of a journal', async () => {
  const [journal, folder] = [new MemoryJournal(), await newFolder()];
  return {
    async use(work) {
      await using store = await openClusterStore({ journal: journal.connect(), folder });
      return await work(store.openTables(openSqliteWebhooks));
    },
    async [Symbol.asyncDispose]() {},
  };
});

test('what one process writes is in the replicas of all, and each hears of all changes once, in order', async () => {
  const journal = new MemoryJournal();
  const [one, other] = [await open(journal), await open(journal)];
  const heard: number[][] = [[], []];
  for (const [at, store] of [one, other].entries()) {
    store.onChanges((changes) => heard[at]?.push(...changes.map(({ seq }) => seq)));
  }
  await Promise.all([fill(one, 'a'), fill(other, 'b'), one.putFact('name', 'x')]);
  await Promise.all(
    [1, 2, 3].flatMap(() => [one, other].map((store) => store.commit({ source: 'a', drafts: [draft('a')] }))),
  );
  await Promise.all([one.replica.current(), other.replica.current()]);
  expect(heard[0]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(heard[1]).toEqual(heard[0]);
  expect(await all(other)).toEqual(await all(one));
  expect(await other.sources()).toEqual(await one.sources());
  expect(await other.pagesOf('b')).toEqual(await one.pagesOf('b'));
  expect(await other.checksOf('a', 9)).toEqual(await one.checksOf('a', 9));
  expect(await other.fact('name')).toBe('x');
});

test('of two processes that claim one session, one has the key and the other is told so', async () => {
  const journal = new MemoryJournal();
  const [one, other] = [await open(journal), await open(journal)];
  const claim = (store: ClusterHubStore, hash: string) =>
    store.keys.addApiKey({ hash, prefix: 'dd_live_x', tier: 'pro', createdMs: 1, session: 'cs_1' });
  expect((await Promise.all([claim(one, 'a'), claim(other, 'b')])).toSorted()).toEqual(['done', 'too-late']);
  await Promise.all([one.replica.current(), other.replica.current()]);
  expect(await other.keys.apiKeys()).toEqual(await one.keys.apiKeys());
});

test('who has lost its lease writes nothing more, and a check under one ends it', async () => {
  const journal = new MemoryJournal();
  const store = await open(journal);
  await store.putSources([source('a'), { ...source('b'), paused: 'later' }]);
  expect(journal.seen.at(-1)?.plan).toMatchObject([
    { id: 'a', host: 'long:a.example', dueAtMs: source('a').health.dueAtMs },
    { id: 'b', dueAtMs: undefined },
  ]);
  const visit = store.under({ task: 'source:a', token: 1 });
  await visit.commit({ source: 'a', drafts: [draft('a')] });
  await visit.recordChecks([check('a', 7), check('gone', 8)]);
  expect(journal.seen.at(-1)).toMatchObject({
    fence: { task: 'source:a', token: 1 },
    plan: [{ id: 'a', dueAtMs: check('a', 7).health.dueAtMs, releases: true }],
  });
  journal.tokens.set('source:a', 2);
  const late = visit.commit({ source: 'a', drafts: [draft('a')], pages: { put: [page('1')], remove: [] } });
  await expect(late).rejects.toMatchObject({ name: 'WriteRefusedError', refused: 'fenced' });
  await expect(visit.readerState.commit({} as never)).rejects.toThrow();
  expect(await all(store)).toHaveLength(1);
  expect((await store.pagesOf('a')).pages.size).toBe(0);
  await store.removeSource('a');
  expect(journal.seen.at(-1)?.forget).toEqual(['a']);
});

test('an edit names the place up to which it knows the sources, and ends the visit that runs', async () => {
  const journal = new MemoryJournal();
  const store = await open(journal);
  await store.putSources([source('a')], { expectedRev: store.replica.rev, overrules: true });
  expect(journal.seen.at(-1)?.plan).toMatchObject([{ id: 'a', expectedRev: 0, overrules: true }]);
});

test('a data folder is a replica or a hub of its own, and is not taken for the other', async () => {
  const [replica, own] = [await newFolder(), await newFolder()];
  await (await openClusterStore({ journal: new MemoryJournal().connect(), folder: replica }))[Symbol.asyncDispose]();
  await expect(openSqliteHubStore({ folder: replica })).rejects.toThrow(/replica of a hub .* --database/);
  await (await openSqliteHubStore({ folder: replica, readonly: true }))[Symbol.asyncDispose]();
  {
    await using store = await openSqliteHubStore({ folder: own });
    await store.commit({ source: 'a', drafts: [draft('a')] });
  }
  const opening = openClusterStore({ journal: new MemoryJournal().connect(), folder: own });
  await expect(opening).rejects.toThrow(/hub of its own.*tidings migrate/);
});

test('what a store writes in steps is written and heard in every process', async () => {
  const journal = new MemoryJournal();
  const [one, other] = [await open(journal), await open(journal)];
  const [sessions, sessionsThere] = [one.openTables(openSqliteSessions), other.openTables(openSqliteSessions)];
  const heard: unknown[] = [];
  sessions.onWritten((_, isOwn) => heard.push(isOwn));
  sessionsThere.onWritten((step, isOwn) => heard.push(step, isOwn));
  const session = { hash: 'h', seenMs: 5, csrf: 'c', createdMs: 4 } as never;
  await sessions.write({ begun: [session] });
  await other.replica.current();
  expect(sessionsThere.load()).toEqual([session]);
  expect(sessionsThere.load()).toEqual(sessions.load());
  expect(heard).toEqual([true, { begun: [session] }, false]);
});

test('who follows the sources hears of each that is put, checked or removed, by whomever', async () => {
  const journal = new MemoryJournal();
  const [one, other] = [await open(journal), await open(journal)];
  const heard: string[][] = [];
  other.onSources((ids) => heard.push([...ids]));
  await one.putSources([source('a'), source('b')]);
  await one.recordChecks([check('b', 1)]);
  await one.removeSource('a');
  await one.putFact('x', 'y');
  await other.replica.current();
  expect(heard).toEqual([['a', 'b'], ['b'], ['a']]);
  expect(other.findSource('a')).toBeUndefined();
  expect(other.findSource('b')?.health).toEqual(check('b', 1).health);
});

test('every process applies the steps of every store', () => {
  const files = readdirSync('src/io/sqlite').filter((name) => !name.endsWith('.test.ts') && name !== 'steps.ts');
  const stores = files.filter((name) => readFileSync(join('src/io/sqlite', name), 'utf8').includes('openSteps'));
  expect(stores.length).toBeGreaterThan(3);
  const door = readFileSync('src/doors/open-cluster.ts', 'utf8');
  expect(stores.filter((name) => !door.includes(`io/sqlite/${name}'`))).toEqual([]);
});

test('a change that another server has told of already is waited for, and one of another hub is not there', async () => {
  const journal = new MemoryJournal();
  const [one, other] = [await open(journal), await open(journal)];
  const changes = await one.commit({ source: 'a', drafts: [draft('a')] });
  const id = changes[0]?.id ?? '';
  expect(await other.changeById(id)).toEqual(changes[0]);
  expect(await other.changeById('7ZZZZZZZZZZZZZZZZZZZZZZZZZ')).toBeUndefined();
});

test('whether a newer change is of this hub is not said while the database is away', async () => {
  const journal = new MemoryJournal();
  const store = await open(journal);
  const changes = await store.commit({ source: 'a', drafts: [draft('a')] });
  journal.trouble = new LogUnavailableError('the database', new Error('is away'));
  await expect(store.changeById('7ZZZZZZZZZZZZZZZZZZZZZZZZZ')).rejects.toThrow(/cannot know now/);
  expect(await store.changeById(changes[0]?.id ?? '')).toEqual(changes[0]);
  journal.trouble = undefined;
});

test('texts that one process takes out are gone from the replicas of all, from the journal, and from who comes later', async () => {
  const journal = new MemoryJournal();
  const [one, other] = [await open(journal), await open(journal)];
  const heard: string[] = [];
  other.onRedactions((change) => void heard.push(JSON.stringify(change)));
  const secret = 'a-secret-of-the-tests';
  const name = `sha256:${hash('sha256', secret, 'hex')}`;
  const drafts = [{ ...draft('a'), before: secret }];
  const [change] = await one.commit({ source: 'a', drafts, snapshots: new Map([[name, secret]]) });
  await other.replica.current();
  expect([await other.snapshot(name), other.redactions()]).toEqual([secret, 0]);

  await one.redactChange({ seq: change?.seq ?? 0, fields: ['before'], snapshots: [name] });
  await other.replica.current();
  const late = await open(journal);
  await late.replica.current();
  for (const store of [one, other, late]) {
    expect(JSON.stringify(await all(store))).not.toContain(secret);
    expect([await store.snapshot(name), store.redactions()]).toEqual([undefined, 1]);
  }
  expect(heard).toEqual([expect.not.stringContaining(secret)]);
  expect(JSON.stringify(journal.writes.map(({ changes }) => changes))).not.toContain(secret);
});
