import type { CheckRecord, SourceCheck, SourceHealth, WatchedSource } from '../../hub/store/hub-store.ts';
import type { SqliteDatabase, SqliteStatement } from './database.ts';
import { decodeStored } from './follow-tables.ts';
import { HubQuietChecks, type QuietCheck, type StoredSource } from './hub-quiet-checks.ts';

/** How many checks are kept per source; the next one replaces the oldest. */
const KEPT_CHECKS = 500;

export const HOUR_MS = 3600_000;
/** What a check takes beside its body: its key and its number. */
const CHECK_ROW_BYTES = 40;

/** How many quiet checks may wait per source, and in all, before they are moved to the tables. */
const WAITING_PER_SOURCE = 8;
const LEAST_WAITING = 2000;
/** How many sources are moved in one commit, which must not take long. */
const CARRIED_AT_ONCE = 100;

/** What is to be done when the transaction is committed: what is known of the tables in memory follows them. */
export type Settle = () => void;

export interface HubSourcesOptions {
  readonly database: SqliteDatabase;
  readonly file: string;
  readonly readonly: boolean;
}

/** What a hub watches, and its checks. Throws what SQLite throws; what writes belongs into a transaction of the caller. */
export class HubSources {
  readonly #file: string;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #quiet: HubQuietChecks;
  readonly #readonly: boolean;
  /** What is being carried over: the last row, and the sources that are left. */
  #carrying: { readonly upTo: number; readonly left: readonly string[] } | undefined;

  constructor({ database, file, readonly }: HubSourcesOptions) {
    this.#file = file;
    this.#sql = prepare(database);
    this.#quiet = new HubQuietChecks(database, file);
    this.#readonly = readonly;
    if (!readonly) this.#load();
  }

  all(): WatchedSource[] {
    if (this.#readonly) this.#load();
    return (this.#sql.sources.all() as SourceRow[]).map((row) => this.#decode(row));
  }

  find(id: string): WatchedSource | undefined {
    if (this.#readonly) this.#load();
    const row = this.#sql.source.get(id) as SourceRow | undefined;
    return row && this.#decode(row);
  }

  has(id: string): boolean {
    return this.#sql.has.get(id) !== undefined;
  }

  put({ health, allowDeletes, ...watched }: WatchedSource): Settle {
    const { id } = watched.config;
    this.#carryOver([id]);
    const isAllowed = Number(allowDeletes ?? false);
    this.#sql.put.run(id, JSON.stringify(watched), JSON.stringify(health), isAllowed);
    return () => this.#quiet.dropped([id]);
  }

  forget(id: string): Settle {
    this.#quiet.writeForgotten(id);
    this.#sql.forget.run(id);
    this.#sql.forgetChecks.run(id);
    return () => this.#quiet.dropped([id]);
  }

  /** Ignores removed sources. Checks that found nothing are written together, and moved to their sources later. */
  record(checks: readonly SourceCheck[]): Settle {
    const quiet: QuietCheck[] = [];
    const carried = new Set<string>();
    const loud = new Set(checks.filter((check) => !this.#isQuiet(check)).map(({ check }) => check.source));
    for (const { check, health } of checks) {
      const { source } = check;
      if (!loud.has(source)) quiet.push(...this.#numbered({ check, health }, quiet));
      else {
        if (!carried.has(source)) this.#carryOver([source]);
        carried.add(source);
        this.#recordNow({ check, health });
      }
    }
    this.#quiet.write(
      quiet,
      (source) => this.#quiet.of(source).at(-1)?.health ?? this.#storedOf(source)?.health ?? NONE,
    );
    const carrying = this.#carrying ?? this.#carryingAll();
    const next = carrying?.left.slice(0, CARRIED_AT_ONCE) ?? [];
    const left = carrying?.left.slice(CARRIED_AT_ONCE) ?? [];
    // Sources with a check that found something are already up to date.
    this.#carryOver(next.filter((source) => !carried.has(source)));
    if (carrying !== undefined && left.length === 0) this.#quiet.deleteRows(carrying.upTo);
    return () => {
      this.#carrying = carrying !== undefined && left.length > 0 ? { ...carrying, left } : undefined;
      this.#quiet.dropped([...next, ...carried]);
      this.#quiet.added(quiet);
    };
  }

  checksOf(id: string, limit: number): CheckRecord[] {
    if (this.#readonly) this.#load();
    const most = Math.min(limit, KEPT_CHECKS);
    const waiting = this.#quiet.of(id).map(({ check }) => check);
    const rows = this.#sql.checks.all(id, most) as { readonly body: string }[];
    const stored = rows.map(({ body }): CheckRecord => {
      const { atMs, tookMs, outcome = 'ok', ...rest } = decodeStored(body, this.#file) as StoredCheck;
      return { source: id, atMs, tookMs, outcome, ...rest };
    });
    return [...waiting.reverse(), ...stored].slice(0, most);
  }

  #load(): void {
    this.#quiet.load((id) => this.#storedOf(id));
  }

  /** One that ends what an operator allowed is not. */
  #isQuiet({ check }: SourceCheck): boolean {
    if (check.outcome === 'error' || check.changes > 0) return false;
    return this.#quiet.of(check.source).length > 0 || this.#storedOf(check.source)?.isAllowed !== true;
  }

  #numbered(found: SourceCheck, earlier: readonly QuietCheck[]): QuietCheck[] {
    const { source } = found.check;
    const before = earlier.findLast(({ check }) => check.source === source) ?? this.#quiet.of(source).at(-1);
    const number = before?.number ?? this.#storedOf(source)?.checks;
    return number === undefined ? [] : [{ ...found, number: number + 1 }];
  }

  #carryingAll(): { readonly upTo: number; readonly left: readonly string[] } | undefined {
    const sources = this.#quiet.sources();
    const isFull = this.#quiet.size >= Math.max(LEAST_WAITING, WAITING_PER_SOURCE * sources.length);
    return isFull ? { upTo: this.#quiet.lastRow, left: sources } : undefined;
  }

  #carryOver(sources: readonly string[]): void {
    for (const source of sources) {
      const waiting = this.#quiet.of(source);
      const last = waiting.at(-1);
      if (last === undefined) continue;
      this.#sql.carry.run(JSON.stringify(last.health), last.number, source);
      for (const { number, check } of waiting.slice(-KEPT_CHECKS)) this.#putCheck(check, number);
    }
  }

  #recordNow({ check, health }: SourceCheck): void {
    const staysAllowed = Number(check.outcome === 'error');
    const row: unknown = this.#sql.check.get(JSON.stringify(health), staysAllowed, check.source);
    if (row === undefined) return;
    this.#putCheck(check, (row as { readonly checks: number }).checks);
  }

  #putCheck(check: CheckRecord, number: number): void {
    const { source, outcome, ...rest } = check;
    const body = JSON.stringify({ ...rest, ...(outcome !== 'ok' && { outcome }) });
    this.#sql.putCheck.run(source, number % KEPT_CHECKS, number, body);
  }

  #storedOf(id: string): (StoredSource & { readonly isAllowed: boolean }) | undefined {
    const row = this.#sql.stored.get(id) as StoredRow | undefined;
    if (row === undefined) return undefined;
    const health = decodeStored(row.health, this.#file) as SourceHealth;
    return { health, checks: row.checks, isAllowed: row.allow_deletes === 1 };
  }

  dropChecks(ids: readonly string[], beforeMs: number): Settle {
    this.#carryOver(ids);
    for (const id of ids) this.#sql.dropChecks.run(id, beforeMs);
    return () => this.#quiet.dropped(ids);
  }

  /** What the checks of a source take, by the hour in which they were made. */
  weighChecks(id: string): readonly { readonly hour: number; readonly bytes: number }[] {
    const waiting = this.#quiet.of(id).map(({ check }) => ({
      hour: Math.floor(check.atMs / HOUR_MS),
      bytes: JSON.stringify(check).length + CHECK_ROW_BYTES,
    }));
    const rows = this.#sql.weighChecks.all(id) as { readonly hour: number; readonly bytes: number }[];
    return [...rows, ...waiting];
  }

  #decode(row: SourceRow): WatchedSource {
    const watched = decodeStored(row.watched, this.#file) as Omit<WatchedSource, 'health' | 'allowDeletes'>;
    const waiting = this.#quiet.of(watched.config.id).at(-1)?.health;
    return {
      ...watched,
      ...(row.allow_deletes === 1 && { allowDeletes: true }),
      health: waiting ?? (decodeStored(row.health, this.#file) as SourceHealth),
    };
  }
}

/** A check without its source, and without its outcome if that is `ok`. */
type StoredCheck = Omit<CheckRecord, 'source' | 'outcome'> & Partial<Pick<CheckRecord, 'outcome'>>;

/** For a source that is written for the first time. */
const NONE: SourceHealth = { changed: false, failures: 0, intervalMs: 0, dueAtMs: 0, changeGapsMs: [] };

interface StoredRow {
  readonly health: string;
  readonly checks: number;
  readonly allow_deletes: number;
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
    source: sql('SELECT watched, health, allow_deletes FROM hub_sources WHERE id = ?'),
    stored: sql('SELECT health, checks, allow_deletes FROM hub_sources WHERE id = ?'),
    carry: sql('UPDATE hub_sources SET health = ?, checks = ? WHERE id = ?'),
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
    weighChecks: sql(
      `SELECT CAST(body ->> '$.atMs' AS INTEGER) / ${HOUR_MS} AS hour, sum(length(body) + ${CHECK_ROW_BYTES}) AS bytes
       FROM hub_checks WHERE source = ? GROUP BY hour`,
    ),
    checks: sql('SELECT body FROM hub_checks WHERE source = ? ORDER BY number DESC LIMIT ?'),
  };
}
