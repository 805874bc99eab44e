import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openClusterLab } from '../../../../test/support/cluster-lab.ts';
import { describeOnPostgres } from '../../../../test/support/on-postgres.ts';
import { describeHostMemory } from '../../../fetch/host-memory.contract.ts';
import { REDACTION } from '../../../hub/cluster/bases.ts';
import { write } from '../../../hub/cluster/journal.contract.ts';
import { drafts } from '../../../log/log-fixtures.contract.ts';
import { PostgresBases } from './bases.ts';
import { openPostgresHostMemory } from './host-memory.ts';
import { PostgresJournal } from './journal.ts';
import { PostgresSourceLeases } from './source-leases.ts';

const BYTES = Buffer.alloc(2_500_000, 'a replica in pieces. ');
const SHA256 = createHash('sha256').update(BYTES).digest('hex');

describeOnPostgres('what processes share beside the journal', (server) => {
  const openLab = () => openClusterLab(server().url);

  describeHostMemory(async () => {
    const lab = await openLab();
    const memory = await openPostgresHostMemory(await lab.openDatabase(), { nowMs: 0 });
    return Object.assign(memory, { [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose]() });
  });

  test('two whose clocks differ by an hour never take the same turn', async () => {
    await using lab = await openLab();
    const nowOf = [Date.now, () => Date.now() + 3600_000];
    const [one, other] = await Promise.all(
      nowOf.map(async (now) => await openPostgresHostMemory(await lab.openDatabase({ now }), { nowMs: now() })),
    );
    const claimBy = (now: () => number) => ({ nowMs: now(), busyUntilMs: now() + 30_000 });
    expect(await one?.claimTurn('a.example', claimBy(Date.now))).toEqual({ busyUntilMs: 0, turnAtMs: 0 });
    const late = await other?.claimTurn('a.example', claimBy(nowOf[1] ?? Date.now));
    expect(late?.busyUntilMs).toBeGreaterThan(Date.now() + 3600_000);
  });

  test('a turn that was taken over is not ended by who had it before', async () => {
    await using lab = await openLab();
    const open = async () => await openPostgresHostMemory(await lab.openDatabase(), { nowMs: 0 });
    const [late, next, third] = [await open(), await open(), await open()];
    const nowMs = Date.now();
    await late.claimTurn('a.example', { nowMs: nowMs - 40_000, busyUntilMs: nowMs - 10_000 });
    expect(await next.claimTurn('a.example', { nowMs, busyUntilMs: nowMs + 30_000 })).toMatchObject({ busyUntilMs: 0 });
    await late.endTurn('a.example', nowMs - 1);
    const asked = await third.claimTurn('a.example', { nowMs, busyUntilMs: nowMs + 30_000 });
    // Each process knows the clock of the database in its own way.
    expect(asked.busyUntilMs).toBeGreaterThan(nowMs + 20_000);
    await next.endTurn('a.example', nowMs - 1);
    expect(await third.claimTurn('a.example', { nowMs, busyUntilMs: nowMs + 30_000 })).toMatchObject({
      busyUntilMs: 0,
    });
  });

  test('who takes its clock for ahead of what it is shortens no pause', async () => {
    await using lab = await openLab();
    const [one, ahead] = [await lab.openDatabase(), await lab.openDatabase({ now: () => Date.now() - 60_000 })];
    const memory = await openPostgresHostMemory(one, { nowMs: Date.now() });
    const hasty = await openPostgresHostMemory(ahead, { nowMs: Date.now() });
    await memory.endTurn('a.example', Date.now() + 30_000);
    // Its clock has gone on by a minute since it was compared.
    const nowMs = Date.now();
    expect((await hasty.claimTurn('a.example', { nowMs, busyUntilMs: nowMs + 30_000 })).turnAtMs).toBeGreaterThan(0);
  });

  test('of many who claim the turn of a host at once one gets it', async () => {
    await using lab = await openLab();
    const memory = await openPostgresHostMemory(await lab.openDatabase(), { nowMs: 0 });
    const claims = Array.from({ length: 20 }, () =>
      memory.claimTurn('a.example', { nowMs: 1000, busyUntilMs: 31_000 }),
    );
    expect((await Promise.all(claims)).filter(({ busyUntilMs }) => busyUntilMs === 0)).toHaveLength(1);
  });

  test('a base comes back as it was put, in pieces of their own', async () => {
    await using lab = await openLab();
    const bases = new PostgresBases(await lab.openDatabase());
    expect(await bases.newest()).toBeUndefined();
    const base = await bases.put(7, inPieces(BYTES, 300_000));
    expect(base).toEqual({ rev: 7, bytes: BYTES.byteLength, sha256: SHA256 });
    expect(await bases.newest()).toEqual(base);
    expect(await joined(bases.read(base))).toBe(SHA256);
    const { rows } = await lab.client.query(`SELECT FROM ${lab.schema}.base_pieces`);
    expect(rows).toHaveLength(3);
  });

  test('a half counts for nobody, and goes', async () => {
    await using lab = await openLab();
    const bases = new PostgresBases(await lab.openDatabase());
    await bases.put(3, inPieces(BYTES, 1000_000));
    const broken = async function* () {
      yield BYTES;
      throw new Error('The disk broke.');
    };
    await expect(bases.put(9, broken())).rejects.toThrow('The disk broke.');
    await lab.client.query(`INSERT INTO ${lab.schema}.bases VALUES (8, 0, 'half', false, now() - interval '1 hour')`);
    await expect(bases.put(8, inPieces(BYTES, 1000_000))).resolves.toMatchObject({ rev: 8 });
    const { rows } = await lab.client.query(`SELECT rev::int FROM ${lab.schema}.bases`);
    expect(rows).toEqual([{ rev: 8 }]);
  });

  test('one that lost a piece on the way does not count', async () => {
    await using lab = await openLab();
    const bases = new PostgresBases(await lab.openDatabase());
    const robbed = async function* () {
      yield BYTES;
      await lab.client.query(`DELETE FROM ${lab.schema}.base_pieces WHERE number = 1`);
    };
    await expect(bases.put(1, robbed())).rejects.toMatchObject({ recovery: 'retry-later' });
    expect(await bases.newest()).toBeUndefined();
  });

  test('of two who make a base at the same place one is told to leave it', async () => {
    await using lab = await openLab();
    const bases = new PostgresBases(await lab.openDatabase());
    const puts = await Promise.allSettled([bases.put(1, inPieces(BYTES, 1e6)), bases.put(1, inPieces(BYTES, 1e6))]);
    expect(puts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await joined(bases.read({ rev: 1, bytes: BYTES.byteLength, sha256: SHA256 }))).toBe(SHA256);
  });

  test('a new base drops the one before it, and the writes which that one held; the changes stay', async () => {
    await using lab = await openLab();
    const database = await lab.openDatabase();
    const bases = new PostgresBases(database);
    await using journal = new PostgresJournal(database);
    const visit = write('visit', { drafts: drafts(1) });
    await journal.append([visit, visit]);
    expect(await bases.bytesBehind()).toBeGreaterThan(0);
    const first = await bases.put(2, inPieces(BYTES, 1e6));
    expect(await bases.bytesBehind()).toBe(0);
    await journal.append([visit, visit]);
    expect((await journal.read(0, 10)).length).toBe(4);
    await bases.put(4, inPieces(BYTES, 1e6));
    await expect(joined(bases.read(first))).rejects.toMatchObject({ recovery: 'retry-later' });
    await expect(journal.read(1, 10)).rejects.toMatchObject({ name: 'JournalCutError' });
    expect((await journal.read(2, 10)).map(({ rev }) => rev)).toEqual([3, 4]);
    const { rows } = await lab.client.query(`SELECT FROM ${lab.schema}.changes`);
    expect(rows).toHaveLength(4);
  });

  test('two bases behind a redaction drop the writes from before it, the second one when the first has settled', async () => {
    await using lab = await openLab();
    const database = await lab.openDatabase();
    const bases = new PostgresBases(database);
    await using journal = new PostgresJournal(database);
    await journal.append([write('visit', { drafts: drafts(1) })]);
    expect(await bases.holdsRedacted(0)).toBe(false);
    await journal.append([write(REDACTION)]);
    expect(await bases.holdsRedacted(60_000), 'no base yet').toBe(true);
    await bases.put(2, inPieces(BYTES, 1e6));
    expect(await bases.holdsRedacted(0), 'nothing was written behind the base').toBe(false);
    await journal.append([write('visit', { drafts: drafts(1) })]);
    expect(await bases.holdsRedacted(60_000), 'somebody may be reading on').toBe(false);
    expect(await bases.holdsRedacted(0)).toBe(true);
    await bases.put(3, inPieces(BYTES, 1e6));
    expect(await bases.holdsRedacted(0)).toBe(false);
    const { rows } = await lab.client.query(`SELECT rev::int FROM ${lab.schema}.writes`);
    expect(rows).toEqual([{ rev: 3 }]);
  });

  test('a journal begins from a hub of one machine, with the end of its log and its plan, and only once', async () => {
    await using lab = await openLab();
    const database = await lab.openDatabase();
    const bases = new PostgresBases(database);
    await using journal = new PostgresJournal(database);
    const end = { seq: 41, id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', time: '2016-07-30T23:54:10.259Z' };
    const plan = [{ id: 'docs', host: 'docs.example', dueAtMs: Date.now() - 1000 }];
    expect(await bases.isBegun('chosen')).toBe(false);
    await bases.begin(inPieces(BYTES, 1e6), { epoch: 'chosen', end, plan });
    expect(await bases.isBegun('chosen')).toBe(true);
    expect(await journal.end()).toMatchObject({ epoch: 'chosen', rev: 0, seq: 41 });
    expect(await bases.newest()).toMatchObject({ rev: 0, sha256: SHA256 });
    const claimed = await new PostgresSourceLeases(database).claim({
      holder: 'one',
      most: 1,
      leaseMs: 1000,
      rev: 1000,
    });
    expect(claimed).toMatchObject([{ id: 'docs', rev: 0 }]);
    const again = bases.begin(inPieces(BYTES, 1e6), { epoch: 'other', end, plan });
    await expect(again).rejects.toMatchObject({ message: expect.stringContaining('holds a hub already') });
    const [next] = await journal.append([write('visit', { drafts: drafts(1) })]);
    expect(next).toMatchObject({ rev: 1, changes: [{ seq: 42 }] });
  });
});

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

async function joined(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}
