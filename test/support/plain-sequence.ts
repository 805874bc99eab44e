import type pg from 'pg';
import type { NumbersAfter } from './cursor-reader.ts';

/** The defect that the journal avoids: rows whose numbers come from a sequence, which assigns them before the commit. */
export class PlainSequence {
  readonly #table: string;

  constructor(schema: string) {
    this.#table = `${schema}.plain`;
  }

  async make(client: pg.Client): Promise<void> {
    await client.query(`CREATE TABLE ${this.#table} (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body text)`);
  }

  async append(client: pg.Client): Promise<void> {
    await client.query('BEGIN');
    await client.query(`INSERT INTO ${this.#table} (body) VALUES ('a change')`);
    await client.query('COMMIT');
  }

  reader(client: pg.Client): NumbersAfter {
    const sql = `SELECT seq::float8 FROM ${this.#table} WHERE seq > $1 ORDER BY seq`;
    return async (after) => (await client.query<{ seq: number }>(sql, [after])).rows.map(({ seq }) => seq);
  }
}
