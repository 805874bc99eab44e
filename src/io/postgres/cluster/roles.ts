import type { Roles } from '../../../hub/cluster/roles.ts';
import type { ClusterDatabase } from './cluster-database.ts';

export interface PostgresRolesOptions {
  /** Who takes them: another name for each start of a process. */
  readonly holder: string;
  readonly leaseMs: number;
}

export class PostgresRoles implements Roles {
  readonly #database: ClusterDatabase;
  readonly #options: PostgresRolesOptions;

  constructor(database: ClusterDatabase, options: PostgresRolesOptions) {
    this.#database = database;
    this.#options = options;
  }

  async take(name: string): Promise<number | undefined> {
    const { schema } = this.#database;
    const token = `nextval('${schema.replaceAll("'", "''")}.tokens')`;
    const [row] = await this.#database.ask<{ readonly token: number }>(
      `INSERT INTO ${schema}.roles AS role (name, holder, token, until) VALUES ($1, $2, ${token}, ${LATER})
       ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, token = excluded.token, until = excluded.until
       WHERE role.holder IS NULL OR role.holder = excluded.holder OR role.until <= clock_timestamp()
       RETURNING token::float8`,
      [name, this.#options.holder, this.#options.leaseMs],
    );
    return row?.token;
  }

  async renew(name: string, token: number): Promise<boolean> {
    const rows = await this.#database.ask(
      `UPDATE ${this.#database.schema}.roles SET until = ${LATER} WHERE name = $1 AND holder IS NOT NULL AND token = $2 RETURNING name`,
      [name, token, this.#options.leaseMs],
    );
    return rows.length > 0;
  }

  async release(name: string, token: number): Promise<void> {
    await this.#database.ask(
      `UPDATE ${this.#database.schema}.roles SET holder = NULL, until = NULL WHERE name = $1 AND token = $2`,
      [name, token],
    );
  }
}

const LATER = "clock_timestamp() + $3 * interval '1 millisecond'";
