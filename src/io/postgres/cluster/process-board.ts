import type { ProcessBoard, ProcessFacts, SeenProcess } from '../../../hub/cluster/process-board.ts';
import type { ClusterDatabase } from './cluster-database.ts';

export interface PostgresProcessBoardOptions {
  /** Another one for each start of a process. */
  readonly id: string;
  /** `serve` or `worker`. */
  readonly kind: string;
}

/** A process that was silent for this long is gone. */
const GONE = "clock_timestamp() - interval '1 hour'";

export class PostgresProcessBoard implements ProcessBoard {
  readonly #database: ClusterDatabase;
  readonly #options: PostgresProcessBoardOptions;

  constructor(database: ClusterDatabase, options: PostgresProcessBoardOptions) {
    this.#database = database;
    this.#options = options;
  }

  /** Also sees whether the clocks still go as they did. */
  async say({ rev, facts }: ProcessFacts): Promise<void> {
    const { id, kind } = this.#options;
    const { schema } = this.#database;
    await this.#database.ask(
      `WITH gone AS (DELETE FROM ${schema}.processes WHERE seen_at < ${GONE} AND id <> $1)
       INSERT INTO ${schema}.processes (id, kind, started_at, seen_at, rev, facts)
       VALUES ($1, $2, clock_timestamp(), clock_timestamp(), $3, $4)
       ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, rev = excluded.rev, facts = excluded.facts`,
      [id, kind, rev, JSON.stringify(facts)],
    );
    await this.#database.compareClocks();
  }

  async all(): Promise<readonly SeenProcess[]> {
    const { schema, clock } = this.#database;
    const rows = await this.#database.ask<SeenProcess>(
      `SELECT process.id, kind, (extract(epoch FROM started_at) * 1000)::float8 AS "startedAtMs",
         (extract(epoch FROM clock_timestamp() - seen_at) * 1000)::float8 AS "silentMs",
         process.rev::float8, greatest(0, head.rev - process.rev)::float8 AS behind, facts
       FROM ${schema}.processes AS process, ${schema}.head AS head WHERE seen_at >= ${GONE} ORDER BY started_at, process.id`,
    );
    return rows.map((row) => ({ ...row, startedAtMs: Math.round(clock.toOurs(row.startedAtMs)) }));
  }

  async leave(): Promise<void> {
    await this.#database.ask(`DELETE FROM ${this.#database.schema}.processes WHERE id = $1`, [this.#options.id]);
  }
}
