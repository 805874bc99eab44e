import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostgres, type PostgresServer, startPostgres } from '../../../test/support/postgres-server.ts';
import { openPostgresSinkLab, type PostgresSinkLab } from '../../../test/support/postgres-sink-lab.ts';
import { EMBEDDED, PAGE_URL, PLAIN, syncedPage } from '../../../test/support/synced-page.ts';
import { describeSink } from '../../sync/sink.contract.ts';
import { heldFacts, openPrepared, pageUrls } from '../../sync/sink-lab.contract.ts';
import { openPostgresSink } from './sync-sink.ts';

const bin = findPostgres();
const PAGE = syncedPage([
  ['', 'intro'],
  ['tiers', 'three tiers'],
]);

describe.skipIf(bin === undefined)(`a real server${bin === undefined ? ': no PostgreSQL on this machine' : ''}`, () => {
  let server: PostgresServer;
  let hasVectors = false;
  beforeAll(async () => {
    server = await startPostgres(bin ?? '');
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    hasVectors = await client.query('CREATE EXTENSION vector').then(
      () => true,
      () => false,
    );
    await client.end();
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });
  const openLab = (): Promise<PostgresSinkLab> => openPostgresSinkLab(server.url, hasVectors);

  describeSink('an index in PostgreSQL', openLab);

  test('where pgvector is missing, whoever embeds hears what to do, and nobody else needs it', async ({ skip }) => {
    if (hasVectors) skip('this server has pgvector');
    await using lab = await openLab();
    await using sink = lab.openWith({});
    const refusal = { recovery: 'fix-config', message: expect.stringContaining('CREATE EXTENSION vector') };
    await expect(sink.prepare(EMBEDDED)).rejects.toMatchObject(refusal);
    await expect(sink.put(syncedPage([['a', 'text']], { pipeline: EMBEDDED }))).rejects.toMatchObject(refusal);
    expect(await lab.dump()).toEqual([]);
    await sink.prepare(PLAIN);
    await sink.put(PAGE);
    expect(await sink.held(PAGE_URL)).toEqual(heldFacts(PAGE));
  });

  test('a session that the server ends is made again without a word', async () => {
    await using lab = await openLab();
    await using sink = lab.openWith({});
    await sink.put(syncedPage([['a', 'old']]));
    const ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tidings'";
    expect((await lab.client.query(ended)).rowCount).toBeGreaterThan(0);
    await sink.put(PAGE);
    expect(await sink.held(PAGE_URL)).toEqual(heldFacts(PAGE));
  });

  test('two that begin at once make one index', async () => {
    await using lab = await openLab();
    const urls = Array.from({ length: 6 }, (_, index) => `${PAGE_URL}${index}`);
    await Promise.all(
      urls.map(async (url) => {
        await using sink = lab.openWith({});
        await sink.put(syncedPage([['a', 'text']], { url }));
      }),
    );
    await using sink = await openPrepared(lab);
    expect(await pageUrls(sink)).toEqual(urls);
  });

  test('a page that another session holds is waited for, but not for ever', async () => {
    await using lab = await openLab();
    await using sink = lab.openWith({ statementTimeoutMs: 30 });
    await using patient = lab.openWith({});
    await patient.put(syncedPage([['a', 'old']]));
    await lab.client.query(`BEGIN; LOCK TABLE ${lab.schema}.sections IN SHARE MODE`);
    await expect(sink.put(PAGE)).rejects.toMatchObject({ name: 'SinkUnavailableError', recovery: 'retry-later' });
    const put = patient.put(PAGE);
    await lab.client.query('COMMIT');
    await put;
    expect(await patient.held(PAGE_URL)).toEqual(heldFacts(PAGE));
  });

  test('a server that takes no writes says so', async () => {
    await using lab = await openLab();
    const url = new URL(lab.url);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    await using sink = lab.openWith({ url: url.href });
    await sink.prepare(PLAIN);
    await expect(sink.put(PAGE)).rejects.toMatchObject({
      recovery: 'retry-later',
      message: expect.stringMatching(/read-only/),
    });
  });

  test('a user that may not hears what to grant', async () => {
    await using lab = await openLab();
    await lab.client.query(
      "DO $$ BEGIN CREATE ROLE guest LOGIN PASSWORD 'guest'; EXCEPTION WHEN duplicate_object THEN NULL; END $$",
    );
    const url = new URL(lab.url);
    [url.username, url.password] = ['guest', 'guest'];
    await using sink = lab.openWith({ url: url.href });
    await expect(sink.put(PAGE)).rejects.toMatchObject({
      recovery: 'fix-config',
      message: expect.stringMatching(/permission denied.*Grant/),
    });
    url.password = '';
    await using silent = lab.openWith({ url: url.href });
    await expect(silent.prepare(PLAIN)).rejects.toMatchObject({
      recovery: 'fix-config',
      message: expect.stringContaining('PGPASSWORD'),
    });
    url.searchParams.set('sslmode', 'verify-full');
    await using encrypted = lab.openWith({ url: url.href });
    await expect(encrypted.prepare(PLAIN)).rejects.toMatchObject({
      recovery: 'fix-config',
      message: expect.stringContaining('sslmode'),
    });
    url.searchParams.delete('sslmode');
    [url.username, url.password] = ['nobody_here', 'hush-hush'];
    await using stranger = lab.openWith({ url: url.href });
    const refusal: unknown = await stranger.put(PAGE).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ recovery: 'fix-config', message: expect.stringMatching(/PGPASSWORD/) });
    expect(JSON.stringify(refusal, Object.getOwnPropertyNames(refusal))).not.toContain('hush-hush');
  });

  test('addresses, anchors and texts may be longer than an index of PostgreSQL takes', async () => {
    await using lab = await openLab();
    await using sink = await openPrepared(lab);
    const random = (bytes: number) => randomBytes(bytes).toString('base64url');
    const url = PAGE_URL + random(6000);
    const page = syncedPage([[random(6000), Array.from({ length: 100_000 }, () => random(12)).join(' ')]], { url });
    await sink.put(page);
    await sink.put(page);
    expect(await sink.held(url)).toEqual(heldFacts(page));
  });

  test('the full text answers, and an edit by hand keeps it in step', async () => {
    await using lab = await openLab();
    await using sink = await openPrepared(lab);
    await sink.put(PAGE);
    const sql = `SELECT anchor FROM ${lab.schema}.sections_fts WHERE document @@ websearch_to_tsquery('simple', $1)`;
    expect((await lab.client.query(sql, ['tiers'])).rows).toEqual([{ anchor: 'tiers' }]);
    await lab.client.query(`UPDATE ${lab.schema}.sections SET markdown = 'other', heading = ''`);
    expect((await lab.client.query(sql, ['tiers'])).rows).toEqual([]);
  });

  test('without a schema the tables are in that of the connection', async () => {
    await using sink = openPostgresSink({ url: server.url });
    await sink.put(PAGE);
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query('SELECT url, anchor FROM public.sections ORDER BY position');
    await client.query('DROP TABLE public.pages, public.sections, public.chunks CASCADE');
    await client.end();
    expect(rows).toEqual([
      { url: PAGE_URL, anchor: '' },
      { url: PAGE_URL, anchor: 'tiers' },
    ]);
  });

  test('a server that answers nothing is given up, and found again when it answers', async () => {
    await using lab = await openLab();
    await using sink = lab.openWith({ answerTimeoutMs: 100, connectTimeoutMs: 100 });
    const stalled = lab.stall();
    await expect(sink.put(PAGE)).rejects.toMatchObject({ name: 'SinkUnavailableError', recovery: 'retry-later' });
    expect(stalled.fired()).toBeGreaterThan(0);
    await stalled.mend();
    await using patient = lab.openWith({});
    await patient.put(PAGE);
    expect(await patient.held(PAGE_URL)).toEqual(heldFacts(PAGE));
  });
});

test('where nobody listens, the sink is down, and its address is told without the password', async () => {
  await using sink = openPostgresSink({ url: 'postgres://me:hush-hush@127.0.0.1:1/docs', wait: async () => {} });
  const refusal: unknown = await sink.put(PAGE).catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    recovery: 'retry-later',
    message: expect.stringMatching(/postgres:\/\/me@127\.0\.0\.1:1\/docs.*ECONNREFUSED/),
  });
  expect(JSON.stringify(refusal, Object.getOwnPropertyNames(refusal))).not.toContain('hush-hush');
});

test('where pg is missing, it is said what to install', async () => {
  const loadPg = async () => {
    throw Object.assign(new Error("Cannot find package 'pg'"), { code: 'ERR_MODULE_NOT_FOUND' });
  };
  await using sink = openPostgresSink({ url: 'postgres://127.0.0.1:1/docs', loadPg });
  await expect(sink.prepare(PLAIN)).rejects.toMatchObject({
    recovery: 'fix-config',
    message: expect.stringMatching(/npm i pg/),
  });
});
