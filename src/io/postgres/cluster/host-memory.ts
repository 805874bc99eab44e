import { ignoreUnavailable } from '../../../errors/log-error.ts';
import {
  answerClaim,
  type HostMark,
  type HostMemory,
  type KeptMark,
  type TurnAnswer,
  type TurnClaim,
} from '../../../fetch/host-memory.ts';
import { LONGEST_HOST_PAUSE_MS } from '../../../fetch/host-pauses.ts';
import type { ClusterDatabase } from './cluster-database.ts';

/** Of a mark that ended so long ago nothing is of use. */
const FORGET_AFTER_MS = 24 * 3600_000;

interface MarkRow {
  readonly mark: HostMark;
  readonly host: string;
  readonly until: number;
}

/** The hosts of all processes of a hub. Moments are kept by the clock of the database. The database is not its own. */
export async function openPostgresHostMemory(
  database: ClusterDatabase,
  { nowMs }: { readonly nowMs: number },
): Promise<HostMemory> {
  // Whoever begins without the database asks it later.
  await tidyHosts(database, nowMs).catch(ignoreUnavailable);
  return new PostgresHostMemory(database);
}

async function tidyHosts(database: ClusterDatabase, nowMs: number): Promise<void> {
  const now = Math.trunc(database.clock.toTheirs(nowMs));
  await database.ask(`DELETE FROM ${database.schema}.hosts WHERE until_ms < $1`, [now - FORGET_AFTER_MS]);
  await database.ask(`UPDATE ${database.schema}.hosts SET until_ms = $1 WHERE mark = 'pause' AND until_ms > $1`, [
    now + LONGEST_HOST_PAUSE_MS,
  ]);
}

class PostgresHostMemory implements HostMemory {
  readonly #database: ClusterDatabase;

  constructor(database: ClusterDatabase) {
    this.#database = database;
  }

  async until(mark: HostMark, host: string): Promise<number> {
    const [row] = await this.#rows('mark = $1 AND host = $2', [mark, host]);
    return row === undefined ? 0 : this.#ours(row.until);
  }

  async extend(mark: HostMark, host: string, untilMs: number): Promise<void> {
    await this.#put([[mark, host, this.#theirs(untilMs)]], 'until_ms = greatest(kept.until_ms, excluded.until_ms)');
  }

  async forget(mark: HostMark, host: string): Promise<void> {
    await this.#database.ask(`DELETE FROM ${this.#database.schema}.hosts WHERE mark = $1 AND host = $2`, [mark, host]);
  }

  async marked(wanted: HostMark): Promise<readonly KeptMark[]> {
    const rows = await this.#rows('mark = $1 ORDER BY host', [wanted]);
    return rows.map(({ mark, host, until }) => ({ mark, host, untilMs: this.#ours(until) }));
  }

  /** Those who claim the turn of one host take turns themselves. */
  async claimTurn(host: string, { nowMs, busyUntilMs }: TurnClaim): Promise<TurnAnswer> {
    const { schema, schemaName } = this.#database;
    return await this.#database.inTransaction(async (session) => {
      await session.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`tidings ${schemaName} ${host}`]);
      const rows = await session.query<MarkRow>(
        `SELECT mark, until_ms::float8 AS until FROM ${schema}.hosts WHERE mark IN ('busy', 'turn') AND host = $1`,
        [host],
      );
      const untilOf = (wanted: HostMark) => this.#ours(rows.find(({ mark }) => mark === wanted)?.until ?? 0);
      const answer = answerClaim(untilOf('busy'), untilOf('turn'), nowMs);
      if (answer.busyUntilMs === 0 && answer.turnAtMs === 0) {
        await session.query(
          `INSERT INTO ${schema}.hosts VALUES ('busy', $1, $2) ON CONFLICT (mark, host) DO UPDATE SET until_ms = excluded.until_ms`,
          [host, this.#theirs(busyUntilMs)],
        );
      }
      return answer;
    });
  }

  async endTurn(host: string, turnAtMs: number): Promise<void> {
    const rows = [
      ['busy', host, 0],
      ['turn', host, this.#theirs(turnAtMs)],
    ] as const;
    await this.#put(rows, 'until_ms = excluded.until_ms');
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #rows(where: string, values: readonly string[]): Promise<readonly MarkRow[]> {
    return await this.#database.ask<MarkRow>(
      `SELECT mark, host, until_ms::float8 AS until FROM ${this.#database.schema}.hosts WHERE ${where}`,
      values,
    );
  }

  async #put(rows: readonly (readonly [HostMark, string, number])[], onConflict: string): Promise<void> {
    await this.#database.ask(
      `INSERT INTO ${this.#database.schema}.hosts AS kept (mark, host, until_ms)
       SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) ON CONFLICT (mark, host) DO UPDATE SET ${onConflict}`,
      [rows.map(([mark]) => mark), rows.map(([, host]) => host), rows.map(([, , until]) => until)],
    );
  }

  #theirs(ms: number): number {
    return Math.trunc(Math.min(this.#database.clock.toTheirs(ms), Number.MAX_SAFE_INTEGER));
  }

  #ours(ms: number): number {
    return this.#database.clock.toOurs(ms);
  }
}
