import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { verifyReceiptText } from '../src/doors/verify-receipt.ts';
import { makeBase } from '../src/io/cluster/fill-replica.ts';
import { unpackBody } from '../src/io/cluster/write-body.ts';
import { PostgresBases } from '../src/io/postgres/cluster/bases.ts';
import { visitClusterDatabase } from '../src/io/postgres/cluster/open-cluster-database.ts';
import { openRawDatabase } from '../src/io/sqlite/database.ts';
import { tidings } from './support/cli.ts';
import { startTidings } from './support/cluster-processes.ts';
import { eventsOf, healthOf, hubEnvironment, post, serveWords } from './support/database-lab.ts';
import { startLiveSite } from './support/live-site.ts';
import { describeOnPostgres } from './support/on-postgres.ts';
import { htmlPage } from './support/site.ts';

const SECRET = 'hunter2-correct-horse';
const WAIT = { timeout: 60_000, interval: 100 };

const root = await mkdtemp(join(tmpdir(), 'tidings-redact-postgres-'));
afterAll(() => rm(root, { recursive: true }));

const pageOf = (text: string) => htmlPage('A page', [{ id: 'tiers', heading: 'Tiers', text }]);

/** The tables of a replica that hold the text somewhere. */
async function tablesTelling(name: string): Promise<readonly string[]> {
  const database = await openRawDatabase(join(root, name, 'tidings.db'), { readonly: true });
  const rows = (sql: string) => database.prepare(sql).all() as Readonly<Record<string, unknown>>[];
  const isTelling = (value: unknown) =>
    Buffer.from(value instanceof Uint8Array ? value : String(value)).includes(SECRET);
  try {
    return rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
      .map((row) => String(row.name))
      .filter((table) => rows(`SELECT * FROM "${table}"`).some((row) => Object.values(row).some(isTelling)));
  } finally {
    database.close();
  }
}

describeOnPostgres('a redaction in a hub on PostgreSQL', (server) => {
  test('takes the text out of the log in the database and out of the replicas of all servers', {
    timeout: 240_000,
  }, async () => {
    await using site = await startLiveSite({
      '/a': pageOf('There are three tiers of accounts, as there always were.'),
    });
    const env = hubEnvironment(server().url);
    const serve = (name: string) => startTidings(serveWords(join(root, name)), env);
    await using one = await serve('one');
    await expect.poll(async () => rolesOf(await healthOf(one.said.url)), WAIT).toContain('projector');
    await using two = await serve('two');
    const told = async (count: number) => {
      for (const { said } of [one, two])
        await expect.poll(async () => (await eventsOf(said.url)).length, WAIT).toBe(count);
    };
    await post(one.said.url, 'api/v1/sources', { id: 's', kind: 'page', url: `${site.url}a`, intervalSeconds: 1 });
    await told(1);
    site.put({ '/a': pageOf(`The password of the tiers is ${SECRET}, and it is valid for all.`) });
    await told(2);
    site.put({ '/a': pageOf('The tiers have no password any more, and never will have one.') });
    await told(3);
    const [, ...secretive] = await eventsOf(one.said.url);
    expect(await changesTelling(server().url)).toBe(2);
    expect(await tablesTelling('two')).toContain('changes');
    const receiptOf = async (id = '') => await fetch(new URL(`api/v1/changes/${id}/receipt`, two.said.url));
    await expect.poll(async () => (await receiptOf(secretive[1]?.id)).status, WAIT).toBe(200);
    expect(await (await receiptOf(secretive[0]?.id)).text(), 'before').toContain(SECRET);

    // Who does not write the provable log says who does, and touches nothing.
    const elsewhere = await post(two.said.url, `api/v1/changes/${secretive[0]?.id}/redact`, {});
    expect([elsewhere.status, await elsewhere.text()]).toEqual([503, expect.stringContaining('/healthz')]);
    expect(await changesTelling(server().url)).toBe(2);
    for (const { id } of secretive)
      expect((await post(one.said.url, `api/v1/changes/${id}/redact`, {})).status).toBe(200);

    expect(await changesTelling(server().url)).toBe(0);
    for (const name of ['one', 'two']) await expect.poll(() => tablesTelling(name), WAIT).toEqual([]);
    await using three = await serve('three');
    await expect.poll(async () => (await eventsOf(three.said.url)).length, WAIT).toBe(3);
    await expect.poll(() => tablesTelling('three'), WAIT).toEqual([]);
    expect(JSON.stringify(await changesOf(three.said.url))).not.toContain(SECRET);

    const vkey = await (await fetch(new URL('.well-known/tidings/vkey', two.said.url))).text();
    for (const { id } of secretive) {
      const receipt = await (await receiptOf(id)).text();
      expect(receipt).not.toContain(SECRET);
      expect(verifyReceiptText(receipt, id, { vkey: vkey.trim() })).toMatchObject({ ok: true, signer: 'trusted' });
    }
    const looked = await tidings('fsck', '--database', server().url);
    expect(looked.code, looked.stdout + looked.stderr).toBe(0);
    // As the guide says of the journal: visits that read the text, and steps of documents that may not be rewritten.
    expect(await writesTelling(server().url)).toEqual(['store:shelf:atom', 'visit']);
    // Servers do so by themselves, the second time when the first base has settled.
    await using database = await visitClusterDatabase({ url: server().url }, { mayBegin: false });
    const bases = new PostgresBases(database);
    expect(await bases.holdsRedacted(0)).toBe(true);
    await makeBase(join(root, 'one'), bases);
    await expect.poll(() => bases.holdsRedacted(0), WAIT).toBe(true);
    await makeBase(join(root, 'one'), bases);
    expect(await writesTelling(server().url)).toEqual([]);
    expect(await bases.holdsRedacted(0)).toBe(false);
  });
});

async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

async function changesTelling(url: string): Promise<number> {
  return (await ask(url, `SELECT seq FROM tidings.changes WHERE body LIKE '%${SECRET}%'`)).length;
}

/** The kinds of writes in the journal that hold the text, unpacked. */
async function writesTelling(url: string): Promise<readonly string[]> {
  const kinds = new Set<string>();
  for (const { kind, body } of await ask<{ kind: string; body: Buffer }>(
    url,
    'SELECT kind, body FROM tidings.writes',
  )) {
    const { value, blobs } = await unpackBody(body);
    if ([JSON.stringify(value), ...blobs].some((part) => Buffer.from(part).includes(SECRET))) kinds.add(kind);
  }
  return [...kinds].toSorted();
}

function rolesOf({ processes }: Readonly<Record<string, unknown>>): readonly string[] {
  return (processes as readonly { readonly roles?: readonly string[] }[]).flatMap(({ roles = [] }) => roles);
}

async function changesOf(hub: string): Promise<unknown> {
  return await (await fetch(new URL('api/v1/changes?limit=1000', hub))).json();
}
