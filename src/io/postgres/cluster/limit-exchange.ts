import type { LimitExchange, LimitReport, SharedCount } from '../../../hub/keys/limit-exchange.ts';
import type { ClusterDatabase } from './cluster-database.ts';

interface CountRow {
  readonly name: string;
  readonly client: string;
  readonly total: number;
  readonly left: number;
}

/** Windows that have ended are dropped this seldom. */
const TIDY_EVERY = 100;

/** Counts of all processes, one row for each client with an open window, which the clock of the database ends. */
export class PostgresLimitExchange implements LimitExchange {
  readonly #database: ClusterDatabase;
  #calls = 0;

  constructor(database: ClusterDatabase) {
    this.#database = database;
  }

  /** Must not run twice: a single statement would be repeated if the connection is lost. */
  async report(reports: readonly LimitReport[]): Promise<readonly SharedCount[]> {
    const { schema } = this.#database;
    const isTidying = this.#calls % TIDY_EVERY === 0;
    this.#calls += 1;
    const rows = await this.#database.inTransaction(async (session) => {
      if (isTidying) {
        const over = `SELECT name, client FROM ${schema}.limits WHERE ends_at < clock_timestamp() FOR UPDATE SKIP LOCKED`;
        await session.query(`DELETE FROM ${schema}.limits WHERE (name, client) IN (${over})`);
      }
      return await session.query<CountRow>(countStatement(schema), [
        reports.map(({ limit }) => limit),
        reports.map(({ client }) => client),
        reports.map(({ count }) => count),
        reports.map(({ leftMs }) => leftMs),
      ]);
    });
    const found = new Map(rows.map((row) => [`${row.name} ${row.client}`, row]));
    return reports.map(({ limit, client, count, leftMs }) => {
      const row = found.get(`${limit} ${client}`);
      return { total: row?.total ?? count, leftMs: row?.left ?? leftMs };
    });
  }
}

/** In the same order for all, or two processes could deadlock. An ended window begins again. */
function countStatement(schema: string): string {
  return `
    INSERT INTO ${schema}.limits AS kept (name, client, total, ends_at)
    SELECT name, client, count, clock_timestamp() + left_ms * interval '1 millisecond'
    FROM unnest($1::text[], $2::text[], $3::integer[], $4::float8[]) AS row (name, client, count, left_ms)
    ORDER BY name, client
    ON CONFLICT (name, client) DO UPDATE SET
      total = CASE WHEN kept.ends_at <= clock_timestamp() THEN 0 ELSE kept.total END + excluded.total,
      ends_at = CASE WHEN kept.ends_at <= clock_timestamp() THEN excluded.ends_at ELSE kept.ends_at END
    RETURNING name, client, total, greatest(0, extract(epoch FROM ends_at - clock_timestamp()) * 1000)::float8 AS left
  `;
}
