import type { CheckRecord, SourceCheck, SourceHealth, WatchedSource } from '../../hub/store/hub-store.ts';
import type { SqliteDatabase, SqliteStatement } from './database.ts';
import { decodeStored } from './follow-tables.ts';

/** So many checks of a source are kept; the next one takes the place of the oldest. */
const KEPT_CHECKS = 500;

/** What a hub watches, and its checks. Throws what SQLite throws; what writes belongs into a transaction of the caller. */
export class HubSources {
  readonly #file: string;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: SqliteDatabase, file: string) {
    this.#file = file;
    this.#sql = prepare(database);
  }

  all(): WatchedSource[] {
    return (this.#sql.sources.all() as SourceRow[]).map((row) => this.#decode(row));
  }

  has(id: string): boolean {
    return this.#sql.has.get(id) !== undefined;
  }

  put({ health, allowDeletes, ...watched }: WatchedSource): void {
    const isAllowed = Number(allowDeletes ?? false);
    this.#sql.put.run(watched.config.id, JSON.stringify(watched), JSON.stringify(health), isAllowed);
  }

  forget(id: string): void {
    this.#sql.forget.run(id);
    this.#sql.forgetChecks.run(id);
  }

  /** Of a source that is gone, nothing. */
  record({ check, health }: SourceCheck): void {
    const staysAllowed = Number(check.outcome === 'error');
    const row: unknown = this.#sql.check.get(JSON.stringify(health), staysAllowed, check.source);
    if (row === undefined) return;
    const { checks: number } = row as { readonly checks: number };
    this.#sql.putCheck.run(check.source, number % KEPT_CHECKS, number, JSON.stringify(check));
  }

  checksOf(id: string, limit: number): CheckRecord[] {
    const rows = this.#sql.checks.all(id, Math.min(limit, KEPT_CHECKS)) as { readonly body: string }[];
    return rows.map(({ body }) => decodeStored(body, this.#file) as CheckRecord);
  }

  dropChecks(id: string, beforeMs: number): void {
    this.#sql.dropChecks.run(id, beforeMs);
  }

  #decode(row: SourceRow): WatchedSource {
    return {
      ...(decodeStored(row.watched, this.#file) as Omit<WatchedSource, 'health' | 'allowDeletes'>),
      ...(row.allow_deletes === 1 && { allowDeletes: true }),
      health: decodeStored(row.health, this.#file) as SourceHealth,
    };
  }
}

interface SourceRow {
  readonly watched: string;
  readonly health: string;
  readonly allow_deletes: number;
}

function prepare(database: SqliteDatabase) {
  const sql = (text: string): SqliteStatement => database.prepare(text);
  return {
    sources: sql('SELECT watched, health, allow_deletes FROM hub_sources ORDER BY id'),
    has: sql('SELECT 1 FROM hub_sources WHERE id = ?'),
    put: sql(
      `INSERT INTO hub_sources (id, watched, health, allow_deletes) VALUES (?, ?, ?, ?) ON CONFLICT (id)
       DO UPDATE SET watched = excluded.watched, health = excluded.health, allow_deletes = excluded.allow_deletes`,
    ),
    forget: sql('DELETE FROM hub_sources WHERE id = ?'),
    forgetChecks: sql('DELETE FROM hub_checks WHERE source = ?'),
    check: sql(
      `UPDATE hub_sources SET health = ?, allow_deletes = allow_deletes AND ?, checks = checks + 1
       WHERE id = ? RETURNING checks`,
    ),
    putCheck: sql('INSERT OR REPLACE INTO hub_checks (source, slot, number, body) VALUES (?, ?, ?, ?)'),
    dropChecks: sql(`DELETE FROM hub_checks WHERE source = ? AND body ->> '$.atMs' < ?`),
    checks: sql('SELECT body FROM hub_checks WHERE source = ? ORDER BY number DESC LIMIT ?'),
  };
}
