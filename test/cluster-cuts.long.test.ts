import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type RunningHub, startHub } from '../src/doors/hub.ts';
import { migrateFromDatabase, migrateToDatabase } from '../src/doors/migrate-hub.ts';
import { openSharedHub } from '../src/doors/shared-hub.ts';
import { makeBase } from '../src/io/cluster/fill-replica.ts';
import { PostgresBases } from '../src/io/postgres/cluster/bases.ts';
import { openClusterLab } from './support/cluster-lab.ts';
import { describeOnPostgres } from './support/on-postgres.ts';
import { seedChanges } from './support/seeded-hub.ts';
import { temporaryFolder } from './support/site.ts';

const TOKEN = 'tdg_0123456789abcdef';
const NAMES = ['docs', 'blog', '_all'];
const FEEDS = [1, 2, 3, 4].flatMap((generation) => {
  const suffix = generation === 1 ? '' : `-${generation}`;
  return NAMES.map((name) => (name === '_all' ? `ai-changes${suffix}.ndjson` : `aicf/${name}${suffix}.ndjson`));
});

function serve(data: string, database: string): Promise<RunningHub> {
  return startHub({ port: 0, data, database, baseUrl: 'https://hub.example/' }, { token: TOKEN });
}

function drafts(source: string, count: number) {
  return Array.from({ length: count }, (_, at) => ({
    source,
    action: 'update' as const,
    url: `https://${source}.example/page-${at}`,
    checksum: `sha256:${'0'.repeat(64)}`,
    title: `Page ${at}`,
  }));
}

/** What a server gives of its feeds and archives: bytes and ETags, by path. */
async function servedBy({ url }: RunningHub): Promise<Readonly<Record<string, string>>> {
  const { archives } = (await (await fetch(`${url}api/v1/archives`)).json()) as { archives: { url: string }[] };
  const files = archives.map((archive) => new URL(archive.url).pathname.slice(1));
  const served: Record<string, string> = { archives: files.join(' ') };
  for (const path of [...FEEDS, ...files, '.well-known/ai-changes.json']) {
    const answer = await fetch(url + path);
    const bytes = Buffer.from(await answer.arrayBuffer()).toString('base64');
    served[path] = answer.status === 404 ? 'none' : `${answer.status} ${answer.headers.get('etag')} ${bytes}`;
  }
  return served;
}

describeOnPostgres('servers over a log that is cut', (server) => {
  test('give the same feeds and archives, whenever they were added, and however fast the cuts came', {
    timeout: 120_000,
  }, async () => {
    using folder = temporaryFolder();
    await using lab = await openClusterLab(server().url);
    const place = (name: string) => join(folder.path, name);
    await using one = await serve(place('one'), lab.url);
    const commit = async (count: number) => {
      await using hub = await openSharedHub({ url: lab.url, access: 'write' });
      for (const source of ['docs', 'blog']) await hub.store.commit({ source, drafts: drafts(source, count) });
      return hub.store.replica.rev;
    };
    const cut = async (...seqs: number[]) => {
      await using hub = await openSharedHub({ url: lab.url, access: 'write' });
      for (const seq of seqs) await hub.store.cutLog(seq);
    };
    await commit(10);
    await cut(7);
    await commit(3);
    const { archives } = (await (await fetch(`${one.url}api/v1/archives`)).json()) as { archives: object[] };
    expect(archives).toHaveLength(1);

    // Behind a base whose feeds are of the second generation, two cuts at once.
    await using database = await lab.openDatabase();
    await makeBase(place('one'), new PostgresBases(database));
    await cut(12, 15);
    await commit(2);

    await using two = await serve(place('two'), lab.url);
    await expect
      .poll(async () => [await servedBy(one), await servedBy(two)], { timeout: 30_000 })
      .toSatisfy(([here, there]) => JSON.stringify(here) === JSON.stringify(there));
    const here = await servedBy(one);
    expect(here.archives?.split(' ')).toEqual([
      'api/v1/archives/changes-1-7.ndjson.gz',
      'api/v1/archives/changes-8-12.ndjson.gz',
      'api/v1/archives/changes-13-15.ndjson.gz',
    ]);
    expect(here['aicf/docs-4.ndjson']).toMatch(/^200 /);
    expect(await servedBy(two)).toEqual(here);

    // A third one meets them without a wait.
    await using three = await serve(place('three'), lab.url);
    expect(await servedBy(three)).toEqual(here);
    const missing = await fetch(`${three.url}api/v1/archives/changes-16-17.ndjson.gz`);
    expect([missing.status, missing.headers.get('retry-after')], 'another server may have cut there').toEqual([
      503,
      '1',
    ]);
    expect((await fetch(`${three.url}api/v1/archives/changes-1-6.ndjson.gz`)).status).toBe(404);
  });

  test('one that reads the whole journal makes every generation that the first one served', {
    timeout: 120_000,
  }, async () => {
    using folder = temporaryFolder();
    await using lab = await openClusterLab(server().url);
    {
      await using one = await serve(join(folder.path, 'one'), lab.url);
      await using hub = await openSharedHub({ url: lab.url, access: 'write' });
      for (const seq of [1, 5, 10]) {
        await hub.store.commit({ source: 'docs', drafts: drafts('docs', 6) });
        await hub.store.cutLog(seq);
      }
      await using two = await serve(join(folder.path, 'two'), lab.url);
      await expect
        .poll(async () => [await servedBy(one), await servedBy(two)], { timeout: 30_000 })
        .toSatisfy(([here, there]) => JSON.stringify(here) === JSON.stringify(there));
      expect((await servedBy(two))['aicf/docs-4.ndjson']).toMatch(/^200 /);
      expect((await servedBy(two))['aicf/docs-2.ndjson'], 'ends behind the last cut').toMatch(/^200 /);
      expect((await servedBy(two))['aicf/docs.ndjson'], 'holds nothing of the log').toMatch(/^410 /);
    }
    await lab.client.query(`DELETE FROM ${lab.schema}.processes`);
    await migrateFromDatabase({ folder: join(folder.path, 'back'), url: lab.url });
    await using back = await startHub(
      { port: 0, data: join(folder.path, 'back'), baseUrl: 'https://hub.example/' },
      { token: TOKEN },
    );
    expect((await servedBy(back))['aicf/docs-4.ndjson']).toMatch(/^200 /);
  });

  test('the log is cut by the server that is asked to, and the archive is that of every server', {
    timeout: 120_000,
  }, async () => {
    using folder = temporaryFolder();
    await using lab = await openClusterLab(server().url);
    const data = join(folder.path, 'one');
    await seedChanges(data, 5, () => Date.now() - 3 * 86_400_000);
    await seedChanges(data, 4);
    await migrateToDatabase({ folder: data, url: lab.url });
    await using one = await serve(data, lab.url);
    await using two = await serve(join(folder.path, 'two'), lab.url);
    const answer = await fetch(`${two.url}api/v1/archives`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ days: 1 }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { archive: { first_seq: 1, last_seq: 5 } }]);
    await expect
      .poll(async () => [await servedBy(one), await servedBy(two)], { timeout: 30_000 })
      .toSatisfy(([here, there]) => JSON.stringify(here) === JSON.stringify(there));
    expect((await servedBy(one))['aicf/docs-2.ndjson']).toMatch(/^200 /);
  });
});
