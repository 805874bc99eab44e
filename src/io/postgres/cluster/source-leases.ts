import type { ClaimedSource, ClaimWish, HeldSource, SourceLeases } from '../../../hub/cluster/source-leases.ts';
import { literal } from '../postgres-tables.ts';
import type { ClusterDatabase } from './cluster-database.ts';

/** How many due sources are examined to find different hosts. */
const LOOKED_AT = 1000;
/** A source that has waited this long is not placed after those that can begin at once. */
const PATIENCE = "interval '5 seconds'";
const MS = "interval '1 millisecond'";

/** Leases as columns of the sources. A claim raises the token; the transaction of each write checks it. */
export class PostgresSourceLeases implements SourceLeases {
  readonly #database: ClusterDatabase;

  constructor(database: ClusterDatabase) {
    this.#database = database;
  }

  /**
   * Claims follow each other: two at once would not see that both take sources of one host. All of it is one message, so that a worker that is slow to answer holds up nobody. An index is of use for a moment that stays the same through the
   * statement, which that of `clock_timestamp` does not.
   */
  async claim({ holder, most, leaseMs, rev }: ClaimWish): Promise<readonly ClaimedSource[]> {
    if (most <= 0) return [];
    const { schema, schemaName } = this.#database;
    const waitsForWrites = `(rev > ${Math.trunc(rev)} AND due_at > statement_timestamp() - ${PATIENCE})`;
    const isFree = `due_at <= statement_timestamp() AND (until IS NULL OR until <= statement_timestamp())`;
    const [, claimed = []] = await this.#database.askTogether([
      `SELECT pg_advisory_xact_lock(hashtextextended(${literal(`tidings claims ${schemaName}`)}, 0))`,
      `WITH waiting AS (
         SELECT id, host, due_at, rev FROM ${schema}.sources AS source
         WHERE ${isFree} AND NOT EXISTS (
           SELECT FROM ${schema}.sources AS other WHERE other.host = source.host AND other.until > statement_timestamp()
         )
         ORDER BY due_at, id LIMIT ${LOOKED_AT}
       ), chosen AS (
         SELECT id, of_host > 1 AS has_next FROM (
           SELECT *, row_number() OVER (PARTITION BY host ORDER BY due_at, id) AS turn, count(*) OVER (PARTITION BY host) AS of_host FROM waiting
         ) AS turns
         WHERE turn = 1 ORDER BY ${waitsForWrites}, due_at, id LIMIT ${Math.trunc(most)}
       ), mine AS (
         SELECT id, due_at, has_next FROM ${schema}.sources AS source JOIN chosen USING (id) WHERE ${isFree}
         ORDER BY id FOR UPDATE OF source SKIP LOCKED
       ), claimed AS (
         UPDATE ${schema}.sources AS source
         SET holder = ${literal(holder)}, until = clock_timestamp() + ${Math.trunc(leaseMs)} * ${MS}, token = nextval('${schema.replaceAll("'", "''")}.tokens')
         FROM mine WHERE source.id = mine.id
         RETURNING source.id, source.token, source.rev, mine.due_at, mine.has_next
       )
       SELECT id, token::float8, rev::float8, (extract(epoch FROM clock_timestamp() - due_at) * 1000)::float8 AS "lateMs",
         has_next AS "hasNext"
       FROM claimed ORDER BY due_at, id`,
    ]);
    return claimed as readonly ClaimedSource[];
  }

  async renew(held: readonly HeldSource[], leaseMs: number): Promise<readonly string[]> {
    const renewed = await this.#update(held, `until = clock_timestamp() + $3 * ${MS}`, leaseMs);
    return held.map(({ id }) => id).filter((id) => !renewed.has(id));
  }

  async release(held: HeldSource, afterMs?: number): Promise<void> {
    const due = 'CASE WHEN $3::float8 IS NULL OR due_at IS NULL THEN due_at';
    await this.#update(
      [held],
      `holder = NULL, until = NULL, due_at = ${due} ELSE clock_timestamp() + $3 * ${MS} END`,
      afterMs ?? null,
    );
  }

  async hasten(id: string, afterMs: number): Promise<void> {
    const due = `clock_timestamp() + $2 * ${MS}`;
    const { schema } = this.#database;
    await this.#database.ask(`UPDATE ${schema}.sources SET due_at = ${due} WHERE id = $1 AND due_at > ${due}`, [
      id,
      afterMs,
    ]);
  }

  /** Only those still held under their token, in order of name, so that everybody locks them in the same order. */
  async #update(held: readonly HeldSource[], set: string, value: number | null): Promise<ReadonlySet<string>> {
    if (held.length === 0) return new Set();
    const { schema } = this.#database;
    const rows = await this.#database.ask<{ readonly id: string }>(
      `WITH mine AS (
         SELECT source.id FROM ${schema}.sources AS source
           JOIN unnest($1::text[], $2::bigint[]) AS held (id, token) ON held.id = source.id AND held.token = source.token
         WHERE holder IS NOT NULL ORDER BY source.id FOR UPDATE OF source
       )
       UPDATE ${schema}.sources AS source SET ${set} FROM mine WHERE source.id = mine.id RETURNING source.id`,
      [held.map(({ id }) => id), held.map(({ token }) => token), value],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
