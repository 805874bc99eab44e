import type { Session, SessionStore, SessionWrite } from '../../hub/sign-in/session.ts';
import type { SqliteDatabase } from './database.ts';
import { decodeStored } from './follow-tables.ts';
import type { LogDatabase } from './log.ts';
import { openSteps } from './steps.ts';

const TABLES = `
  CREATE TABLE IF NOT EXISTS hub_sessions (
    number INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, seen_ms INTEGER NOT NULL, body TEXT NOT NULL
  ) STRICT;
`;

/** The sessions of a hub in its database; makes the tables if needed. */
export function openSqliteSessions(opened: LogDatabase): SessionStore {
  opened.log.appendWith([], () => opened.database.exec(TABLES));
  const sql = prepare(opened.database);
  const steps = openSteps<SessionWrite>(opened, 'sessions', ({ begun = [], seen = [], ended = [] }) => {
    for (const { hash, seenMs, ...body } of begun) sql.begin.run(hash, Math.trunc(seenMs), JSON.stringify(body));
    for (const { hash, seenMs } of seen) sql.see.run(Math.trunc(seenMs), hash);
    for (const hash of ended) sql.end.run(hash);
  });
  return {
    write: (step) => steps.write(step),
    onWritten: (listener) => steps.onWritten(listener),
    load: () =>
      (opened.log.ask(() => sql.all.all()) as SessionRow[]).map(({ hash, seen_ms, body }) => ({
        ...(decodeStored(body, opened.file) as Omit<Session, 'hash' | 'seenMs'>),
        hash,
        seenMs: seen_ms,
      })),
  };
}

interface SessionRow {
  readonly hash: string;
  readonly seen_ms: number;
  readonly body: string;
}

function prepare(database: SqliteDatabase) {
  return {
    all: database.prepare('SELECT hash, seen_ms, body FROM hub_sessions ORDER BY number'),
    begin: database.prepare('INSERT INTO hub_sessions (hash, seen_ms, body) VALUES (?, ?, ?)'),
    see: database.prepare('UPDATE hub_sessions SET seen_ms = ? WHERE hash = ?'),
    end: database.prepare('DELETE FROM hub_sessions WHERE hash = ?'),
  };
}
