import pg from 'pg';
import { expect, test } from 'vitest';
import { openClusterLab } from '../../../../test/support/cluster-lab.ts';
import { CursorReader } from '../../../../test/support/cursor-reader.ts';
import { describeOnPostgres } from '../../../../test/support/on-postgres.ts';
import { PlainSequence } from '../../../../test/support/plain-sequence.ts';
import { shortOrLong } from '../../../../test/support/short-or-long.ts';
import { write } from '../../../hub/cluster/journal.contract.ts';
import { expectInOrder } from '../../../log/expect-in-order.contract.ts';
import { drafts } from '../../../log/log-fixtures.contract.ts';
import { PostgresJournal } from './journal.ts';

const APPENDERS = 16;
const APPENDS = shortOrLong(5, 300);

describeOnPostgres('the order of a journal', (server) => {
  test('16 who append at once: whoever reads by rev or by seq passes over none', async () => {
    await using lab = await openClusterLab(server().url);
    const journals = await Promise.all(
      Array.from({ length: APPENDERS }, async () => new PostgresJournal(await lab.openDatabase({ maxConnections: 1 }))),
    );
    const work = Promise.all(journals.map((journal) => times(APPENDS, () => journal.append([visit(), visit()]))));
    await using reading = await lab.open();
    const byRev = new CursorReader(async (after) => (await reading.read(after, 500)).map(({ rev }) => rev));
    const seqs = async (after: number) => {
      const sql = `SELECT seq::float8 FROM ${lab.schema}.changes WHERE seq > $1 ORDER BY seq`;
      return (await lab.client.query<{ seq: number }>(sql, [after])).rows.map(({ seq }) => seq);
    };
    const bySeq = new CursorReader(seqs);
    await Promise.all([byRev.readWhile(work), bySeq.readWhile(work)]);

    const count = APPENDERS * APPENDS * 2;
    expect(byRev.seen).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    expect(bySeq.passedOver(await seqs(0))).toBe(0);
    expect(bySeq.seen).toHaveLength(count * 2);
    expectInOrder((await reading.read(0, count)).flatMap(({ changes }) => changes));
  });

  test('the same with numbers from a plain sequence is caught passing over some', async () => {
    await using lab = await openClusterLab(server().url);
    await lab.openDatabase();
    const plain = new PlainSequence(lab.schema);
    await plain.make(lab.client);
    const clients = Array.from({ length: APPENDERS }, () => new pg.Client({ connectionString: server().url }));
    await Promise.all(clients.map((client) => client.connect()));
    const read = plain.reader(lab.client);
    const reader = new CursorReader(read);
    // As many as it takes: on a machine that is busy the moments are rare.
    for (let round = 0; round < 50 && reader.passedOver(await read(0)) === 0; round += 1) {
      await reader.readWhile(Promise.all(clients.map((client) => times(30, () => plain.append(client)))));
    }
    expect(reader.passedOver(await read(0))).toBeGreaterThan(0);
    await Promise.all(clients.map((client) => client.end()));
  });
});

function visit() {
  return write('visit', { drafts: drafts(2) });
}

async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await work();
}
