import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHub } from '../src/doors/hub.ts';
import { migrateFromDatabase, migrateToDatabase } from '../src/doors/migrate-hub.ts';
import { PostgresProcessBoard } from '../src/io/postgres/cluster/process-board.ts';
import { openSqliteHubStore } from '../src/io/sqlite/hub-store.ts';
import { openClusterLab } from './support/cluster-lab.ts';
import { describeOnPostgres } from './support/on-postgres.ts';
import { publishFolder, seedRuns } from './support/seeded-hub.ts';
import { temporaryFolder } from './support/site.ts';

const TOKEN = 'tdg_0123456789abcdef';
const ADMIN = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
const PATHS = [
  'ai-changes.ndjson',
  'aicf/docs.ndjson',
  'aicf/docs-2.ndjson',
  'changes.atom',
  'atom/docs.atom',
  'diff/latest.json',
  'diff/sources.json',
  'api/v1/changes?limit=100',
  'api/v1/changes?source=docs&limit=3',
  'api/v1/keys',
  'api/v1/subscriptions',
];

function serve(data: string) {
  return startHub({ port: 0, data, baseUrl: 'https://hub.example/' }, { token: TOKEN });
}

/** What a hub answers: bytes and ETags, by path. */
async function answersOf(data: string, cursor: string): Promise<Readonly<Record<string, string>>> {
  await using hub = await serve(data);
  const answers: Record<string, string> = {};
  for (const path of [...PATHS, `api/v1/changes?after=${cursor}`]) {
    const answer = await fetch(hub.url + path, { headers: ADMIN });
    answers[path] = `${answer.status} ${answer.headers.get('etag')}\n${await answer.text()}`;
  }
  return answers;
}

/** A hub whose log was cut: its feeds are of a second generation, and cannot be made from the log again. */
async function seedHub(data: string): Promise<string> {
  await seedRuns(data, 12, 2);
  await publishFolder(data);
  let cursor = '';
  {
    await using store = await openSqliteHubStore({ folder: data });
    await store.cutLog(10);
    cursor = (await store.changesAt([15]))[0]?.id ?? '';
  }
  await publishFolder(data);
  await seedRuns(data, 3, 2);
  await using hub = await serve(data);
  const post = async (path: string, body: object) =>
    fetch(hub.url + path, { method: 'POST', headers: ADMIN, body: JSON.stringify(body) });
  expect((await post('api/v1/keys', { label: 'ACME' })).status).toBe(201);
  expect((await post('api/v1/subscriptions', { url: 'https://hooks.example/in' })).status).toBeLessThan(300);
  expect(
    (await post('api/v1/sources', { id: 'blog', kind: 'site', url: 'https://blog.example/', intervalSeconds: 86_400 }))
      .status,
  ).toBe(201);
  return cursor;
}

describeOnPostgres('a hub that moves', (server) => {
  test('into PostgreSQL and back answers with the same bytes and ETags', async () => {
    using folder = temporaryFolder();
    await using lab = await openClusterLab(server().url);
    const [data, back] = [join(folder.path, 'data'), join(folder.path, 'back')];
    const cursor = await seedHub(data);
    const before = await answersOf(data, cursor);
    expect(Object.entries(before).filter(([, answer]) => !answer.startsWith('200 '))).toEqual([]);
    const there = await migrateToDatabase({ folder: data, url: lab.url });
    expect(there).toMatchObject({ changes: 30, sources: 1, database: expect.not.stringContaining(server().password) });
    await expect(serve(data)).rejects.toThrow(/replica of a hub .* --database/);
    const { rows } = await lab.client.query(`SELECT id, due_at IS NOT NULL AS due FROM ${lab.schema}.sources`);
    expect(rows).toEqual([{ id: 'blog', due: true }]);
    expect(await migrateFromDatabase({ folder: back, url: lab.url })).toEqual(there);
    expect(await answersOf(back, cursor)).toEqual(before);
    expect(readdirSync(back)).not.toContain('.restoring');
    // The folder that moved is a replica by now, and comes back as one.
    await migrateFromDatabase({ folder: data, url: lab.url });
    expect(await answersOf(data, cursor)).toEqual(before);
  });

  test('into a database that holds one is refused, and both stay as they are', async () => {
    using folder = temporaryFolder();
    await using lab = await openClusterLab(server().url);
    const [data, other] = [join(folder.path, 'data'), join(folder.path, 'other')];
    await seedRuns(data, 2);
    await seedRuns(other, 5);
    await migrateToDatabase({ folder: data, url: lab.url });
    const refused = { name: 'DatabaseRefusedError', message: expect.stringContaining('holds a hub already') };
    await expect(migrateToDatabase({ folder: other, url: lab.url })).rejects.toMatchObject(refused);
    await using store = await openSqliteHubStore({ folder: other });
    expect(await store.lastChange()).toMatchObject({ seq: 5 });
    await expect(migrateToDatabase({ folder: other, url: lab.url })).rejects.toMatchObject({ name: 'LogLockedError' });
    expect(readdirSync(other).filter((name) => name.includes('base'))).toEqual([]);
  });

  test('back from a database without one, or beside its processes, is refused', async () => {
    using folder = temporaryFolder();
    await using lab = await openClusterLab(server().url);
    const back = join(folder.path, 'back');
    await expect(migrateFromDatabase({ folder: back, url: lab.url })).rejects.toThrow('it holds no hub');
    await expect(migrateToDatabase({ folder: back, url: lab.url })).rejects.toMatchObject({ name: 'LogMissingError' });
    expect(existsSync(back)).toBe(false);
    const board = new PostgresProcessBoard(await lab.openDatabase(), { id: 'w1', kind: 'worker' });
    await board.say({ rev: 0, facts: {} });
    await expect(migrateFromDatabase({ folder: back, url: lab.url })).rejects.toThrow(/still run \(worker w1\)/);
  });
});
