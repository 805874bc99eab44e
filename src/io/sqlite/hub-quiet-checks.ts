import type { CheckRecord, SourceCheck, SourceHealth } from '../../hub/store/hub-store.ts';
import type { SqliteDatabase, SqliteStatement } from './database.ts';
import { decodeStored } from './follow-tables.ts';

/** A check that found nothing, and the health of its source after it. */
export interface QuietCheck extends SourceCheck {
  /** Its number among all checks of its source, from 1. */
  readonly number: number;
}

/** What the tables of the sources say of one. */
export interface StoredSource {
  readonly health: SourceHealth;
  /** How many checks it has had. */
  readonly checks: number;
}

/** A source, the number of the check, and what differs from before; only the id if the source was forgotten. */
type WrittenCheck = readonly [
  id: string,
  number?: number,
  check?: Omit<CheckRecord, 'source' | 'outcome' | 'changes'> & Partial<Pick<CheckRecord, 'outcome'>>,
  health?: Readonly<Record<string, unknown>>,
];

/**
 * Checks that found nothing, of many sources in one row for each commit: their sources would cost a page each.
 *
 * They wait here until they are moved to the tables of the sources, many of one source at a time. Moved checks are recognised by their number, so that a row
 * can stay until all of it was moved. Writes belong into a transaction of the caller, which calls `added` and `dropped` after its commit.
 */
export class HubQuietChecks {
  readonly #file: string;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #waiting = new Map<string, QuietCheck[]>();
  #size = 0;
  #lastRow = 0;

  constructor(database: SqliteDatabase, file: string) {
    this.#file = file;
    this.#sql = prepare(database);
  }

  /** How many wait. */
  get size(): number {
    return this.#size;
  }

  get lastRow(): number {
    return this.#lastRow;
  }

  sources(): string[] {
    return [...this.#waiting.keys()];
  }

  of(source: string): readonly QuietCheck[] {
    return this.#waiting.get(source) ?? [];
  }

  /** Reads what is written. */
  load(storedOf: (source: string) => StoredSource | undefined): void {
    this.#waiting.clear();
    this.#size = 0;
    for (const row of this.#sql.rows.all() as { readonly number: number; readonly body: string }[]) {
      this.#lastRow = row.number;
      for (const written of decodeStored(row.body, this.#file) as WrittenCheck[]) this.#take(written, storedOf);
    }
  }

  #take([source, number, check, patch = {}]: WrittenCheck, storedOf: (id: string) => StoredSource | undefined): void {
    if (number === undefined || check === undefined) {
      this.dropped([source]);
      return;
    }
    const stored = this.of(source).at(-1) ?? storedOf(source);
    const known = stored === undefined || 'number' in stored ? stored?.number : stored.checks;
    if (stored === undefined || known === undefined || number <= known) return;
    const health = patched(stored.health, patch);
    this.#wait([{ number, check: { source, outcome: 'ok', changes: 0, ...check }, health }]);
  }

  /** `before` gives how a source stood before its check. */
  write(checks: readonly QuietCheck[], before: (source: string) => SourceHealth): void {
    const stood = new Map<string, SourceHealth>();
    const body = checks.map(({ number, check, health }): WrittenCheck => {
      const { source, outcome, changes: _, ...rest } = check;
      const patch = patchOf(stood.get(source) ?? before(source), health);
      stood.set(source, health);
      return [source, number, { ...rest, ...(outcome !== 'ok' && { outcome }) }, patch];
    });
    if (body.length > 0) this.#sql.put.run(JSON.stringify(body));
  }

  /** The source is gone; one that comes again under its id is another. */
  writeForgotten(source: string): void {
    // Moved checks also stay in a row for a while.
    if (this.#newestRow() !== undefined) this.#sql.put.run(JSON.stringify([[source]]));
  }

  /** Everything in rows up to this one was carried over. */
  deleteRows(upTo: number): void {
    this.#sql.drop.run(upTo);
  }

  added(checks: readonly QuietCheck[]): void {
    this.#wait(checks);
    this.#lastRow = this.#newestRow() ?? 0;
  }

  #wait(checks: readonly QuietCheck[]): void {
    for (const quiet of checks) {
      const { source } = quiet.check;
      const waiting = this.#waiting.get(source);
      if (waiting === undefined) this.#waiting.set(source, [quiet]);
      else waiting.push(quiet);
    }
    this.#size += checks.length;
  }

  dropped(sources: Iterable<string>): void {
    for (const source of sources) {
      this.#size -= this.of(source).length;
      this.#waiting.delete(source);
    }
  }

  #newestRow(): number | undefined {
    const { number } = this.#sql.last.get() as { readonly number: number | null };
    return number ?? undefined;
  }
}

/** By key: the new value, or null if it was removed. */
function patchOf(before: SourceHealth, after: SourceHealth): Record<string, unknown> {
  const [old, now] = [
    new Map<string, unknown>(Object.entries(before)),
    new Map<string, unknown>(Object.entries(after)),
  ];
  const patch: Record<string, unknown> = {};
  for (const key of old.keys()) if (!now.has(key)) patch[key] = null;
  for (const [key, value] of now) if (JSON.stringify(old.get(key)) !== JSON.stringify(value)) patch[key] = value;
  return patch;
}

function patched(before: SourceHealth, patch: Readonly<Record<string, unknown>>): SourceHealth {
  const entries = Object.entries({ ...before, ...patch }).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as unknown as SourceHealth;
}

function prepare(database: SqliteDatabase) {
  const sql = (text: string): SqliteStatement => database.prepare(text);
  return {
    rows: sql('SELECT number, body FROM hub_quiet_checks ORDER BY number'),
    last: sql('SELECT max(number) AS number FROM hub_quiet_checks'),
    put: sql('INSERT INTO hub_quiet_checks (body) VALUES (?)'),
    drop: sql('DELETE FROM hub_quiet_checks WHERE number <= ?'),
  };
}
