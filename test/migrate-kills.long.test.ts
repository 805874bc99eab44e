import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHub } from '../src/doors/hub.ts';
import { migrateFromDatabase, migrateToDatabase } from '../src/doors/migrate-hub.ts';
import { openSqliteHubStore } from '../src/io/sqlite/hub-store.ts';
import { type ClusterLab, openClusterLab } from './support/cluster-lab.ts';
import { spawnTidings } from './support/cluster-processes.ts';
import { startCuttingProxy } from './support/cutting-proxy.ts';
import { describeOnPostgres } from './support/on-postgres.ts';
import { seedRuns } from './support/seeded-hub.ts';
import { temporaryFolder } from './support/site.ts';
import { tidingsHere } from './support/tidings-here.ts';

/** The base is made to count by this statement, and counts with the end of its transaction. */
const COUNTS = 'is_whole = true';

/** What is heard on the way, and whether the database holds the hub then. */
const STEPS: readonly (readonly [
  string,
  Parameters<Awaited<ReturnType<typeof startCuttingProxy>>['cutAt']>,
  boolean,
])[] = [
  ['before the first piece of it is there', ['base_pieces', 'before'], false],
  ['behind the pieces', [COUNTS, 'before'], false],
  ['behind the statement that makes it count', [COUNTS, 'behind'], false],
  ['before the end of its transaction', ['COMMIT', 'before', { since: COUNTS }], false],
  ['behind the end of its transaction', ['COMMIT', 'behind', { since: COUNTS }], true],
];

async function openWay(lab: ClusterLab) {
  // The tables are there: what is cut is the move itself.
  await lab.openDatabase();
  const url = new URL(lab.url);
  const proxy = await startCuttingProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  return { url: url.href, proxy };
}

async function holdsHub({ client, schema }: ClusterLab): Promise<boolean> {
  const { rows } = await client.query(`SELECT FROM ${schema}.bases WHERE is_whole`);
  return rows.length > 0;
}

/** Neither on its own nor as a replica. */
async function ensureNobodyStarts(data: string, lab: ClusterLab): Promise<void> {
  const start = startHub({ port: 0, data, baseUrl: 'https://hub.example/' }, { token: 'tdg_0123456789abcdef' });
  await expect(start).rejects.toThrow(/was on its way to .*Run the same tidings migrate again/);
  await expect(openSqliteHubStore({ folder: data, isReplica: true })).rejects.toThrow('was on its way');
  const refused = await tidingsHere('source', 'add', 'https://docs.example/', '--data', data);
  expect(refused.code, refused.stderr).toBe(3);
  expect(refused.stderr).not.toContain(new URL(lab.url).password);
}

/** One hub, with all that it had, in the database and nowhere else. */
async function ensureOneHub(
  { data, url }: { readonly data: string; readonly url: string },
  lab: ClusterLab,
  back: string,
): Promise<void> {
  const moved = await migrateToDatabase({ folder: data, url });
  expect(moved).toMatchObject({ changes: 6, sources: 0 });
  await expect(openSqliteHubStore({ folder: data })).rejects.toThrow('replica of a hub');
  await expect(migrateToDatabase({ folder: data, url: lab.url })).rejects.toThrow('replica of a hub');
  const same = { changes: moved.changes, sources: moved.sources };
  expect(await migrateFromDatabase({ folder: back, url: lab.url })).toMatchObject(same);
  // The folder follows the journal that holds its hub.
  expect(await migrateFromDatabase({ folder: data, url: lab.url })).toMatchObject(same);
}

describeOnPostgres('a move into a database that is cut off', (server) => {
  test.each(STEPS)(
    'by a kill %s leaves one hub, and the next run ends it',
    { timeout: 60_000 },
    async (_, cut, isThere) => {
      using folder = temporaryFolder();
      await using lab = await openClusterLab(server().url);
      const data = join(folder.path, 'data');
      await seedRuns(data, 3, 2);
      const { url, proxy } = await openWay(lab);
      await using _proxy = proxy;
      const [word, when, more] = cut;
      proxy.cutAt(word, when, { ...more, isStill: true });
      const { child } = spawnTidings(['migrate', data, '--to', url]);
      const ended = once(child, 'exit');
      await expect.poll(() => proxy.fired(), { timeout: 20_000 }).toBeGreaterThan(0);
      child.kill('SIGKILL');
      expect(await ended).toEqual([null, 'SIGKILL']);
      expect(await holdsHub(lab)).toBe(isThere);
      await ensureNobodyStarts(data, lab);
      proxy.mend();
      await ensureOneHub({ data, url }, lab, join(folder.path, 'back'));
    },
  );

  test.each(STEPS)(
    'by a lost connection %s is brought to its end by the next run',
    {
      timeout: 60_000,
    },
    async (_, cut, isThere) => {
      using folder = temporaryFolder();
      await using lab = await openClusterLab(server().url);
      const data = join(folder.path, 'data');
      await seedRuns(data, 3, 2);
      const { url, proxy } = await openWay(lab);
      await using _proxy = proxy;
      proxy.cutAt(...cut);
      await expect(migrateToDatabase({ folder: data, url })).rejects.toMatchObject({ name: 'LogUnavailableError' });
      expect(proxy.fired()).toBeGreaterThan(0);
      expect(await holdsHub(lab)).toBe(isThere);
      await ensureNobodyStarts(data, lab);
      // The same database by another way is known by the history in it, an empty one is not.
      if (!isThere) {
        await expect(migrateToDatabase({ folder: data, url: lab.url })).rejects.toThrow('another database');
        proxy.mend();
        await migrateToDatabase({ folder: data, url });
        expect(await migrateFromDatabase({ folder: data, url: lab.url })).toMatchObject({ changes: 6 });
      } else await ensureOneHub({ data, url: lab.url }, lab, join(folder.path, 'back'));
    },
  );

  test('a move that is refused leaves the folder as it was, and one whose database is lost can be taken back', async () => {
    using folder = temporaryFolder();
    await using lab = await openClusterLab(server().url);
    const [data, other] = [join(folder.path, 'data'), join(folder.path, 'other')];
    await seedRuns(data, 2);
    await seedRuns(other, 3);
    await migrateToDatabase({ folder: data, url: lab.url });
    await expect(migrateToDatabase({ folder: other, url: lab.url })).rejects.toThrow('holds a hub already');
    expect((await tidingsHere('migrate', other, '--stay')).stdout).toContain('was not on its way');

    await using empty = await openClusterLab(server().url);
    const { url, proxy } = await openWay(empty);
    proxy.cutAt(COUNTS, 'before');
    await expect(migrateToDatabase({ folder: other, url })).rejects.toMatchObject({ name: 'LogUnavailableError' });
    expect(proxy.fired()).toBeGreaterThan(0);
    await proxy[Symbol.asyncDispose]();
    await ensureNobodyStarts(other, empty);
    expect(await tidingsHere('migrate', other, '--stay', '--to', empty.url)).toMatchObject({ code: 2 });
    expect((await tidingsHere('migrate', other, '--stay')).stdout).toContain('stays a hub of its own');
    await using store = await openSqliteHubStore({ folder: other });
    expect(await store.lastChange()).toMatchObject({ seq: 3 });
  });
});
