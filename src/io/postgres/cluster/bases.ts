import { databaseRefusedError } from '../../../errors/database-error.ts';
import { LogUnavailableError } from '../../../errors/log-error.ts';
import { type Base, type Bases, type HubSeed, REDACTION } from '../../../hub/cluster/bases.ts';
import { dropBases, dropWrites, type StoredPieces, storePieces } from './base-pieces.ts';
import type { ClusterDatabase, ClusterSession } from './cluster-database.ts';

/** Replicas in PostgreSQL, in pieces. One that is not whole counts for nobody. */
export class PostgresBases implements Bases {
  readonly #database: ClusterDatabase;

  constructor(database: ClusterDatabase) {
    this.#database = database;
  }

  async newest(): Promise<Base | undefined> {
    const [base] = await this.#database.ask<Base>(
      `SELECT rev::float8, bytes::float8, sha256 FROM ${this.#database.schema}.bases WHERE is_whole ORDER BY rev DESC LIMIT 1`,
    );
    return base;
  }

  async *read({ rev, bytes, sha256 }: Base): AsyncGenerator<Uint8Array, void> {
    const { schema, shown } = this.#database;
    let left = bytes;
    for (let number = 0; left > 0; number += 1) {
      const [piece] = await this.#database.ask<{ readonly body: Uint8Array }>(
        `SELECT body FROM ${schema}.base_pieces JOIN ${schema}.bases USING (rev) WHERE rev = $1 AND sha256 = $2 AND number = $3`,
        [rev, sha256, number],
      );
      if (piece === undefined) {
        throw new LogUnavailableError(
          shown,
          new Error(`the base at ${rev} was replaced`),
          'The newest one is asked for next.',
        );
      }
      left -= piece.body.byteLength;
      yield piece.body;
    }
  }

  async put(rev: number, pieces: AsyncIterable<Uint8Array>): Promise<Base> {
    const base = await this.#finish(await storePieces(this.#database, rev, pieces), async () => {});
    await this.#trim(rev);
    return base;
  }

  async begin(pieces: AsyncIterable<Uint8Array>, { epoch, end, plan }: HubSeed): Promise<Base> {
    const { schema, clock } = this.#database;
    await this.#database.inTransaction(async (session) => await this.#ensureEmpty(session));
    const stored = await storePieces(this.#database, 0, pieces, epoch);
    return await this.#finish(stored, async (session) => {
      await this.#ensureEmpty(session);
      await session.query(`UPDATE ${schema}.head SET epoch = $4, seq = $1, last_id = $2, last_time = $3`, [
        end?.seq ?? 0,
        end?.id ?? null,
        end?.time ?? null,
        epoch,
      ]);
      const rows = plan.map(({ id, host, dueAtMs }) => ({
        id,
        host,
        due: dueAtMs === undefined ? null : clock.toTheirs(dueAtMs) / 1000,
      }));
      await session.query(
        `INSERT INTO ${schema}.sources (id, host, due_at, token, rev)
         SELECT id, host, to_timestamp(due), nextval('${schema.replaceAll("'", "''")}.tokens'), 0
         FROM json_to_recordset($1) AS row (id text, host text, due float8)`,
        [JSON.stringify(rows)],
      );
    });
  }

  async isBegun(epoch: string): Promise<boolean> {
    const { schema } = this.#database;
    return await this.#database.inTransaction(async (session) => {
      // Behind this lock a transaction that was cut off has ended.
      const [head] = await session.query<{ readonly epoch: string }>(`SELECT epoch FROM ${schema}.head FOR UPDATE`);
      return head?.epoch === epoch;
    });
  }

  async bytesBehind(): Promise<number> {
    const { schema } = this.#database;
    const [row] = await this.#database.ask<{ readonly bytes: number }>(
      `SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM ${schema}.writes
       WHERE rev > coalesce((SELECT max(rev) FROM ${schema}.bases WHERE is_whole), 0)`,
    );
    return row?.bytes ?? 0;
  }

  async holdsRedacted(settledMs: number): Promise<boolean> {
    const { schema } = this.#database;
    const [row] = await this.#database.ask<{ readonly isHeld: boolean }>(
      `WITH newest AS (SELECT rev, at FROM ${schema}.bases WHERE is_whole ORDER BY rev DESC LIMIT 1)
       SELECT EXISTS (
         SELECT FROM ${schema}.writes LEFT JOIN newest ON true
         WHERE writes.kind = $1 AND (
           newest.rev IS NULL OR writes.rev > newest.rev
           OR (newest.rev < (SELECT rev FROM ${schema}.head) AND newest.at < clock_timestamp() - $2 * interval '1 ms')
         )
       ) AS "isHeld"`,
      [REDACTION, settledMs],
    );
    return row?.isHeld === true;
  }

  /** After a base that counts: readers of the previous one continue from there. If this is killed in the middle, the next run does the rest. */
  async #trim(rev: number): Promise<void> {
    const [before] = await this.#database.ask<{ readonly rev: number | null }>(
      `SELECT max(rev)::float8 AS rev FROM ${this.#database.schema}.bases WHERE is_whole AND rev < $1`,
      [rev],
    );
    await dropWrites(this.#database, before?.rev ?? 0);
    await dropBases(this.#database, 'is_whole AND rev < $1', [rev]);
  }

  /** Makes it count, in one step with what `also` does. */
  async #finish(
    { rev, bytes, sha256, mark }: StoredPieces,
    also: (session: ClusterSession) => Promise<void>,
  ): Promise<Base> {
    const { schema, shown } = this.#database;
    await this.#database.inTransaction(async (session) => {
      await also(session);
      const rows = await session.query(
        `UPDATE ${schema}.bases SET is_whole = true, bytes = $3, sha256 = $4, at = clock_timestamp()
         WHERE rev = $1 AND sha256 = $2
           AND $3 = (SELECT coalesce(sum(octet_length(body)), 0) FROM ${schema}.base_pieces WHERE base_pieces.rev = $1)
         RETURNING rev`,
        [rev, mark, bytes, sha256],
      );
      if (rows.length === 0)
        throw new LogUnavailableError(shown, new Error(`the half of a base at ${rev} was dropped`), '');
    });
    return { rev, bytes, sha256 };
  }

  /** Nobody appends during this. */
  async #ensureEmpty(session: ClusterSession): Promise<void> {
    const { schema, shown } = this.#database;
    const [head] = await session.query<{ readonly isEmpty: boolean }>(
      `SELECT rev = 0 AND seq = 0 AND NOT EXISTS (SELECT FROM ${schema}.bases WHERE is_whole) AS "isEmpty" FROM ${schema}.head FOR UPDATE`,
    );
    if (head?.isEmpty) return;
    throw databaseRefusedError(shown, 'it holds a hub already', 'Name an empty database, or another ?schema=.');
  }
}
