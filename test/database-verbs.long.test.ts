import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VERBS } from '../src/cli/verbs.ts';
import { migrateToDatabase } from '../src/doors/migrate-hub.ts';
import { connectClusterDatabase } from '../src/io/postgres/cluster/cluster-database.ts';
import { ensureClusterSchema, MIGRATIONS } from '../src/io/postgres/cluster/cluster-schema.ts';
import { tidings } from './support/cli.ts';
import { openClusterLab } from './support/cluster-lab.ts';
import { startTidings, TOKEN } from './support/cluster-processes.ts';
import { startLiveSite } from './support/live-site.ts';
import { describeOnPostgres } from './support/on-postgres.ts';
import { seedRuns } from './support/seeded-hub.ts';
import { htmlPage, temporaryFolder } from './support/site.ts';
import { tidingsHere, tidingsIn } from './support/tidings-here.ts';
import { startWebhookReceiver } from './support/webhook-receiver.ts';

const PAGE = htmlPage('A page', [{ id: 'one', heading: 'One', text: 'The text of the one section of this page.' }]);
const ADMIN = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
/** Verbs that act on one hub, and do one thing. */
const READING = [
  ['source', 'list'],
  ['source', 'export'],
  ['apikeys', 'list'],
  ['apikeys', 'usage'],
  ['subscription', 'list'],
  ['status'],
  ['log'],
];

function copies(): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('tidings-copy-'));
}

describeOnPostgres('verbs on the database of a hub', (server) => {
  test('what a verb writes is heard by the servers that run, and what they wrote is read', {
    timeout: 120_000,
  }, async () => {
    using folder = temporaryFolder();
    await using lab = await openClusterLab(server().url);
    await using site = await startLiveSite({ '/a': PAGE });
    const receiver = await startWebhookReceiver();
    const env = { TIDINGS_DATABASE: lab.url, TIDINGS_COOLDOWN: '0' };
    const args = ['serve', '--port', '0', '--base-url', 'https://hub.example/', '--data', join(folder.path, 'data')];
    await using running = await startTidings(args, env);
    const at = (path: string) => fetch(new URL(path, running.said.url), { headers: ADMIN });
    const shared = tidingsIn({ TIDINGS_DATABASE: lab.url, TIDINGS_ALLOW_PRIVATE: '1' });

    const added = await shared('source', 'add', `${site.url}a`, '--kind', 'page', '--id', 'docs', '--interval', '1');
    expect(added, added.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('It is read now.') });
    await expect
      .poll(async () => (await (await at('ai-changes.ndjson')).text()).split('\n').filter(Boolean).length, {
        timeout: 20_000,
      })
      .toBe(1);
    const log = await tidingsHere('log', '--json', '--database', lab.url);
    expect(
      log.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ seq: 1, source: 'docs' }]);
    const [change] = log.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly id: string });
    const whys = await tidingsHere('why', change?.id ?? '', '--json', '--database', lab.url);
    expect(JSON.parse(whys.stdout).changes, whys.stderr).toMatchObject([{ change: { id: change?.id } }]);
    const looked = async () => {
      const { code, stdout, stderr } = await shared('fsck', '--json');
      return { code, findings: stdout === '' ? stderr : JSON.parse(stdout).findings };
    };
    await expect.poll(looked, { timeout: 30_000, interval: 500 }).toEqual({ code: 0, findings: [] });
    const paused = await shared('source', 'pause', 'docs', '--reason', 'moving');
    expect(paused, paused.stderr).toMatchObject({ code: 0 });
    await expect.poll(async () => (await (await at('api/v1/sources/docs')).json()).paused).toBe('moving');
    expect((await shared('source', 'add', `${site.url}b`, '--kind', 'page', '--id', 'docs')).stderr).toContain(
      'There is a source "docs" already',
    );
    expect((await shared('source', 'resume', 'docs')).stdout).toContain('it is read now');

    const issued = await shared('apikeys', 'issue', '--label', 'ACME');
    expect(issued, issued.stderr).toMatchObject({ code: 0 });
    const asKey = () =>
      fetch(new URL('diff/latest.json', running.said.url), { headers: { 'x-diffdelta-key': issued.stdout.trim() } });
    await expect.poll(async () => (await asKey()).headers.get('x-diffdelta-tier')).toBe('pro');
    expect(JSON.parse((await shared('apikeys', 'list', '--json')).stdout).keys).toMatchObject([{ label: 'ACME' }]);
    expect((await shared('apikeys', 'revoke', issued.stdout.trim())).code).toBe(0);
    await expect.poll(async () => (await asKey()).headers.get('x-diffdelta-tier')).toBeNull();

    const told = await shared('subscription', 'add', `${receiver.url}in`, '--json');
    expect(told, told.stderr).toMatchObject({ code: 0 });
    const { id } = JSON.parse(told.stdout);
    await expect
      .poll(() => receiver.received.map(({ body }) => body.type), { timeout: 20_000 })
      .toContain('subscription.verify');
    const statusOf = async () => JSON.parse((await shared('subscription', 'show', id, '--json')).stdout).status;
    await expect.poll(statusOf, { timeout: 20_000 }).toBe('active');
    const tried = await shared('subscription', 'test', id);
    expect(tried, tried.stderr).toMatchObject({ code: 0 });
    expect(receiver.received.map(({ body }) => body.type)).toContain('subscription.test');
    expect((await shared('subscription', 'pause', id)).code).toBe(0);
    await expect
      .poll(async () => (await (await at(`api/v1/subscriptions/${id}`)).json()).status, { timeout: 10_000 })
      .toBe('disabled');
    expect((await shared('subscription', 'remove', id)).code).toBe(0);
    await expect.poll(async () => (await at(`api/v1/subscriptions/${id}`)).status, { timeout: 10_000 }).toBe(404);

    const status = JSON.parse((await shared('status', '--json')).stdout);
    expect(status).toMatchObject({
      running: true,
      sources: { docs: { status: 'ok' } },
      processes: [{ kind: 'serve', behind: expect.any(Number) }],
    });
    expect((await shared('source', 'remove', 'docs')).code).toBe(0);
    await expect.poll(async () => (await at('api/v1/sources/docs')).status).toBe(404);
    expect(copies(), 'what was copied for them').toEqual([]);
  });

  test('reading verbs write nothing: no table, no row, and no place in the journal', async () => {
    using folder = temporaryFolder();
    await using lab = await openClusterLab(server().url);
    const url = ['--database', lab.url];
    for (const verb of [...READING, ['backup', join(folder.path, 'none.db')]]) {
      const { code, stderr } = await tidingsHere(...verb, ...url);
      expect([verb, code, stderr]).toEqual([verb, 3, expect.stringContaining('it holds no hub')]);
    }
    const schemas = await lab.client.query('SELECT nspname FROM pg_namespace');
    expect(schemas.rows.map(({ nspname }) => `"${nspname.replaceAll('"', '""')}"`)).not.toContain(lab.schema);

    const data = join(folder.path, 'data');
    await seedRuns(data, 3);
    await migrateToDatabase({ folder: data, url: lab.url });
    const counts = async () =>
      (
        await lab.client.query(
          `SELECT (SELECT rev FROM ${lab.schema}.head) AS rev, (SELECT count(*) FROM ${lab.schema}.writes) AS writes,
           (SELECT count(*) FROM ${lab.schema}.processes) AS processes, (SELECT count(*) FROM ${lab.schema}.bases) AS bases`,
        )
      ).rows[0];
    const before = await counts();
    for (const verb of READING) {
      const { code, stdout, stderr } = await tidingsHere(...verb, ...url);
      expect([verb, code], stderr).toEqual([verb, 0]);
      expect(stdout + stderr).not.toContain(server().password);
    }
    expect(await counts()).toEqual(before);
    expect(copies()).toEqual([]);
  });

  test('a backup of it can be restored as a hub of its own', { timeout: 60_000 }, async () => {
    using folder = temporaryFolder();
    await using lab = await openClusterLab(server().url);
    const [data, file, restored] = ['data', 'monday.db', 'restored'].map((name) => join(folder.path, name)) as [
      string,
      string,
      string,
    ];
    await seedRuns(data, 3, 2);
    await migrateToDatabase({ folder: data, url: lab.url });
    const backup = await tidingsHere('backup', file, '--json', '--database', lab.url);
    expect(JSON.parse(backup.stdout)).toMatchObject({ file, changes: 6 });
    const there = await tidingsHere('restore', file, '--data', restored);
    expect(there, there.stderr).toMatchObject({ code: 0 });
    expect((await tidingsHere('log', restored)).stdout.trim().split('\n')).toHaveLength(6);
    // The copy of one process, too.
    const own = join(folder.path, 'own.db');
    expect((await tidingsHere('backup', own, '--data', data)).code).toBe(0);
    expect((await tidingsHere('restore', own, '--data', join(folder.path, 'again'))).code).toBe(0);
  });

  test('who writes to an empty database begins a hub there, as one does in an empty folder', async () => {
    await using lab = await openClusterLab(server().url);
    const url = ['--database', lab.url];
    const added = await tidingsHere('source', 'add', 'https://docs.example/', '--id', 'docs', ...url);
    expect(added, added.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('when the hub starts') });
    expect((await tidingsHere('source', 'list', ...url)).stdout).toContain('docs');
  });

  test('two who add the same source side by side do not both succeed', { timeout: 60_000 }, async () => {
    await using lab = await openClusterLab(server().url);
    await tidingsHere('source', 'add', 'https://first.example/', '--id', 'first', '--database', lab.url);
    const add = (host: string) => tidingsHere('source', 'add', host, '--id', 'docs', '--database', lab.url);
    const both = await Promise.all([add('https://one.example/'), add('https://two.example/')]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 3]);
    expect(both.map(({ stderr }) => stderr).join('')).toContain('There is a source "docs" already');
  });

  test('without the database they end with 3, say what to do, and show no password', { timeout: 60_000 }, async () => {
    using folder = temporaryFolder();
    const wrong = Object.assign(new URL(server().url), { password: 'a-wrong-word' });
    const away = 'postgres://tidings:another-word@127.0.0.1:1/postgres';
    const writing = [
      ['source', 'add', 'https://docs.example/'],
      ['apikeys', 'issue'],
      ['subscription', 'add', 'https://app.example/hooks'],
      ['backup', join(folder.path, 'none.db')],
    ];
    for (const verb of [...READING, ...writing]) {
      for (const url of [wrong.href, away]) {
        const { code, stdout, stderr } = await tidingsHere(...verb, '--database', url);
        expect([verb, code, stdout], stderr).toEqual([verb, 3, '']);
        expect(stderr).toMatch(/Check (?:that the server runs|the user and its password)/);
        expect(stderr).not.toMatch(/a-wrong-word|another-word/);
      }
    }
    expect(readdirSync(folder.path)).toEqual([]);
    expect(copies()).toEqual([]);
  });

  test('two places are refused before anything is opened', async () => {
    using folder = temporaryFolder();
    const url = 'postgres://tidings:another-word@127.0.0.1:1/postgres';
    const refusals = [
      ['source', 'list', '--hub', 'http://127.0.0.1:1/'],
      ['source', 'add', 'https://docs.example/', '--data', folder.path],
      ['apikeys', 'list', '--data', folder.path],
      ['subscription', 'list', '--hub', 'http://127.0.0.1:1/'],
      ['status', '--data', folder.path],
      ['status', '--watch', '--hub', 'http://127.0.0.1:1/'],
      ['log', folder.path],
      ['fsck', folder.path],
      ['why', 'https://docs.example/', '--data', folder.path],
      ['backup', 'x.db', '--data', folder.path],
    ];
    for (const verb of refusals) {
      const { code, stderr } = await tidingsHere(...verb, '--database', url);
      expect([verb, code], stderr).toEqual([verb, 2]);
      expect(stderr).toContain('two places');
      expect(stderr).not.toContain('another-word');
    }
    const elsewhere = await tidingsIn({ TIDINGS_DATABASE: url })(
      'source',
      'add',
      'https://docs.example/',
      '--data',
      folder.path,
    );
    expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining('Leave --data out') });
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test('the address comes from the settings or a file, and a named folder is read instead', async () => {
    using folder = temporaryFolder();
    await using lab = await openClusterLab(server().url);
    const data = join(folder.path, 'data');
    await seedRuns(data, 2);
    await migrateToDatabase({ folder: data, url: lab.url });
    const [config, secret] = [join(folder.path, 'tidings.config.json'), join(folder.path, 'database')];
    writeFileSync(config, JSON.stringify({ database: lab.url, data: './elsewhere' }));
    writeFileSync(secret, `${lab.url}\n`);
    const lines = async (result: ReturnType<typeof tidingsHere>) => (await result).stdout.trim().split('\n').length;
    expect(await lines(tidingsHere('log', '--config', config))).toBe(2);
    expect(await lines(tidingsIn({ TIDINGS_DATABASE_FILE: secret })('log'))).toBe(2);
    // The database is away: the copy of a process is there.
    const gone = tidingsIn({ TIDINGS_DATABASE: 'postgres://127.0.0.1:1/hub' });
    expect(await gone('status', '--data', data)).toMatchObject({ code: 0 });
    expect(await lines(gone('log', data))).toBe(2);
    mkdirSync(join(folder.path, 'empty'));
    expect(existsSync(join(folder.path, 'elsewhere'))).toBe(false);
  });

  test('tables of an earlier version are left to the servers', async () => {
    await using lab = await openClusterLab(server().url);
    await using database = await connectClusterDatabase({ url: lab.url });
    await ensureClusterSchema(database, MIGRATIONS.slice(0, 1));
    const { code, stderr } = await tidingsHere('source', 'list', '--database', lab.url);
    expect([code, stderr]).toEqual([3, expect.stringContaining('Start a server of this version')]);
  });

  test('their help shows the option with an example', async () => {
    const names = VERBS.flatMap((entry) =>
      'verbs' in entry ? entry.verbs.map(({ name }) => [entry.name, name]) : [[entry.name]],
    ).filter(([first = '']) => ['source', 'apikeys', 'subscription', 'status', 'log', 'backup'].includes(first));
    for (const name of names) {
      const { stdout } = await tidingsHere(...name, '--help');
      expect(stdout, name.join(' ')).toMatch(/--database <url>/);
      expect(stdout, name.join(' ')).toMatch(/\$ tidings .*--database postgres:/);
    }
    expect((await tidings('status', '--help')).stdout).toContain('--database <url>');
  });
});
