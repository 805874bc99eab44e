import { expect, test } from 'vitest';
import { openClusterLab } from '../../../../test/support/cluster-lab.ts';
import { describeOnPostgres } from '../../../../test/support/on-postgres.ts';
import { shortOrLong } from '../../../../test/support/short-or-long.ts';
import { describeJournal, placedOf, write } from '../../../hub/cluster/journal.contract.ts';
import { draft, drafts } from '../../../log/log-fixtures.contract.ts';
import { PostgresJournal } from './journal.ts';

describeOnPostgres('a journal in PostgreSQL', (server) => {
  const openLab = () => openClusterLab(server().url);
  describeJournal('as every journal', openLab);

  test('calls that come together share transactions', async () => {
    await using lab = await openLab();
    await using journal = await lab.open();
    await Promise.all(Array.from({ length: 200 }, () => journal.append([write('visit', { drafts: drafts(2) })])));
    const { rows } = await lab.client.query(`SELECT DISTINCT stamp FROM ${lab.schema}.writes`);
    expect(rows.length).toBeLessThan(20);
    expect(await journal.end()).toMatchObject({ rev: 200, seq: 400 });
  });

  test.each(['before', 'behind'] as const)(
    'a connection that is cut %s the commit makes a write once',
    async (when) => {
      await using lab = await openLab();
      const proxy = await lab.cutOff();
      await using journal = new PostgresJournal(await lab.openDatabase(), { wait: async () => proxy.mend() });
      proxy.cutAt('COMMIT', when);
      const [made] = placedOf(await journal.append([write('visit', { drafts: [draft('a')] })]));
      expect(proxy.fired()).toBeGreaterThan(0);
      expect(await journal.read(0, 10)).toEqual([{ ...made, body: expect.anything() }]);
    },
  );

  test('while nobody answers, it says so and makes nothing', async () => {
    await using lab = await openLab();
    const proxy = await lab.cutOff();
    await using journal = new PostgresJournal(await lab.openDatabase(), { wait: async () => {} });
    proxy.cutAt('head', 'before');
    await expect(journal.append([write('fact')])).rejects.toMatchObject({
      name: 'LogUnavailableError',
      recovery: 'retry-later',
      message: expect.not.stringContaining(server().password),
    });
    proxy.mend();
    expect(await journal.append([write('fact')])).toMatchObject([{ rev: 1 }]);
  });

  test('sessions that the server ends in the middle lose nothing and double nothing', async () => {
    await using lab = await openLab();
    await using journal = new PostgresJournal(await lab.openDatabase({ applicationName: lab.schema }));
    const ended = `SELECT count(*) FILTER (WHERE pg_terminate_backend(pid))::int AS count FROM pg_stat_activity WHERE application_name = $1`;
    let killed = 0;
    const rounds = shortOrLong(6, 200);
    for (let round = 0; round < rounds; round += 1) {
      const appends = Array.from({ length: 5 }, () => journal.append([write('visit', { drafts: [draft('a')] })]));
      killed += (await lab.client.query<{ count: number }>(ended, [lab.schema])).rows[0]?.count ?? 0;
      await Promise.all(appends);
    }
    expect(killed).toBeGreaterThan(0);
    expect(await journal.end()).toMatchObject({ rev: 5 * rounds, seq: 5 * rounds });
  });

  test('a server that takes no writes says so, and reading goes on', async () => {
    await using lab = await openLab();
    await using _first = await lab.open();
    const url = new URL(lab.url);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    await using journal = new PostgresJournal(await lab.openDatabase({ url: url.href }), { wait: async () => {} });
    await expect(journal.append([write('fact')])).rejects.toMatchObject({
      name: 'LogUnavailableError',
      message: expect.stringContaining('name the primary server'),
    });
    expect(await journal.read(0, 1)).toEqual([]);
  });

  test('a clock that is an hour off changes neither times nor the plan', async () => {
    await using lab = await openLab();
    for (const offMs of [3600_000, -3600_000, 0]) {
      const now = () => Date.now() + offMs;
      await using journal = new PostgresJournal(await lab.openDatabase({ now }));
      const plan = [{ id: `off_${Math.abs(offMs)}`, host: 'a.example', dueAtMs: now() + 60_000 }];
      await journal.append([write('visit', { drafts: [draft('a')], plan })]);
    }
    await using journal = await lab.open();
    const read = await journal.read(0, 10);
    const times = read.flatMap(({ atMs, changes }) => [atMs, Date.parse(changes[0]?.time ?? '')]);
    for (const time of times) expect(Math.abs(time - Date.now())).toBeLessThan(600_000);
    const { rows } = await lab.client.query<{ inMs: number }>(
      `SELECT (extract(epoch FROM due_at - now()) * 1000)::float8 AS "inMs" FROM ${lab.schema}.sources`,
    );
    for (const { inMs } of rows) expect(Math.abs(inMs - 60_000)).toBeLessThan(50_000);
  });

  test('whoever is behind what is kept is told so, and does not pass over it', async () => {
    await using lab = await openLab();
    await using journal = await lab.open();
    await journal.append([write('a'), write('b'), write('c')]);
    await lab.client.query(`DELETE FROM ${lab.schema}.writes WHERE rev <= 2`);
    await expect(journal.read(1, 10)).rejects.toMatchObject({ name: 'JournalCutError', rev: 1 });
    expect(await journal.read(2, 10)).toMatchObject([{ rev: 3 }]);
    await lab.client.query(`DELETE FROM ${lab.schema}.writes`);
    await expect(journal.read(2, 10)).rejects.toMatchObject({ name: 'JournalCutError' });
    expect(await journal.read(3, 10)).toEqual([]);
  });
});
