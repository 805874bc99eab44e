import {
  type AdminAction,
  type AdminLogStore,
  KEPT_ACTIONS,
  KEPT_REFUSALS,
  SIGN_IN_REFUSED,
} from '../../hub/sign-in/admin-log.ts';
import type { SqliteDatabase } from './database.ts';
import { decodeStored } from './follow-tables.ts';
import type { LogDatabase } from './log.ts';
import { openSteps } from './steps.ts';

const TABLES = `
  CREATE TABLE IF NOT EXISTS hub_admin_log (seq INTEGER PRIMARY KEY, refused INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS hub_admin_log_kinds ON hub_admin_log (refused, seq);
`;

/** The admin actions of a hub in its database; makes the tables if needed. */
export function openSqliteAdminLog(opened: LogDatabase, kept = KEPT_ACTIONS, refusals = KEPT_REFUSALS): AdminLogStore {
  opened.log.appendWith([], () => opened.database.exec(TABLES));
  const sql = prepare(opened.database);
  const steps = openSteps<AdminAction>(opened, 'admin-log', (action) => {
    const isRefused = action.action === SIGN_IN_REFUSED;
    const refused = isRefused ? 1 : 0;
    sql.append.run(refused, JSON.stringify(action));
    // Each kind by itself, so that strangers push nothing out.
    sql.cut.run(refused, refused, isRefused ? refusals : kept - refusals);
  });
  return {
    append: (action) => steps.write(action),
    read(limit, beforeSeq = Number.MAX_SAFE_INTEGER) {
      const rows = opened.log.ask(() => sql.read.all(beforeSeq, limit)) as ActionRow[];
      return rows.map(({ seq, body }) => ({ ...(decodeStored(body, opened.file) as AdminAction), seq }));
    },
  };
}

interface ActionRow {
  readonly seq: number;
  readonly body: string;
}

function prepare(database: SqliteDatabase) {
  return {
    append: database.prepare('INSERT INTO hub_admin_log (refused, body) VALUES (?, ?)'),
    cut: database.prepare(
      `DELETE FROM hub_admin_log WHERE refused = ? AND seq <=
         (SELECT seq FROM hub_admin_log WHERE refused = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)`,
    ),
    read: database.prepare('SELECT seq, body FROM hub_admin_log WHERE seq < ? ORDER BY seq DESC LIMIT ?'),
  };
}
