import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SpawnedTidings, spawnTidings, startTidings } from './support/cluster-processes.ts';
import {
  DatabaseLab,
  eventsOf,
  type HubDatabase,
  healthOf,
  hubEnvironment,
  post,
  serveWords,
  untilTold,
} from './support/database-lab.ts';
import { describeOnPostgres } from './support/on-postgres.ts';

/** How a process begins on a database: it runs, it waits and says so, or it ends with a code. */
type Beginning = 'runs' | 'waits' | 2 | 3 | 4;

interface BadStart {
  readonly what: string;
  readonly of?: 'yesterday' | 'template0';
  /** To whoever it happens, what is wrong and what to do. */
  readonly says: RegExp;
  readonly begin: (database: HubDatabase, lab: DatabaseLab) => Promise<AsyncDisposable | undefined>;
  /** The address, where it is not that of the database. */
  readonly url?: (database: HubDatabase, lab: DatabaseLab) => string;
  readonly expected: Readonly<Record<'empty' | 'replica' | 'worker' | 'oneShot', Beginning>>;
}

const AWAY = { empty: 3, replica: 'runs', worker: 'waits', oneShot: 3 } as const;
const NOBODY = { empty: 3, replica: 3, worker: 3, oneShot: 3 } as const;
const nothing = async () => undefined;

const STARTS: readonly BadStart[] = [
  {
    what: 'a database that is down',
    says: /Check that the server runs and can be reached from here/,
    begin: async ({ proxy }) => {
      proxy.cut();
      return { [Symbol.asyncDispose]: async () => proxy.mend() };
    },
    expected: AWAY,
  },
  {
    what: 'a database that drops all packets',
    says: /Check that the server runs and can be reached from here/,
    begin: async ({ proxy }) => {
      proxy.stall();
      return { [Symbol.asyncDispose]: async () => proxy.mend() };
    },
    expected: AWAY,
  },
  {
    what: 'a database whose connections are taken',
    says: /max_connections/,
    begin: async ({ name }, lab) => await lab.takeConnections(name),
    expected: AWAY,
  },
  {
    what: 'a database that is read-only',
    says: /takes no writes: name the primary/,
    begin: async ({ name }, lab) => {
      await lab.askServer(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
      return {
        [Symbol.asyncDispose]: () => lab.askServer(`ALTER DATABASE ${name} RESET default_transaction_read_only`),
      };
    },
    expected: { empty: 'runs', replica: 'runs', worker: 'runs', oneShot: 'runs' },
  },
  {
    what: 'an empty database that is read-only',
    of: 'template0',
    says: /takes no writes: name the primary|A table of the hub is gone/,
    begin: async ({ name }, lab) => {
      await lab.askServer(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
      return undefined;
    },
    expected: { ...AWAY, replica: 3 },
  },
  {
    what: 'a database of a newer version',
    says: /is in format \d+, this Tidings knows \d+\. Nothing was written\. Upgrade Tidings/,
    begin: async (database) => {
      await database.ask('UPDATE tidings.head SET format = format + 1');
      return undefined;
    },
    expected: NOBODY,
  },
  {
    what: 'a database that lacks a table',
    says: /A table of the hub is gone: bring it back from a backup/,
    begin: async (database) => {
      await database.ask('DROP TABLE tidings.writes');
      return undefined;
    },
    expected: NOBODY,
  },
  {
    what: 'a database that was brought back in part',
    says: /its table "head" is empty. Bring the database back from a backup/,
    begin: async (database) => {
      await database.ask('DELETE FROM tidings.head');
      return undefined;
    },
    expected: NOBODY,
  },
  {
    what: 'a schema that holds something else',
    of: 'template0',
    says: /holds "guests", which is not of a hub. Name an empty schema/,
    begin: async (database) => {
      await database.ask('CREATE SCHEMA tidings AUTHORIZATION hub; CREATE TABLE tidings.guests (name text)');
      return undefined;
    },
    expected: NOBODY,
  },
  {
    what: 'a wrong password',
    says: /Check the user and its password/,
    begin: nothing,
    url: ({ name, proxy }, lab) => lab.urlOf(name, proxy.port, 'another-word-of-the-tests'),
    expected: NOBODY,
  },
  {
    what: 'a database that is not there',
    says: /Make the database first: createdb/,
    begin: nothing,
    url: ({ proxy }, lab) => lab.urlOf('nowhere', proxy.port),
    expected: NOBODY,
  },
  {
    what: 'a database that was restored from yesterday',
    of: 'yesterday',
    says: /not of one history: .*\. Move the data folder away/,
    begin: nothing,
    expected: { empty: 'runs', replica: 4, worker: 4, oneShot: 'runs' },
  },
  {
    what: 'a database that is slow',
    says: /^/,
    begin: async ({ proxy }) => {
      proxy.delay(100);
      return undefined;
    },
    expected: { empty: 'runs', replica: 'runs', worker: 'runs', oneShot: 'runs' },
  },
];

interface Disturbance {
  readonly what: string;
  /** In the log of the process. */
  readonly says: RegExp;
  /** Resolves to what ends it. */
  readonly begin: (database: HubDatabase, lab: DatabaseLab) => Promise<() => PromiseLike<unknown>>;
}

const DISTURBANCES: readonly Disturbance[] = [
  {
    what: 'is stopped at once',
    says: /Check that the server runs and can be reached from here/,
    begin: async (_database, { server }) => {
      await server.stop();
      return () => server.start();
    },
  },
  {
    what: 'drops all packets',
    says: /Check that the server runs and can be reached from here/,
    begin: async ({ proxy }) => {
      proxy.stall();
      return async () => proxy.mend();
    },
  },
  {
    what: 'has no connection left',
    says: /max_connections/,
    begin: async ({ name, proxy }, lab) => {
      proxy.cut();
      const taken = await lab.takeConnections(name);
      proxy.mend();
      return () => taken[Symbol.asyncDispose]();
    },
  },
  {
    what: 'becomes read-only',
    says: /takes no writes: name the primary/,
    begin: async (_database, lab) => {
      await lab.askServer('ALTER SYSTEM SET default_transaction_read_only = on');
      await lab.askServer('SELECT pg_reload_conf()');
      return async () => {
        await lab.askServer('ALTER SYSTEM RESET default_transaction_read_only');
        await lab.askServer('SELECT pg_reload_conf()');
      };
    },
  },
  {
    what: 'loses a table and gets it back',
    says: /A table of the hub is gone: bring it back from a backup/,
    begin: async (database) => {
      await database.ask('ALTER TABLE tidings.head RENAME TO mislaid');
      return () => database.ask('ALTER TABLE tidings.mislaid RENAME TO head');
    },
  },
  {
    what: 'has another password',
    says: /Check the user and its password/,
    begin: async ({ proxy }, lab) => {
      await lab.givePassword('another-word-of-the-tests');
      proxy.cut();
      proxy.mend();
      return () => lab.givePassword();
    },
  },
];

/** Behind each of them nobody may go on. */
const ENDINGS = [
  {
    what: 'gets a newer format',
    code: 3,
    says: /Upgrade Tidings on this machine/,
    begin: (database: HubDatabase) => database.ask('UPDATE tidings.head SET format = format + 1'),
  },
  {
    what: 'is restored from yesterday',
    code: 4,
    says: /not of one history: .*\. Move the data folder away/,
    begin: async ({ name, proxy }: HubDatabase, lab: DatabaseLab) => {
      proxy.cut();
      await lab.askServer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
      await lab.askServer(`ALTER DATABASE ${name} RENAME TO ${name}_lost`);
      await lab.askServer(`CREATE DATABASE ${name} TEMPLATE yesterday OWNER hub`);
      proxy.mend();
    },
  },
];

/** What becomes of a process: it says that it runs, or that it waits, or it ends. */
async function beginningOf({ child, stderr }: SpawnedTidings): Promise<Beginning> {
  const ended = once(child, 'close').then(([code]) => code);
  const spoken = once(child.stdout, 'data').then(() => 'runs' as const);
  const over = new AbortController();
  const waits = (async () => {
    while (!over.signal.aborted && !stderr().includes('Waits for the database')) await setTimeout(20);
    return 'waits' as const;
  })();
  const found = await Promise.race([ended, spoken, waits]);
  over.abort();
  return found;
}

async function stop({ child }: SpawnedTidings): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** The status of a write. */
async function resumed(hub: string): Promise<number> {
  return (await post(hub, 'api/v1/sources/s0/resume', {})).status;
}

/** Reads go on and say how old they are; what would have to be written gets 503. */
async function expectReadsAlone(hub: string, told: number): Promise<void> {
  await expect.poll(() => resumed(hub), { timeout: 60_000 }).toBe(503);
  expect(await eventsOf(hub)).toHaveLength(told);
  await expect
    .poll(() => healthOf(hub), { timeout: 60_000 })
    .toMatchObject({ ok: true, currentAt: expect.any(String), trouble: expect.stringContaining('database') });
}

describeOnPostgres(
  'a database that is not as it should be',
  (server) => {
    let lab: DatabaseLab;
    beforeAll(async () => {
      lab = await DatabaseLab.open(server());
    }, 120_000);
    afterAll(() => lab[Symbol.asyncDispose]());

    test.each(STARTS)('$what: who begins says so, and goes on or ends', { timeout: 180_000 }, async (bad) => {
      await using database = await lab.database(bad.of);
      const url = bad.url?.(database, lab) ?? database.url;
      const fault = await bad.begin(database, lab);
      const words = {
        // First: it writes, so that the others find a database that has gone on.
        empty: serveWords(await lab.newFolder()),
        replica: serveWords(await lab.replica()),
        worker: ['worker', '--data', bad.of === 'yesterday' ? await lab.replica() : await lab.newFolder()],
        oneShot: ['migrate', '--from', url, '--to', await lab.newFolder()],
      };
      const found: Record<string, Beginning> = {};
      let said = '';
      let waiting: SpawnedTidings | undefined;
      for (const [who, args] of Object.entries(words)) {
        const spawned = spawnTidings(args, hubEnvironment(url));
        const begun = await beginningOf(spawned);
        found[who] = begun;
        said += spawned.stderr();
        if (begun !== 'runs') expect(spawned.stderr(), who).toMatch(bad.says);
        if (begun === 'waits') waiting = spawned;
        else await stop(spawned);
      }
      await fault?.[Symbol.asyncDispose]();
      expect(found).toEqual(bad.expected);
      expect(said).not.toMatch(/a-word-of-the-tests|another-word/);
      if (waiting === undefined) return;
      if (fault !== undefined) await once(waiting.child.stdout, 'data');
      await stop(waiting);
    });

    test.each(DISTURBANCES)(
      'a database that $what: reads go on, and so does the rest when it is back',
      {
        timeout: 180_000,
      },
      async ({ begin, says }) => {
        lab.edit(1);
        await using database = await lab.database();
        await using hub = await startTidings(serveWords(await lab.replica()), hubEnvironment(database.url));
        const { url } = hub.said;
        await expect.poll(() => resumed(url), { timeout: 30_000 }).toBe(200);
        const end = await begin(database, lab);
        lab.edit(2);
        await expectReadsAlone(url, 2);
        await end();
        await untilTold(url, 3);
        await expect.poll(() => resumed(url), { timeout: 60_000 }).toBe(200);
        await expect.poll(() => healthOf(url), { timeout: 30_000 }).not.toHaveProperty('trouble');
        const ids = (await eventsOf(url)).map(({ id }) => id);
        expect(new Set(ids).size).toBe(3);
        expect(hub.stderr()).toMatch(says);
        expect(hub.stderr()).not.toMatch(/a-word-of-the-tests|another-word|A fault of Tidings/);
      },
    );

    test('a database that becomes slow: everything is written, later', { timeout: 180_000 }, async () => {
      lab.edit(1);
      await using database = await lab.database();
      await using hub = await startTidings(serveWords(await lab.replica()), hubEnvironment(database.url));
      const { url } = hub.said;
      database.proxy.delay(150);
      lab.edit(2);
      expect(await resumed(url)).toBe(200);
      await untilTold(url, 3);
      expect(database.proxy.fired()).toBeGreaterThan(0);
      expect(await healthOf(url)).not.toHaveProperty('trouble');
    });

    test.each(ENDINGS)(
      'a database that $what: whoever runs on it stops, and says why',
      {
        timeout: 120_000,
      },
      async ({ begin, code, says }) => {
        lab.edit(1);
        await using database = await lab.database();
        await using hub = await startTidings(serveWords(await lab.replica()), hubEnvironment(database.url));
        await using worker = await startTidings(
          ['worker', '--data', await lab.newFolder()],
          hubEnvironment(database.url),
        );
        const codes = Promise.all([hub, worker].map(async ({ child }) => (await once(child, 'exit'))[0]));
        await begin(database, lab);
        expect(await codes).toEqual([code, code]);
        for (const { stderr } of [hub, worker]) expect(stderr()).toMatch(says);
      },
    );
  },
  { settings: ['max_connections=30'] },
);
