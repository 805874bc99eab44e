import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MemoryBases, MemoryJournal } from '../../../test/support/memory-journal.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import { openClusterStore } from '../../doors/open-cluster.ts';
import { all, draft, fill } from '../../hub/store/hub-store-fixtures.contract.ts';
import type { ClusterHubStore } from './cluster-store.ts';
import { makeBase, makeBaseWhereNeeded } from './fill-replica.ts';

/** A hub with something in it, and a base of it. */
async function hubWithBase() {
  const journal = new MemoryJournal();
  const bases = new MemoryBases(journal);
  const folder = newFolder();
  const store = await open({ journal, bases, folder });
  await fill(store, 'a');
  await mkdir(join(folder, 'feeds'));
  for (const name of ['marks', 'docs.ndjson', 'docs.deflate'])
    await writeFile(join(folder, 'feeds', name), `of ${name}`);
  await makeBase(folder, bases);
  return { journal, bases, folder, store };
}

interface Place {
  readonly journal: MemoryJournal;
  readonly bases?: MemoryBases;
  readonly folder: string;
}

async function open({ journal, bases, folder }: Place): Promise<ClusterHubStore> {
  const store = await openClusterStore({ journal: journal.connect(), bases, folder });
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store;
}

function newFolder(): string {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return join(folder.path, 'data');
}

test('an empty folder is filled with the newest base, feeds included, and reads on from there', async () => {
  const { journal, bases, store } = await hubWithBase();
  expect(journal.writes, 'the base holds them').toEqual([]);
  await store.commit({ source: 'a', drafts: [draft('a')] });
  const folder = newFolder();
  const other = await open({ journal, bases, folder });
  await other.replica.current();
  expect(await all(other)).toEqual(await all(store));
  expect(await other.sources()).toEqual(await store.sources());
  expect(await readFile(join(folder, 'feeds', 'docs.ndjson'), 'utf8')).toBe('of docs.ndjson');
  expect((await readdir(join(folder, 'feeds'))).toSorted()).toEqual(['docs.deflate', 'docs.ndjson', 'marks']);
  expect(await readdir(folder)).not.toContain('.restoring');
});

test('a replica that is too old for what the journal still has is filled anew', async () => {
  const journal = new MemoryJournal();
  const [folder, late] = [newFolder(), newFolder()];
  const bases = new MemoryBases(journal);
  await using store = await open({ journal, bases, folder });
  const old = await open({ journal, bases, folder: late });
  await fill(store, 'a');
  await old.replica.current();
  await old[Symbol.asyncDispose]();
  await fill(store, 'b');
  await makeBase(folder, bases);
  await store.putFact('x', 'y');
  const again = await open({ journal, bases, folder: late });
  await again.replica.current();
  expect(await all(again)).toEqual(await all(store));
  expect(await again.fact('x')).toBe('y');
});

test('a base whose bytes are not those that were put is not taken', async () => {
  const { journal, bases } = await hubWithBase();
  bases.isDamaged = true;
  const folder = newFolder();
  await expect(open({ journal, bases, folder })).rejects.toMatchObject({ name: 'LogUnavailableError' });
  expect(existsSync(join(folder, 'tidings.db'))).toBe(false);
  bases.isDamaged = false;
  await (await open({ journal, bases, folder })).replica.current();
});

test('feeds without a database are nobody to fill over', async () => {
  const { journal, bases } = await hubWithBase();
  const folder = newFolder();
  await mkdir(join(folder, 'feeds'), { recursive: true });
  await expect(open({ journal, bases, folder })).rejects.toThrow(/feeds lie in it, and no database/);
});

test('a base is made where the journal behind it has grown, and not before', async () => {
  const { bases, folder } = await hubWithBase();
  expect(await makeBaseWhereNeeded(folder, bases)).toBeUndefined();
  const grown = Object.assign(Object.create(bases) as MemoryBases, { bytesBehind: async () => 65 * 1024 * 1024 });
  grown.put = (rev, pieces) => bases.put(rev, pieces);
  grown.newest = () => bases.newest();
  expect(await makeBaseWhereNeeded(folder, grown)).toBeGreaterThan(0);
  expect(await readdir(folder)).not.toContain('tidings.db-base');
});

test('a redaction asks for a base, so that the journal lets go of what was read before it', async () => {
  const { journal, bases, folder, store } = await hubWithBase();
  const [change] = await store.commit({ source: 'a', drafts: [draft('a')] });
  expect(await makeBaseWhereNeeded(folder, bases)).toBeUndefined();
  await store.redactChange({ seq: change?.seq ?? 0, fields: ['summary'] });
  expect(await makeBaseWhereNeeded(folder, bases)).toBeGreaterThan(0);
  expect(journal.writes).toEqual([]);
  expect(await makeBaseWhereNeeded(folder, bases)).toBeUndefined();
});
