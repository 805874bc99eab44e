import type { KeyUsageStore, OwnerUsage, UsageDay } from '../../hub/keys/key-usage.ts';
import { inTransaction, type SqliteDatabase } from './database.ts';
import type { LogDatabase } from './log.ts';

/** Owners are the hashes of keys: 32 bytes and not the 64 characters of their hex. */
const TABLE = `
  CREATE TABLE IF NOT EXISTS hub_key_usage (
    owner BLOB NOT NULL, day INTEGER NOT NULL, requests INTEGER NOT NULL, bytes INTEGER NOT NULL,
    refused INTEGER NOT NULL, last_ms INTEGER NOT NULL, PRIMARY KEY (owner, day)
  ) STRICT, WITHOUT ROWID;
`;

/** A reader that finds none makes it empty and for itself alone. */
export function ensureKeyUsageTable(database: SqliteDatabase, { readonly }: { readonly readonly: boolean }): void {
  const found = `SELECT 1 FROM sqlite_schema WHERE name = 'hub_key_usage'`;
  if (database.prepare(found).get() !== undefined) return;
  if (readonly) database.exec(TABLE.replace('CREATE TABLE', 'CREATE TEMP TABLE'));
  else inTransaction(database, () => database.exec(TABLE));
}

/** What was asked with the API keys of a hub, in its database. */
export class SqliteKeyUsage implements KeyUsageStore {
  readonly #opened: LogDatabase;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(opened: LogDatabase) {
    this.#opened = opened;
    this.#sql = prepare(opened.database);
  }

  async addUsage(counts: readonly OwnerUsage[], firstDay: number): Promise<void> {
    this.#opened.log.appendWith([], () => this.add(counts, firstDay));
  }

  /** Within the caller's transaction. */
  add(counts: readonly OwnerUsage[], firstDay: number): void {
    for (const { owner, day, requests, bytes, refused, lastMs } of counts) {
      this.#sql.add.run(Buffer.from(owner, 'hex'), day, requests, bytes, refused, Math.trunc(lastMs));
    }
    this.#sql.drop.run(firstDay);
  }

  async usageOf(owner: string): Promise<readonly UsageDay[]> {
    return this.#opened.log.ask(() => (this.#sql.of.all(Buffer.from(owner, 'hex')) as UsageRow[]).map(dayOf));
  }

  async allUsage(): Promise<readonly OwnerUsage[]> {
    return this.#opened.log.ask(() =>
      (this.#sql.all.all() as (UsageRow & { readonly owner: Uint8Array })[]).map((row) => ({
        ...dayOf(row),
        owner: Buffer.from(row.owner).toString('hex'),
      })),
    );
  }
}

interface UsageRow {
  readonly day: number;
  readonly requests: number;
  readonly bytes: number;
  readonly refused: number;
  readonly last_ms: number;
}

function dayOf({ day, requests, bytes, refused, last_ms: lastMs }: UsageRow): UsageDay {
  return { day, requests, bytes, refused, lastMs };
}

function prepare(database: SqliteDatabase) {
  const columns = 'day, requests, bytes, refused, last_ms';
  return {
    add: database.prepare(
      `INSERT INTO hub_key_usage (owner, ${columns}) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (owner, day) DO UPDATE SET requests = requests + excluded.requests, bytes = bytes + excluded.bytes,
         refused = refused + excluded.refused, last_ms = max(last_ms, excluded.last_ms)`,
    ),
    drop: database.prepare('DELETE FROM hub_key_usage WHERE day < ?'),
    of: database.prepare(`SELECT ${columns} FROM hub_key_usage WHERE owner = ? ORDER BY day`),
    all: database.prepare(`SELECT owner, ${columns} FROM hub_key_usage ORDER BY owner, day`),
  };
}
