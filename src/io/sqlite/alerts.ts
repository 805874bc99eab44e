import { nextUlid } from '../../codecs/primitives/ulid.ts';
import { type Alert, type AlertEvent, alertName } from '../../hub/alerts/alert.ts';
import { type AlertStore, type AlertWrite, KEPT_ALERT_EVENTS } from '../../hub/alerts/alert-store.ts';
import type { LogPlace } from '../../hub/push/push-log.ts';
import type { StepListener, StepStore } from '../../hub/store/step-store.ts';
import type { SqliteDatabase } from './database.ts';
import { decodeStored } from './follow-tables.ts';
import type { LogDatabase } from './log.ts';
import { openSteps } from './steps.ts';

const TABLES = `
  CREATE TABLE IF NOT EXISTS hub_alert_events (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS hub_open_alerts (name TEXT PRIMARY KEY, id TEXT NOT NULL, body TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS hub_alert_state (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
`;

/** The alerts of a hub in its database; makes the tables if needed. */
export function openSqliteAlerts(opened: LogDatabase, kept = KEPT_ALERT_EVENTS): AlertStore {
  opened.log.appendWith([], () => opened.database.exec(TABLES));
  return new SqliteAlerts(opened, kept);
}

/** The open alerts, for readers; empty for a hub that never had any. */
export function readOpenAlerts({ log, database, file }: LogDatabase): readonly Alert[] {
  return log.ask(() => {
    const found = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'hub_open_alerts'`).get();
    return found === undefined ? [] : openAlerts(database, file);
  });
}

/** Keeps at most `kept` events. */
class SqliteAlerts implements AlertStore {
  readonly #opened: LogDatabase;
  readonly #kept: number;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #steps: StepStore<AlertWrite>;

  /** Use {@link openSqliteAlerts}. */
  constructor(opened: LogDatabase, kept: number) {
    this.#opened = opened;
    this.#kept = kept;
    this.#sql = prepare(opened.database);
    this.#steps = openSteps(opened, 'alerts', (step: AlertWrite) => this.#apply(step));
  }

  open(): readonly Alert[] {
    const { log, database, file } = this.#opened;
    return log.ask(() => openAlerts(database, file));
  }

  newest(): LogPlace | undefined {
    return this.#opened.log.ask(() => this.#sql.newest.get()) as LogPlace | undefined;
  }

  begins(): LogPlace | undefined {
    const stored = this.state('begins');
    return stored === undefined ? undefined : (decodeStored(stored, this.#opened.file) as LogPlace);
  }

  find(id: string): LogPlace | undefined {
    return this.#opened.log.ask(() => this.#sql.find.get(id)) as LogPlace | undefined;
  }

  seqBefore(timeMs: number): number {
    const first = nextUlid(timeMs, undefined, (size) => new Uint8Array(size));
    const row = this.#opened.log.ask(() => this.#sql.before.get(first)) as LogPlace | undefined;
    return row?.seq ?? 0;
  }

  read(afterSeq: number, limit: number): readonly AlertEvent[] {
    return this.#events(() => this.#sql.read.all(afterSeq, limit));
  }

  recent(limit: number): readonly AlertEvent[] {
    return this.#events(() => this.#sql.recent.all(limit));
  }

  state(name: string): string | undefined {
    const row = this.#opened.log.ask(() => this.#sql.state.get(name)) as { readonly value: string } | undefined;
    return row?.value;
  }

  write(step: AlertWrite): Promise<void> {
    return this.#steps.write(step);
  }

  onWritten(listener: StepListener<AlertWrite>): void {
    this.#steps.onWritten(listener);
  }

  #apply({ events = [], state = {} }: AlertWrite): void {
    for (const event of events) this.#put(event);
    for (const [name, value] of Object.entries(state)) this.#sql.putState.run(name, value);
    this.#cut(events.at(-1)?.seq ?? 0);
  }

  #put(event: AlertEvent): void {
    const { seq, id, type, atMs, alert } = event;
    this.#sql.append.run(seq, id, JSON.stringify({ type, atMs, alert }));
    if (type === 'alert.cleared') this.#sql.close.run(alertName(alert));
    else this.#sql.open.run(alertName(alert), alert.id, JSON.stringify(alert));
  }

  #cut(newest: number): void {
    const cut = this.#sql.place.get(newest - this.#kept) as LogPlace | undefined;
    if (cut === undefined) return;
    this.#sql.putState.run('begins', JSON.stringify(cut));
    this.#sql.drop.run(cut.seq);
  }

  #events(read: () => unknown[]): readonly AlertEvent[] {
    const { log, file } = this.#opened;
    const rows = log.ask(read) as { readonly seq: number; readonly id: string; readonly body: string }[];
    return rows.map(({ seq, id, body }) => ({
      seq,
      id,
      ...(decodeStored(body, file) as Omit<AlertEvent, 'seq' | 'id'>),
    }));
  }
}

function openAlerts(database: SqliteDatabase, file: string): Alert[] {
  const rows = database.prepare('SELECT body FROM hub_open_alerts ORDER BY id').all() as { readonly body: string }[];
  return rows.map(({ body }) => decodeStored(body, file) as Alert);
}

function prepare(database: SqliteDatabase) {
  const columns = 'seq, id, body';
  return {
    newest: database.prepare('SELECT seq, id FROM hub_alert_events ORDER BY seq DESC LIMIT 1'),
    find: database.prepare('SELECT seq, id FROM hub_alert_events WHERE id = ?'),
    before: database.prepare('SELECT seq, id FROM hub_alert_events WHERE id < ? ORDER BY id DESC LIMIT 1'),
    place: database.prepare('SELECT seq, id FROM hub_alert_events WHERE seq <= ? ORDER BY seq DESC LIMIT 1'),
    read: database.prepare(`SELECT ${columns} FROM hub_alert_events WHERE seq > ? ORDER BY seq LIMIT ?`),
    recent: database.prepare(`SELECT ${columns} FROM hub_alert_events ORDER BY seq DESC LIMIT ?`),
    append: database.prepare(`INSERT INTO hub_alert_events (${columns}) VALUES (?, ?, ?)`),
    drop: database.prepare('DELETE FROM hub_alert_events WHERE seq <= ?'),
    open: database.prepare('INSERT OR REPLACE INTO hub_open_alerts (name, id, body) VALUES (?, ?, ?)'),
    close: database.prepare('DELETE FROM hub_open_alerts WHERE name = ?'),
    state: database.prepare('SELECT value FROM hub_alert_state WHERE name = ?'),
    putState: database.prepare('INSERT OR REPLACE INTO hub_alert_state (name, value) VALUES (?, ?)'),
  };
}
