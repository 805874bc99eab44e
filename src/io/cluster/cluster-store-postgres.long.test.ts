import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { type ClusterLab, openClusterLab } from '../../../test/support/cluster-lab.ts';
import { describeOnPostgres } from '../../../test/support/on-postgres.ts';
import { describeReaderState } from '../../dialects/agent-feed/read/reader-state.contract.ts';
import { openClusterStore } from '../../doors/open-cluster.ts';
import type { Journal } from '../../hub/cluster/journal.ts';
import { describeApiKeyStore } from '../../hub/keys/api-key-store.contract.ts';
import { describeHubStore } from '../../hub/store/hub-store.contract.ts';
import { all, draft, fill } from '../../hub/store/hub-store-fixtures.contract.ts';
import { PostgresBases } from '../postgres/cluster/bases.ts';
import { PostgresJournal } from '../postgres/cluster/journal.ts';
import type { ClusterHubStore } from './cluster-store.ts';
import { makeBase } from './fill-replica.ts';

/** A journal that takes its connections with it. */
async function openJournal(lab: ClusterLab): Promise<Journal> {
  const database = await lab.openDatabase();
  const journal = new PostgresJournal(database);
  const close = journal[Symbol.asyncDispose].bind(journal);
  return Object.assign(journal, {
    [Symbol.asyncDispose]: async () => {
      await close();
      await database[Symbol.asyncDispose]();
    },
  });
}

const root = await mkdtemp(join(tmpdir(), 'tidings-cluster-postgres-'));
afterAll(() => rm(root, { recursive: true }));
const newFolder = () => mkdtemp(join(root, 'replica-'));

describeOnPostgres('on PostgreSQL', (server) => {
  const openLab = async () => {
    const lab = await openClusterLab(server().url);
    onTestFinished(() => lab[Symbol.asyncDispose]());
    return lab;
  };
  const openNew = async (): Promise<ClusterHubStore> => {
    const lab = await openLab();
    const store = await openClusterStore({ journal: await openJournal(lab), folder: await newFolder() });
    onTestFinished(() => store[Symbol.asyncDispose]());
    return store;
  };

  describeHubStore(
    'a replica of a journal',
    async () => {
      const [folder, lab] = [await newFolder(), await openLab()];
      return { open: async () => openClusterStore({ journal: await openJournal(lab), folder }) };
    },
    { hasOwnClock: true },
  );
  describeReaderState('in a replica', async () => (await openNew()).readerState);
  describeApiKeyStore('in a replica', async () => (await openNew()).keys);

  test('processes that write at once have the same hub in the end, and each heard of all changes once, in order', async () => {
    const lab = await openLab();
    const stores: ClusterHubStore[] = [];
    const heard: number[][] = [];
    for (let at = 0; at < 3; at += 1) {
      const store = await openClusterStore({ journal: await openJournal(lab), folder: await newFolder() });
      onTestFinished(() => store[Symbol.asyncDispose]());
      const seqs: number[] = [];
      heard.push(seqs);
      store.onChanges((changes) => seqs.push(...changes.map(({ seq }) => seq)));
      stores.push(store);
    }
    await Promise.all(stores.map((store, at) => fill(store, `s${at}`)));
    const commits = stores.flatMap((store, at) =>
      Array.from({ length: 20 }, () => store.commit({ source: `s${at}`, drafts: [draft(`s${at}`), draft(`s${at}`)] })),
    );
    await Promise.all(commits);
    await Promise.all(stores.map((store) => store.replica.current()));
    const [first, ...others] = stores;
    if (first === undefined) throw new Error('There is no store.');
    const wanted = await all(first);
    expect(wanted.map(({ seq }) => seq)).toEqual(Array.from({ length: 126 }, (_, at) => at + 1));
    for (const other of others) {
      expect(await all(other)).toEqual(wanted);
      expect(await other.sources()).toEqual(await first.sources());
    }
    for (const seqs of heard) expect(seqs).toEqual(wanted.map(({ seq }) => seq));
  });

  test('whoever begins later has the same hub: from a base, and from what was written behind it', async () => {
    const lab = await openLab();
    const bases = new PostgresBases(await lab.openDatabase());
    const open = async (folder: string) => {
      const store = await openClusterStore({ journal: await openJournal(lab), bases, folder });
      onTestFinished(() => store[Symbol.asyncDispose]());
      return store;
    };
    const folder = await newFolder();
    const store = await open(folder);
    const late = await newFolder();
    await (await open(late))[Symbol.asyncDispose]();
    for (const id of ['a', 'b', 'c']) {
      await fill(store, id);
      await makeBase(folder, bases);
    }
    await store.commit({ source: 'a', drafts: [draft('a')] });
    const { rows } = await lab.client.query(`SELECT min(rev)::int AS first FROM ${lab.schema}.writes`);
    expect(rows[0].first, 'writes are dropped').toBeGreaterThan(1);
    for (const place of [await newFolder(), late]) {
      const other = await open(place);
      await other.replica.current();
      expect(await all(other)).toEqual(await all(store));
      expect(await other.sources()).toEqual(await store.sources());
      expect(await other.pagesOf('b')).toEqual(await store.pagesOf('b'));
    }
  });
});
