import { ignoreKnownError } from '../../../errors/tidings-error.ts';
import {
  type HostMark,
  type HostMemory,
  type KeptMark,
  LONGEST_TURN_PAUSE_MS,
  type TurnAnswer,
  type TurnClaim,
} from '../../../fetch/host-memory.ts';
import { LONGEST_HOST_PAUSE_MS } from '../../../fetch/host-pauses.ts';
import { literal } from '../postgres-tables.ts';
import type { ClusterDatabase } from './cluster-database.ts';

/** Marks that ended this long ago are useless. */
const FORGET_AFTER_MS = 24 * 3600_000;

interface MarkRow {
  readonly mark: HostMark;
  readonly host: string;
  readonly until: number;
}

/** By the clock of the database, whatever is known of the difference to ours. */
const DATABASE_NOW = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** The hosts of all processes of a hub. Moments are kept by the clock of the database. The database is not its own. */
export async function openPostgresHostMemory(
  database: ClusterDatabase,
  { nowMs }: { readonly nowMs: number },
): Promise<HostMemory> {
  // Whoever begins without the database asks it later.
  await tidyHosts(database, nowMs).catch(ignoreKnownError);
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
  /** The turns that this process has, by host: until when. */
  readonly #taken = new Map<string, number>();

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

  /**
   * Claims of one host's turn are serialised. If no answer arrives, the host is busy until the lease of the turn ends. A process whose clock runs ahead does
   * not begin before a pause is over.
   */
  async claimTurn(host: string, { nowMs, busyUntilMs }: TurnClaim): Promise<TurnAnswer> {
    const { schema, schemaName } = this.#database;
    const marks = `FROM ${schema}.hosts WHERE mark IN ('busy', 'turn') AND host = ${literal(host)}`;
    const now = this.#theirs(nowMs);
    const busyUntil = this.#theirs(busyUntilMs);
    const [, rows = []] = await this.#database.askTogether([
      `SELECT pg_advisory_xact_lock(hashtextextended(${literal(`tidings ${schemaName} ${host}`)}, 0))`,
      `WITH moment AS MATERIALIZED (SELECT least(${now}, ${DATABASE_NOW}) AS now), found AS (SELECT mark, until_ms ${marks}),
         against AS (SELECT mark, until_ms FROM found, moment WHERE until_ms > now AND until_ms <= now + ${LONGEST_TURN_PAUSE_MS}),
         taken AS (
           INSERT INTO ${schema}.hosts SELECT 'busy', ${literal(host)}, ${busyUntil} WHERE NOT EXISTS (SELECT FROM against)
           ON CONFLICT (mark, host) DO UPDATE SET until_ms = excluded.until_ms
         )
       SELECT mark, until_ms::float8 AS until FROM against`,
    ]);
    const against = rows as readonly MarkRow[];
    if (against.length === 0) this.#taken.set(host, busyUntil);
    const untilOf = (wanted: HostMark) => {
      const until = against.find(({ mark }) => mark === wanted)?.until;
      return until === undefined ? 0 : this.#ours(until);
    };
    return { busyUntilMs: untilOf('busy'), turnAtMs: untilOf('turn') };
  }

  /**
   * Does not wait for the disk of the database: if that loses it, the host is busy until the lease of the turn ends. The pause counts from when the database
   * receives it. A turn that another process has by now, because this one was too late, is left alone.
   */
  async endTurn(host: string, turnAtMs: number): Promise<void> {
    const { schema, clock } = this.#database;
    const taken = this.#taken.get(host) ?? 0;
    this.#taken.delete(host);
    const leftMs = Math.trunc(Math.min(clock.untilMs(turnAtMs), LONGEST_TURN_PAUSE_MS));
    const counted = leftMs > 0 ? `greatest($2, ${DATABASE_NOW} + ${leftMs})` : '$2';
    await this.#database.ask(
      `WITH soon AS (SELECT set_config('synchronous_commit', 'off', true)),
         free AS (UPDATE ${schema}.hosts SET until_ms = 0 FROM soon WHERE mark = 'busy' AND host = $1 AND until_ms = $3)
       INSERT INTO ${schema}.hosts AS kept (mark, host, until_ms) SELECT 'turn', $1, ${counted} FROM soon
       ON CONFLICT (mark, host) DO UPDATE SET until_ms = excluded.until_ms`,
      [host, this.#theirs(turnAtMs), taken],
    );
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
       SELECT row.* FROM unnest($1::text[], $2::text[], $3::bigint[]) AS row ON CONFLICT (mark, host) DO UPDATE SET ${onConflict}`,
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
