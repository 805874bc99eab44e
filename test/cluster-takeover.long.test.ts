import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { startTidings } from './support/cluster-processes.ts';
import { post } from './support/database-lab.ts';
import { startLiveSite } from './support/live-site.ts';
import { describeOnPostgres } from './support/on-postgres.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-takeover-'));
afterAll(() => rm(root, { recursive: true }));
const newFolder = () => mkdtemp(join(root, 'data-'));

const SOURCES = 3;
const LEASE_SECONDS = 5;
const TAKEN_OVER_SECONDS = 10;

/** Every claim of a source is written down with the moment of the database, and with the end of the lease before it. */
const RECORD_CLAIMS = `
  CREATE TABLE tidings.claims_seen (id text, holder text, at timestamptz, lease_before timestamptz);
  CREATE FUNCTION tidings.see_claim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO tidings.claims_seen VALUES (NEW.id, NEW.holder, clock_timestamp(), OLD.until);
    RETURN NULL;
  END $$;
  CREATE TRIGGER see_claim AFTER UPDATE ON tidings.sources FOR EACH ROW
    WHEN (NEW.holder IS NOT NULL AND NEW.token <> OLD.token) EXECUTE FUNCTION tidings.see_claim()`;

interface Claim {
  readonly id: string;
  /** Between the kill and the end of the dead worker's lease, by the database. */
  readonly leaseSeconds: number;
  /** Between the kill and this claim. */
  readonly seconds: number;
}

describeOnPostgres('a worker that is killed while it has sources', (server) => {
  test('with the usual lease, others have them within 10 s and not before the lease is over, by the clock of the database', {
    timeout: 120_000,
  }, async () => {
    // It never answers: whoever visits it has it until the visit is given up.
    const sites = await Promise.all(Array.from({ length: SOURCES }, () => startLiveSite({ '/a': () => {} })));
    const env = { TIDINGS_DATABASE: server().url, TIDINGS_COOLDOWN: '0' };
    const work = async () => startTidings(['worker', '--data', await newFolder()], env);
    await using hub = await startTidings(['serve', '--no-worker', '--port', '0', '--data', await newFolder()], env);
    const client = new pg.Client({ connectionString: server().url });
    await client.connect();
    await client.query(RECORD_CLAIMS);
    await using first = await work();
    for (const [at, { url }] of sites.entries()) {
      await post(hub.said.url, 'api/v1/sources', { id: `s${at}`, kind: 'page', url: `${url}a`, intervalSeconds: 1 });
    }
    const claims = async () => {
      const { rows } = await client.query<{ readonly count: number }>(
        'SELECT count(DISTINCT (id, holder))::integer AS count FROM tidings.claims_seen',
      );
      return rows[0]?.count;
    };
    await expect.poll(claims, { timeout: 30_000 }).toBe(SOURCES);
    await using _heir = await work();

    const died = once(first.child, 'exit');
    first.child.kill('SIGKILL');
    await died;
    await client.query('CREATE TABLE tidings.killed AS SELECT clock_timestamp() AS at');
    await expect.poll(claims, { timeout: 60_000 }).toBe(2 * SOURCES);
    const { rows } = await client.query<Claim>(
      `SELECT DISTINCT ON (claim.id) claim.id, extract(epoch FROM lease_before - killed.at)::float8 AS "leaseSeconds",
         extract(epoch FROM claim.at - killed.at)::float8 AS seconds
       FROM tidings.claims_seen AS claim, tidings.killed AS killed WHERE claim.at > killed.at ORDER BY claim.id, claim.at`,
    );
    await client.end();
    for (const site of sites) await site[Symbol.asyncDispose]();
    expect(rows.map(({ id }) => id)).toEqual(['s0', 's1', 's2']);
    for (const { leaseSeconds, seconds } of rows) {
      expect(leaseSeconds).toBeLessThanOrEqual(LEASE_SECONDS);
      expect(seconds).toBeGreaterThanOrEqual(leaseSeconds);
      expect(seconds).toBeLessThanOrEqual(TAKEN_OVER_SECONDS);
    }
  });
});
