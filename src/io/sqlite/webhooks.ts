import type {
  DeadLetter,
  DeliveryAttempt,
  Subscription,
  SubscriptionStanding,
} from '../../hub/push/webhooks/subscription.ts';
import {
  KEPT_ATTEMPTS,
  KEPT_DEAD_LETTERS,
  type WebhookStore,
  type WebhookWrite,
} from '../../hub/push/webhooks/webhook-store.ts';
import type { StepListener, StepStore } from '../../hub/store/step-store.ts';
import type { SqliteDatabase, SqliteStatement } from './database.ts';
import { decodeStored } from './follow-tables.ts';
import type { LogDatabase } from './log.ts';
import { openSteps } from './steps.ts';

/** What no query asks for is JSON. `standing` is written with each delivery, `settings` (which hold the secrets) rarely. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS push_subscriptions (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, settings TEXT NOT NULL, standing TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE IF NOT EXISTS push_attempts (
    subscription INTEGER NOT NULL, slot INTEGER NOT NULL, number INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (subscription, slot)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS push_dead_letters (
    number INTEGER PRIMARY KEY, subscription INTEGER NOT NULL, delivery TEXT NOT NULL, body TEXT NOT NULL,
    UNIQUE (subscription, delivery)
  ) STRICT;
`;

/** The subscriptions of a hub, for `SqliteHubStore.openTables`. */
export function openSqliteWebhooks(opened: LogDatabase): WebhookStore {
  opened.log.appendWith([], () => opened.database.exec(TABLES));
  return new SqliteWebhooks(opened);
}

class SqliteWebhooks implements WebhookStore {
  readonly #opened: LogDatabase;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #steps: StepStore<WebhookWrite>;

  constructor(opened: LogDatabase) {
    this.#opened = opened;
    this.#sql = prepare(opened.database);
    this.#steps = openSteps(opened, 'webhooks', (step: WebhookWrite) => this.#apply(step));
  }

  subscriptions(): readonly Subscription[] {
    const rows = this.#opened.log.ask(() => this.#sql.all.all()) as SubscriptionRow[];
    return rows.map(({ id, settings, standing }) => ({
      ...(this.#decode(settings) as Omit<Subscription, 'id' | 'standing'>),
      id,
      standing: this.#decode(standing) as SubscriptionStanding,
    }));
  }

  write(step: WebhookWrite): Promise<void> {
    return this.#steps.write(step);
  }

  onWritten(listener: StepListener<WebhookWrite>): void {
    this.#steps.onWritten(listener);
  }

  attempts(subscription: string): readonly DeliveryAttempt[] {
    return this.#opened.log.ask(() => {
      const rows = this.#sql.attempts.all(this.#numberOf(subscription) ?? null) as BodyRow[];
      return rows.map(({ body }) => ({
        ...(this.#decode(body) as Omit<DeliveryAttempt, 'subscription'>),
        subscription,
      }));
    });
  }

  deadLetters(subscription: string): readonly DeadLetter[] {
    return this.#opened.log.ask(() => {
      const rows = this.#sql.letters.all(this.#numberOf(subscription) ?? null) as BodyRow[];
      return rows.map(({ body }) => ({ ...(this.#decode(body) as Omit<DeadLetter, 'subscription'>), subscription }));
    });
  }

  #apply(step: WebhookWrite): void {
    for (const { id, standing, ...settings } of step.put ?? []) {
      this.#sql.put.run(id, JSON.stringify(settings), JSON.stringify(standing));
    }
    for (const { id, standing } of step.standings ?? []) this.#sql.stand.run(JSON.stringify(standing), id);
    for (const attempt of step.attempts ?? []) this.#keepAttempt(attempt);
    for (const letter of step.dead ?? []) this.#keepLetter(letter);
    for (const { subscription, delivery } of step.settled ?? []) {
      this.#sql.settle.run(this.#numberOf(subscription) ?? null, delivery);
    }
    for (const id of step.remove ?? []) this.#forget(id);
  }

  /** A ring: the newest takes the slot of the oldest. */
  #keepAttempt({ subscription, ...body }: DeliveryAttempt): void {
    const row = this.#sql.count.get(subscription) as { readonly number: number; readonly attempts: number } | undefined;
    if (row === undefined) return;
    this.#sql.attempt.run(row.number, row.attempts % KEPT_ATTEMPTS, row.attempts, JSON.stringify(body));
  }

  #keepLetter({ subscription, ...body }: DeadLetter): void {
    const number = this.#numberOf(subscription);
    if (number === undefined) return;
    this.#sql.letter.run(number, body.delivery, JSON.stringify(body));
    this.#sql.trimLetters.run(number, number, KEPT_DEAD_LETTERS);
  }

  #forget(id: string): void {
    const number = this.#numberOf(id);
    if (number === undefined) return;
    for (const forget of [this.#sql.forgetAttempts, this.#sql.forgetLetters, this.#sql.forget]) forget.run(number);
  }

  #numberOf(id: string): number | undefined {
    return (this.#sql.number.get(id) as { readonly number: number } | undefined)?.number;
  }

  #decode(text: string): unknown {
    return decodeStored(text, this.#opened.file);
  }
}

interface SubscriptionRow {
  readonly id: string;
  readonly settings: string;
  readonly standing: string;
}

interface BodyRow {
  readonly body: string;
}

function prepare(database: SqliteDatabase) {
  const sql = (text: string): SqliteStatement => database.prepare(text);
  return {
    all: sql('SELECT id, settings, standing FROM push_subscriptions ORDER BY number'),
    number: sql('SELECT number FROM push_subscriptions WHERE id = ?'),
    put: sql(
      `INSERT INTO push_subscriptions (id, settings, standing) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET settings = excluded.settings, standing = excluded.standing`,
    ),
    stand: sql('UPDATE push_subscriptions SET standing = ? WHERE id = ?'),
    count: sql('UPDATE push_subscriptions SET attempts = attempts + 1 WHERE id = ? RETURNING number, attempts'),
    attempt: sql('INSERT OR REPLACE INTO push_attempts (subscription, slot, number, body) VALUES (?, ?, ?, ?)'),
    attempts: sql('SELECT body FROM push_attempts WHERE subscription = ? ORDER BY number DESC'),
    letter: sql(
      `INSERT INTO push_dead_letters (subscription, delivery, body) VALUES (?, ?, ?)
       ON CONFLICT (subscription, delivery) DO UPDATE SET body = excluded.body`,
    ),
    trimLetters: sql(
      `DELETE FROM push_dead_letters WHERE subscription = ? AND number <= (
         SELECT number FROM push_dead_letters WHERE subscription = ? ORDER BY number DESC LIMIT 1 OFFSET ?
       )`,
    ),
    letters: sql('SELECT body FROM push_dead_letters WHERE subscription = ? ORDER BY number'),
    settle: sql('DELETE FROM push_dead_letters WHERE subscription = ? AND delivery = ?'),
    forget: sql('DELETE FROM push_subscriptions WHERE number = ?'),
    forgetAttempts: sql('DELETE FROM push_attempts WHERE subscription = ?'),
    forgetLetters: sql('DELETE FROM push_dead_letters WHERE subscription = ?'),
  };
}
