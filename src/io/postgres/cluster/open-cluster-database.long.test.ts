import { expect, test } from 'vitest';
import { openClusterLab } from '../../../../test/support/cluster-lab.ts';
import { describeOnPostgres } from '../../../../test/support/on-postgres.ts';
import { write } from '../../../hub/cluster/journal.contract.ts';
import { connectClusterDatabase } from './cluster-database.ts';
import { ensureClusterSchema, MIGRATIONS, type TableMigration } from './cluster-schema.ts';
import { PostgresJournal } from './journal.ts';
import { ensureServer, openClusterDatabase } from './open-cluster-database.ts';

const NEXT: TableMigration = (schema) => `ALTER TABLE ${schema}.head ADD COLUMN more text`;
const BROKEN: TableMigration = (schema) => `${NEXT(schema)}; SELECT 1 / 0`;

test.each([
  [{ version: '120017', encoding: 'UTF8' }, /PostgreSQL 12. Upgrade the server to 13/],
  [{ version: '150000', encoding: 'SQL_ASCII' }, /encoded in SQL_ASCII/],
])('a server that cannot hold a hub is refused: %j', (facts, message) => {
  expect(() => ensureServer('postgres://db.example/x', facts)).toThrow(message);
});

test('without pg, whoever needs it hears what to install', async () => {
  const loadPg = () => Promise.reject(new Error('Cannot find package'));
  const opening = openClusterDatabase({ url: 'postgres://u:secret@127.0.0.1:1/d', loadPg });
  await expect(opening).rejects.toMatchObject({ recovery: 'fix-config', message: expect.stringContaining('npm i pg') });
});

test('a server that is not there passes, and the message has no password', async () => {
  const opening = openClusterDatabase({ url: 'postgres://u:secret@127.0.0.1:1/d' });
  await expect(opening).rejects.toMatchObject({
    name: 'LogUnavailableError',
    recovery: 'retry-later',
    message: expect.stringMatching(/^(?!.*secret).*postgres:\/\/u@127\.0\.0\.1:1\/d.*ECONNREFUSED/),
  });
});

describeOnPostgres('the database of several processes', (server) => {
  const openLab = () => openClusterLab(server().url);

  test.each([
    [(url: URL) => Object.assign(url, { password: 'wrong-secret' }), 'Check the user and its password'],
    [(url: URL) => Object.assign(url, { pathname: '/nowhere' }), 'createdb'],
    [(url: URL) => url.searchParams.set('sslmode', 'require'), 'Check sslmode'],
  ])('what only a person can change says what to do: %s', async (change, remedy) => {
    await using lab = await openLab();
    const url = new URL(lab.url);
    change(url);
    await expect(openClusterDatabase({ url: url.href })).rejects.toMatchObject({
      name: 'DatabaseRefusedError',
      recovery: 'fix-input',
      message: expect.stringContaining(remedy),
    });
    const refused = await openClusterDatabase({ url: url.href }).catch(String);
    expect(refused).not.toMatch(new RegExp(`wrong-secret|${server().password}`));
  });

  test('processes that begin at once make the tables once', async () => {
    await using lab = await openLab();
    const epochs = await Promise.all(
      Array.from({ length: 5 }, async () => (await new PostgresJournal(await lab.openDatabase()).end()).epoch),
    );
    expect(new Set(epochs).size).toBe(1);
  });

  test('who asks behind the end hears that the process has left', async () => {
    await using lab = await openLab();
    const database = await lab.openDatabase();
    const ended = database[Symbol.asyncDispose]();
    const left = { name: 'LogUnavailableError', message: expect.stringContaining('this process has left it') };
    await expect(database.compareClocks()).rejects.toMatchObject(left);
    await expect(database.inTransaction(async () => {})).rejects.toMatchObject(left);
    await ended;
    await database[Symbol.asyncDispose]();
  });

  test('a schema that holds something else is left alone', async () => {
    await using lab = await openLab();
    await lab.client.query(`CREATE SCHEMA ${lab.schema}; CREATE TABLE ${lab.schema}.roles (mine text)`);
    await expect(lab.openDatabase()).rejects.toMatchObject({
      name: 'DatabaseRefusedError',
      message: expect.stringContaining('holds "roles"'),
    });
  });

  test('tables of every earlier version become those of this one, with what they hold', async () => {
    for (const [version] of MIGRATIONS.entries()) {
      await using lab = await openLab();
      await using database = await connectClusterDatabase({ url: lab.url });
      await ensureClusterSchema(database, MIGRATIONS.slice(0, version + 1));
      await lab.client.query(`UPDATE ${lab.schema}.head SET rev = 1`);
      await ensureClusterSchema(database, [...MIGRATIONS, NEXT]);
      const { rows } = await lab.client.query(`SELECT rev::int, format, more FROM ${lab.schema}.head`);
      expect(rows).toEqual([{ rev: 1, format: MIGRATIONS.length + 1, more: null }]);
    }
  });

  test('a migration that fails leaves all as it was', async () => {
    await using lab = await openLab();
    const database = await lab.openDatabase();
    await expect(ensureClusterSchema(database, [...MIGRATIONS, BROKEN])).rejects.toThrow('division by zero');
    const { rows } = await lab.client.query(`SELECT * FROM ${lab.schema}.head`);
    expect(rows).toMatchObject([{ format: MIGRATIONS.length }]);
    expect(rows[0]).not.toHaveProperty('more');
    await expect(
      ensureClusterSchema(
        database,
        MIGRATIONS.map(() => BROKEN),
      ),
    ).resolves.toBeUndefined();
  });

  test('over newer tables an older version stops: at its start, and while it runs', async () => {
    await using lab = await openLab();
    const database = await lab.openDatabase();
    await using journal = new PostgresJournal(database);
    await ensureClusterSchema(database, [...MIGRATIONS, NEXT]);
    const newer = { name: 'DatabaseFormatError', message: expect.stringContaining('Upgrade Tidings') };
    await expect(lab.openDatabase()).rejects.toMatchObject(newer);
    await expect(journal.append([write('fact')])).rejects.toMatchObject(newer);
    await expect(journal.read(0, 1)).rejects.toMatchObject(newer);
    await expect(journal.end()).rejects.toMatchObject(newer);
  });

  test('a user who may not make tables hears what to grant', async () => {
    await using lab = await openLab();
    await lab.client.query(`CREATE USER poor PASSWORD 'poor-secret'`);
    const url = Object.assign(new URL(lab.url), { username: 'poor', password: 'poor-secret' });
    await expect(openClusterDatabase({ url: url.href })).rejects.toMatchObject({
      name: 'DatabaseRefusedError',
      message: expect.stringContaining('Grant this user CREATE'),
    });
  });

  test('where all connections are taken, it passes and says so', async () => {
    await using lab = await openLab();
    await lab.client.query(`CREATE USER single PASSWORD 'single-secret' CONNECTION LIMIT 0`);
    const url = Object.assign(new URL(lab.url), { username: 'single', password: 'single-secret' });
    await expect(openClusterDatabase({ url: url.href })).rejects.toMatchObject({
      name: 'LogUnavailableError',
      message: expect.stringContaining('max_connections'),
    });
  });
});
