import type {
  Following,
  TopicEdit,
  TopicStore,
  TopicSubscription,
} from '../../hub/push/subscriber/topic-subscription.ts';
import type { StepListener, StepStore } from '../../hub/store/step-store.ts';
import type { SqliteDatabase, SqliteStatement } from './database.ts';
import { decodeStored } from './follow-tables.ts';
import type { LogDatabase } from './log.ts';
import { openSteps } from './steps.ts';

/** Callbacks name their source within `body`; a start reads all of both. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS hub_websub_followings (source TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS hub_websub_callbacks (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/** The subscriptions of a hub to other hubs, in its database, including their secrets as they are. */
export class SqliteTopics implements TopicStore {
  readonly #opened: LogDatabase;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #steps: StepStore<TopicEdit>;

  constructor(opened: LogDatabase) {
    this.#opened = opened;
    opened.log.appendWith([], () => opened.database.exec(TABLES));
    this.#sql = prepare(opened.database);
    this.#steps = openSteps(opened, 'topics', (edit: TopicEdit) => this.#apply(edit));
  }

  all() {
    const { log, file } = this.#opened;
    const read = <T>(statement: SqliteStatement) =>
      log.ask(() => (statement.all() as { readonly body: string }[]).map(({ body }) => decodeStored(body, file) as T));
    return {
      followings: read<Following>(this.#sql.followings),
      subscriptions: read<TopicSubscription>(this.#sql.callbacks),
    };
  }

  write(edit: TopicEdit): Promise<void> {
    return this.#steps.write(edit);
  }

  onWritten(listener: StepListener<TopicEdit>): void {
    this.#steps.onWritten(listener);
  }

  #apply({ following, subscriptions = [], forget = [], drop = [] }: TopicEdit): void {
    const { putFollowing, putCallback, dropFollowing, dropCallback } = this.#sql;
    if (following !== undefined) putFollowing.run(following.source, JSON.stringify(following));
    for (const subscription of subscriptions) putCallback.run(subscription.id, JSON.stringify(subscription));
    for (const id of drop) dropCallback.run(id);
    for (const source of forget) dropFollowing.run(source);
  }
}

function prepare(database: SqliteDatabase) {
  const sql = (text: string): SqliteStatement => database.prepare(text);
  return {
    followings: sql('SELECT body FROM hub_websub_followings ORDER BY source'),
    callbacks: sql('SELECT body FROM hub_websub_callbacks ORDER BY id'),
    putFollowing: sql(
      'INSERT INTO hub_websub_followings (source, body) VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body',
    ),
    putCallback: sql(
      'INSERT INTO hub_websub_callbacks (id, body) VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body',
    ),
    dropFollowing: sql('DELETE FROM hub_websub_followings WHERE source = ?'),
    dropCallback: sql('DELETE FROM hub_websub_callbacks WHERE id = ?'),
  };
}
