import { type ApiKeyStep, SteppedApiKeys } from '../../hub/keys/api-key-steps.ts';
import type { ApiKeyRecord, ApiKeyStore, KeyStanding } from '../../hub/keys/api-key-store.ts';
import { inTransaction, type SqliteDatabase, type SqliteStatement } from './database.ts';
import { decodeStored } from './follow-tables.ts';
import type { LogDatabase } from './log.ts';

/** Columns that no query needs are in `body`, as JSON. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS hub_api_keys (
    number INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, session TEXT UNIQUE, subscription TEXT,
    revoked_ms INTEGER, revoked_for TEXT, body TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS hub_webhooks (event TEXT PRIMARY KEY, at_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

const NOT_FOR_GOOD = `(revoked_ms IS NULL OR revoked_for = 'unpaid')`;
/** No provider sends an event again so late. */
const WEBHOOKS_KEPT_MS = 90 * 86_400_000;

/** A reader that finds none makes them empty and for itself alone. */
export function ensureApiKeyTables(database: SqliteDatabase, { readonly }: { readonly readonly: boolean }): void {
  const found = `SELECT count(*) AS found FROM sqlite_schema WHERE name IN ('hub_api_keys', 'hub_webhooks')`;
  const { found: tables } = database.prepare(found).get() as { readonly found: number };
  if (tables === 2) return;
  if (readonly) database.exec(TABLES.replaceAll('CREATE TABLE', 'CREATE TEMP TABLE'));
  else inTransaction(database, () => database.exec(TABLES));
}

/** The API keys of a hub in its database. Each step is a transaction of the log's own handle. */
export function sqliteApiKeyStore(tables: SqliteApiKeys, { log }: LogDatabase): ApiKeyStore {
  return new SteppedApiKeys({
    read: () => tables.all(),
    write: async (step) => {
      let isDone = false;
      log.appendWith([], () => {
        isDone = tables.take(step);
      });
      return isDone;
    },
  });
}

export class SqliteApiKeys {
  readonly #opened: LogDatabase;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(opened: LogDatabase) {
    this.#opened = opened;
    this.#sql = prepare(opened.database);
  }

  async all(): Promise<readonly ApiKeyRecord[]> {
    const { log, file } = this.#opened;
    return log.ask(() => (this.#sql.all.all() as KeyRow[]).map((row) => recordOf(row, file)));
  }

  /** Within the caller's transaction. Whether it was done. */
  take(step: ApiKeyStep): boolean {
    switch (step.do) {
      case 'add':
        return this.#insert(step.record) > 0;
      case 'revoke':
        return changesOf(this.#sql.revoke.run(Math.trunc(step.atMs), step.for, step.hash)) > 0;
      case 'settle':
        return this.#settle(step.hash, step.standing);
      case 'rotate':
        return this.#rotate(step.hash, step.next);
      case 'webhook':
        this.#sql.forgetWebhooks.run(Math.trunc(step.atMs) - WEBHOOKS_KEPT_MS);
        return changesOf(this.#sql.webhook.run(step.event, Math.trunc(step.atMs))) > 0;
    }
  }

  #settle(hash: string, { revokedMs, revokedFor, heardMs }: KeyStanding): boolean {
    const columns = [revokedMs ?? null, revokedFor ?? null, heardMs ?? null];
    return changesOf(this.#sql.settle.run(...columns, hash)) > 0;
  }

  #rotate(oldHash: string, next: ApiKeyRecord): boolean {
    const old = this.#sql.counting.get(oldHash) as TakenOver | undefined;
    if (old === undefined) return false;
    this.#sql.rotate.run(Math.trunc(next.createdMs), oldHash);
    const { session, subscription, heard_ms: heardMs } = old;
    const { session: _session, subscription: _subscription, heardMs: _heardMs, ...rest } = next;
    return (
      this.#insert({
        ...rest,
        ...(session && { session }),
        ...(subscription && { subscription }),
        ...(heardMs !== null && { heardMs }),
      }) > 0
    );
  }

  #insert({ hash, session, subscription, revokedMs, revokedFor, ...body }: ApiKeyRecord): number {
    const columns = [session ?? null, subscription ?? null, revokedMs ?? null, revokedFor ?? null];
    return changesOf(this.#sql.insert.run(hash, ...columns, JSON.stringify(body)));
  }
}

interface KeyRow {
  readonly hash: string;
  readonly session: string | null;
  readonly subscription: string | null;
  readonly revoked_ms: number | null;
  readonly revoked_for: string | null;
  readonly body: string;
}

interface TakenOver extends Pick<KeyRow, 'session' | 'subscription'> {
  readonly heard_ms: number | null;
}

function recordOf({ hash, session, subscription, revoked_ms, revoked_for, body }: KeyRow, file: string): ApiKeyRecord {
  return {
    ...(decodeStored(body, file) as Omit<ApiKeyRecord, 'hash'>),
    hash,
    ...(session !== null && { session }),
    ...(subscription !== null && { subscription }),
    ...(revoked_ms !== null && { revokedMs: revoked_ms }),
    ...(revoked_for !== null && { revokedFor: revoked_for }),
  };
}

function changesOf({ changes }: { readonly changes: number | bigint }): number {
  return Number(changes);
}

function prepare(database: SqliteDatabase) {
  const sql = (text: string): SqliteStatement => database.prepare(text);
  return {
    all: sql('SELECT hash, session, subscription, revoked_ms, revoked_for, body FROM hub_api_keys ORDER BY number'),
    insert: sql(
      `INSERT INTO hub_api_keys (hash, session, subscription, revoked_ms, revoked_for, body)
       VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ),
    revoke: sql(`UPDATE hub_api_keys SET revoked_ms = ?, revoked_for = ? WHERE hash = ? AND ${NOT_FOR_GOOD}`),
    settle: sql(
      `UPDATE hub_api_keys SET revoked_ms = ?, revoked_for = ?, body = json_set(body, '$.heardMs', ?)
       WHERE hash = ? AND ${NOT_FOR_GOOD}`,
    ),
    counting: sql(
      `SELECT session, subscription, json_extract(body, '$.heardMs') AS heard_ms
       FROM hub_api_keys WHERE hash = ? AND revoked_ms IS NULL`,
    ),
    rotate: sql(
      `UPDATE hub_api_keys SET revoked_ms = ?, revoked_for = 'rotated', session = NULL, subscription = NULL
       WHERE hash = ?`,
    ),
    webhook: sql('INSERT INTO hub_webhooks (event, at_ms) VALUES (?, ?) ON CONFLICT DO NOTHING'),
    forgetWebhooks: sql('DELETE FROM hub_webhooks WHERE at_ms < ?'),
  };
}
