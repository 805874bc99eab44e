import type { WebSubRecord, WebSubStore, WebSubWrite } from '../../hub/push/websub/websub-store.ts';
import type { SqliteDatabase, SqliteStatement } from './database.ts';
import { decodeStored } from './follow-tables.ts';
import type { LogDatabase } from './log.ts';
import { openSteps } from './steps.ts';

/** The seq of the name '' is that of all. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS hub_websub (id TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS hub_websub_topics (path TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;
const ALL_TOPICS = '';

/** The subscriptions of a hub in its database; makes the tables if needed, so that data folders of earlier hubs still work. */
export function openSqliteWebSub(opened: LogDatabase): WebSubStore {
  const { log, database, file } = opened;
  log.appendWith([], () => database.exec(TABLES));
  const sql = prepareWebSub(database);
  const steps = openSteps<WebSubWrite>(opened, 'websub', ({ put = [], remove = [], topics = [], seq }) => {
    for (const record of put) sql.put.run(record.id, JSON.stringify(record));
    for (const id of remove) sql.remove.run(id);
    for (const [path, newest] of topics) sql.putTopic.run(path, newest);
    if (seq !== undefined) sql.putTopic.run(ALL_TOPICS, seq);
  });
  return {
    write: (step) => steps.write(step),
    onWritten: (listener) => steps.onWritten(listener),
    load() {
      const rows = log.ask(() => sql.records.all()) as { readonly record: string }[];
      const topics = log.ask(() => sql.topics.all()) as { readonly path: string; readonly seq: number }[];
      return {
        records: rows.map(({ record }) => decodeStored(record, file) as WebSubRecord),
        topics: new Map(topics.map(({ path, seq }) => [path, seq])),
        seq: topics.find(({ path }) => path === ALL_TOPICS)?.seq,
      };
    },
  };
}

function prepareWebSub(database: SqliteDatabase) {
  const sql = (text: string): SqliteStatement => database.prepare(text);
  return {
    records: sql('SELECT record FROM hub_websub'),
    topics: sql('SELECT path, seq FROM hub_websub_topics'),
    put: sql('INSERT INTO hub_websub VALUES (?, ?) ON CONFLICT DO UPDATE SET record = excluded.record'),
    remove: sql('DELETE FROM hub_websub WHERE id = ?'),
    putTopic: sql('INSERT INTO hub_websub_topics VALUES (?, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq'),
  };
}
