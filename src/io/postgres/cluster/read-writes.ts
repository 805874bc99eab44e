import { databaseFormatError, journalCutError } from '../../../errors/database-error.ts';
import { StateCorruptError } from '../../../errors/state-corrupt-error.ts';
import type { JournalEnd, PlacedWrite } from '../../../hub/cluster/journal.ts';
import type { Change } from '../../../model/change.ts';
import { decodeRow } from '../../sqlite/log-schema.ts';
import type { ClusterDatabase } from './cluster-database.ts';
import { CLUSTER_FORMAT } from './cluster-schema.ts';

const MAX_BYTES = 8 * 2 ** 20;

interface WriteRow {
  readonly head: number;
  readonly format: number;
  /** Null if there is none after that place. */
  readonly rev: number | null;
  readonly kind: string;
  readonly body: Uint8Array;
  readonly changes: number;
  readonly seq: number;
  readonly at: number;
}

/** The writes after `afterRev`, in order: at most `limit`, and none after the first 8 MB. */
export async function readWrites(
  database: ClusterDatabase,
  afterRev: number,
  limit: number,
): Promise<readonly PlacedWrite[]> {
  const { schema, shown } = database;
  const rows = await database.ask<WriteRow>(
    `WITH page AS (
       SELECT *, sum(bytes) OVER (ORDER BY rev) - bytes AS before
       FROM (SELECT * FROM ${schema}.writes WHERE rev > $1 ORDER BY rev LIMIT $2) AS first
     )
     SELECT head.rev::float8 AS head, head.format, page.rev::float8, kind, body, changes, page.seq::float8,
       (extract(epoch FROM at) * 1000)::float8 AS at
     FROM ${schema}.head LEFT JOIN page ON before < ${MAX_BYTES} ORDER BY page.rev`,
    [afterRev, limit],
  );
  ensureFormat(shown, rows[0]?.format);
  const { head = 0, rev: first = null } = rows[0] ?? {};
  if (limit > 0 && (first ?? head + 1) > afterRev + 1) throw journalCutError(shown, afterRev);
  const written = rows.filter(({ rev }) => rev !== null);
  const changes = await readChanges(database, written);
  let at = 0;
  return written.map(({ rev, kind, body, changes: count, at: atMs }) => {
    at += count;
    return { rev: rev ?? 0, kind, body, changes: changes.slice(at - count, at), atMs: Math.round(atMs) };
  });
}

/** The changes of all of these writes, which are consecutive. */
async function readChanges(database: ClusterDatabase, rows: readonly WriteRow[]): Promise<Change[]> {
  const count = rows.reduce((sum, { changes }) => sum + changes, 0);
  const last = rows.at(-1);
  if (last === undefined || count === 0) return [];
  const found = await database.ask<{ readonly seq: number; readonly id: string; readonly body: string }>(
    `SELECT seq::float8, id, body FROM ${database.schema}.changes WHERE seq > $1 AND seq <= $2 ORDER BY seq`,
    [last.seq - count, last.seq],
  );
  if (found.length < count) {
    const remedy = 'Bring the whole database back from one backup.';
    throw new StateCorruptError(
      database.shown,
      `${count - found.length} changes are missing up to ${last.seq}.`,
      remedy,
    );
  }
  return found.map((row) => decodeRow(row, database.shown));
}

export async function readEnd(database: ClusterDatabase): Promise<JournalEnd> {
  const [row] = await database.ask<JournalEnd & { readonly format: number }>(
    `SELECT epoch, rev::float8, seq::float8, format FROM ${database.schema}.head`,
  );
  ensureFormat(database.shown, row?.format);
  const { epoch = '', rev = 0, seq = 0 } = row ?? {};
  return { epoch, rev, seq };
}

/** A process of an older version stops if a newer one has changed the tables. */
function ensureFormat(shown: string, found: number | undefined): void {
  if (found !== CLUSTER_FORMAT) throw databaseFormatError(shown, found ?? 0, CLUSTER_FORMAT);
}
