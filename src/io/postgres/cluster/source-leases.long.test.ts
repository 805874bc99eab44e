import { expect, test } from 'vitest';
import { type ClusterLab, openClusterLab } from '../../../../test/support/cluster-lab.ts';
import { describeOnPostgres } from '../../../../test/support/on-postgres.ts';
import { shortOrLong } from '../../../../test/support/short-or-long.ts';
import { write } from '../../../hub/cluster/journal.contract.ts';
import { PostgresJournal } from './journal.ts';
import { PostgresProcessBoard } from './process-board.ts';
import { PostgresRoles } from './roles.ts';
import { PostgresSourceLeases } from './source-leases.ts';

const LEASE = { leaseMs: 60_000, most: 10, rev: 1000 };

describeOnPostgres('leases in PostgreSQL', (server) => {
  const openLab = () => openClusterLab(server().url);

  test('those that are due are claimed, the longest waiting first, each by one', async () => {
    await using lab = await openLab();
    const { leases, plan } = await openSources(lab);
    await plan(['later', 3600_000], ['b', -1000], ['a', -5000], ['never', undefined]);
    const [a, b, ...rest] = await leases.claim({ holder: 'one', ...LEASE });
    expect([a?.id, b?.id, rest]).toEqual(['a', 'b', []]);
    expect(a?.lateMs).toBeGreaterThanOrEqual(5000);
    expect(a?.rev).toBe(1);
    expect(a?.token).not.toBe(b?.token);
    expect(await leases.claim({ holder: 'two', ...LEASE })).toEqual([]);
  });

  test('who can begin at once comes before who was just written, unless that one has waited for seconds', async () => {
    await using lab = await openLab();
    const { leases, journal, plan } = await openSources(lab);
    await plan(['ready', -1000]);
    await plan(['written', -2000]);
    const { rev } = await journal.end();
    const wish = { holder: 'one', leaseMs: 0, most: 1 };
    expect(await leases.claim({ ...wish, rev: rev - 1 })).toMatchObject([{ id: 'ready' }]);
    expect(await leases.claim({ ...wish, rev })).toMatchObject([{ id: 'written' }]);
    await plan(['waited', -9000]);
    expect(await leases.claim({ ...wish, rev })).toMatchObject([{ id: 'waited' }]);
  });

  test('a host is visited by one at a time, whoever claims', async () => {
    await using lab = await openLab();
    const { leases, plan } = await openSources(lab, () => 'one.example');
    await plan(['a', -2000], ['b', -1000]);
    const [held] = await leases.claim({ holder: 'one', ...LEASE });
    expect(held).toMatchObject({ id: 'a', hasNext: true });
    expect(await leases.claim({ holder: 'two', ...LEASE })).toEqual([]);
    await leases.release(held ?? { id: '', token: 0 }, 60_000);
    expect(await leases.claim({ holder: 'two', ...LEASE })).toMatchObject([{ id: 'b', hasNext: false }]);
  });

  test('many who claim at once never have one source, or two of one host', async () => {
    await using lab = await openLab();
    const { leases, plan } = await openSources(lab, (id) => `${id.split('_')[0]}.example`);
    const count = shortOrLong(60, 600);
    await plan(...Array.from({ length: count }, (_, index): [string, number] => [`h${index % 20}_${index}`, -index]));
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        leases.claim({ holder: `${index}`, leaseMs: 60_000, most: 4, rev: 1000 }),
      ),
    );
    const hosts = claims.flat().map(({ id }) => id.split('_')[0]);
    expect(hosts).toHaveLength(20);
    expect(new Set(hosts).size).toBe(20);
  });

  test('a lease that ends is taken over under a higher number; then the old one is worth nothing', async () => {
    await using lab = await openLab();
    const { leases, journal, plan } = await openSources(lab);
    await plan(['docs', -1000]);
    const [old] = await leases.claim({ holder: 'one', leaseMs: 0, most: 1, rev: 1000 });
    if (old === undefined) throw new Error('Nothing was due.');
    expect(await leases.renew([old], 0)).toEqual([]);
    const [next] = await leases.claim({ holder: 'two', ...LEASE });
    expect(next?.token).toBeGreaterThan(old.token);
    expect(await leases.renew([old], 60_000)).toEqual(['docs']);
    await leases.release(old);
    const visit = (token = 0) => write('visit', { fence: { task: 'source:docs', token } });
    expect(await journal.append([visit(old.token), visit(next?.token)])).toMatchObject([{ refused: 'fenced' }, {}]);
    expect(await leases.renew([{ id: 'docs', token: next?.token ?? 0 }], 60_000)).toEqual([]);
  });

  test('what is not due yet can be hastened, and what is due is not put off', async () => {
    await using lab = await openLab();
    const { leases, plan } = await openSources(lab);
    await plan(['far', 3600_000], ['due', -1000], ['paused', undefined]);
    await leases.hasten('due', 3600_000);
    await leases.hasten('paused', 0);
    await leases.hasten('far', 0);
    expect((await leases.claim({ holder: 'one', ...LEASE })).map(({ id }) => id)).toEqual(['due', 'far']);
  });

  test('a visit that ends in the journal gives the source back with its next time', async () => {
    await using lab = await openLab();
    const { leases, journal, plan } = await openSources(lab);
    await plan(['docs', -1000]);
    const [held] = await leases.claim({ holder: 'one', ...LEASE });
    const planned = { id: 'docs', host: 'docs.example', dueAtMs: Date.now() - 500, releases: true } as const;
    const fence = { task: 'source:docs', token: held?.token ?? 0 };
    await journal.append([write('check', { fence, plan: [planned] })]);
    expect(await leases.claim({ holder: 'two', ...LEASE })).toMatchObject([{ id: 'docs', rev: 2 }]);
  });

  test('a role has one holder at a time, and a new number with each', async () => {
    await using lab = await openLab();
    const database = await lab.openDatabase();
    const one = new PostgresRoles(database, { holder: 'one', leaseMs: 60_000 });
    const two = new PostgresRoles(database, { holder: 'two', leaseMs: 60_000 });
    const token = (await one.take('projector')) ?? 0;
    expect(await two.take('projector')).toBeUndefined();
    expect(await one.renew('projector', token)).toBe(true);
    await two.release('projector', token - 1);
    expect(await two.take('projector')).toBeUndefined();
    await lab.client.query(`UPDATE ${lab.schema}.roles SET until = now() - interval '1 second'`);
    expect(await two.take('projector')).toBeGreaterThan(token);
    expect(await one.renew('projector', token)).toBe(false);
    await one.release('projector', token);
    expect(await one.take('projector')).toBeUndefined();
  });

  test('of those who ask for a role at once one gets it', async () => {
    await using lab = await openLab();
    const database = await lab.openDatabase();
    const taken = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        new PostgresRoles(database, { holder: `${index}`, leaseMs: 60_000 }).take('x'),
      ),
    );
    expect(taken.filter((token) => token !== undefined)).toHaveLength(1);
  });

  test('every process can be seen, how far it is and for how long it was silent', async () => {
    await using lab = await openLab();
    const { journal } = await openSources(lab);
    const database = await lab.openDatabase();
    await journal.append([write('a'), write('b')]);
    const worker = new PostgresProcessBoard(database, { id: 'w', kind: 'worker' });
    const server = new PostgresProcessBoard(database, { id: 's', kind: 'serve' });
    await worker.say({ rev: 1, facts: { visits: 3 } });
    await server.say({ rev: 0, facts: {} });
    await server.say({ rev: 2, facts: { roles: ['projector'] } });
    expect(await server.all()).toMatchObject([
      { id: 'w', kind: 'worker', rev: 1, behind: 1, facts: { visits: 3 } },
      { id: 's', kind: 'serve', rev: 2, behind: 0, facts: { roles: ['projector'] } },
    ]);
    await server.leave();
    await lab.client.query(`UPDATE ${lab.schema}.processes SET seen_at = now() - interval '7 seconds'`);
    const [seen] = await worker.all();
    expect(seen?.silentMs).toBeGreaterThanOrEqual(7000);
    await lab.client.query(`UPDATE ${lab.schema}.processes SET seen_at = now() - interval '2 hours'`);
    expect(await server.all()).toEqual([]);
  });
});

async function openSources(lab: ClusterLab, hostOf: (id: string) => string = (id) => `${id}.example`) {
  const database = await lab.openDatabase();
  const journal = new PostgresJournal(database);
  const plan = async (...sources: (readonly [string, number | undefined])[]) => {
    const planned = sources.map(([id, inMs]) => ({
      id,
      host: hostOf(id),
      dueAtMs: inMs === undefined ? undefined : Date.now() + inMs,
    }));
    await journal.append([write('sources', { plan: planned })]);
  };
  return { leases: new PostgresSourceLeases(database), journal, plan };
}
