import type { SourceRow, WritesInPlace } from '../../../hub/cluster/place-writes.ts';
import type { Change } from '../../../model/change.ts';
import { encodeBody } from '../../sqlite/log-schema.ts';
import type { ClusterSession } from './cluster-database.ts';

export interface AppendPlace {
  readonly shown: string;
  readonly schema: string;
  readonly channel: string;
  readonly random: (size: number) => Uint8Array;
  /** Tells the writes of this transaction from those that another one made in their place. */
  readonly stamp: string;
}

/** Stores writes, changes, the plan and the new head with one statement: while it runs, everybody waits. */
export async function storeWrites(
  session: ClusterSession,
  { placed, head, sources, forgotten }: WritesInPlace,
  { schema, channel, stamp }: AppendPlace,
): Promise<void> {
  const bytes = new JoinedBytes();
  let seq = head.seq - placed.reduce((sum, { changes }) => sum + changes.length, 0);
  const changeRows: object[] = [];
  const writeRows = placed.map(({ rev, kind, body, changes, atMs }) => {
    seq += changes.length;
    const cut = bytes.add(body);
    let size = body.byteLength;
    for (const change of changes) {
      const row = changeRow(change, bytes);
      changeRows.push({ ...row, rev });
      size += row.length;
    }
    return { rev, kind, ...cut, changes: changes.length, seq, bytes: size, at: atMs / 1000 };
  });
  await session.query(storeStatement(schema), [
    bytes.joined(),
    JSON.stringify(writeRows),
    JSON.stringify(changeRows),
    JSON.stringify(sources.map(planRow)),
    forgotten,
    stamp,
    ...[head.rev, head.seq, head.last?.id ?? null, head.last?.time ?? null],
    channel,
  ]);
}

interface Cut {
  /** Counts from 1, as SQL does. */
  readonly start: number;
  readonly length: number;
}

/** All bodies travel as one run of bytes that is cut there: a list of texts would have to be escaped here and parsed there. */
class JoinedBytes {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  add(part: Uint8Array): Cut {
    const start = this.#length + 1;
    this.#parts.push(part);
    this.#length += part.byteLength;
    return { start, length: part.byteLength };
  }

  joined(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

function changeRow(change: Change, bytes: JoinedBytes): Cut & Pick<Change, 'seq' | 'id' | 'source'> {
  const { seq, id, source } = change;
  return { seq, id, source, ...bytes.add(Buffer.from(encodeBody(change))) };
}

function planRow({ id, host, dueAtMs, holder, untilMs, token, rev }: SourceRow): object {
  const seconds = (ms: number | undefined) => (ms === undefined ? null : ms / 1000);
  return {
    id,
    host,
    due: seconds(dueAtMs),
    holder: holder ?? null,
    token: token ?? null,
    until: seconds(untilMs),
    rev,
  };
}

function storeStatement(schema: string): string {
  return `
    WITH stored AS (
      INSERT INTO ${schema}.writes (rev, kind, body, changes, seq, bytes, stamp, at)
      SELECT rev, kind, substring($1::bytea FROM start FOR length), changes, seq, bytes, $6, to_timestamp(at)
      FROM json_to_recordset($2) AS row (
        rev bigint, kind text, start integer, length integer, changes integer, seq bigint, bytes integer, at float8
      )
    ), logged AS (
      INSERT INTO ${schema}.changes (seq, id, rev, source, body)
      SELECT seq, id, rev, source, convert_from(substring($1::bytea FROM start FOR length), 'UTF8')
      FROM json_to_recordset($3) AS row (seq bigint, id text, rev bigint, source text, start integer, length integer)
    ), planned AS (
      INSERT INTO ${schema}.sources (id, host, due_at, holder, token, until, rev)
      SELECT id, host, to_timestamp(due), holder, coalesce(token, nextval('${schema.replaceAll("'", "''")}.tokens')), to_timestamp(until), rev
      FROM json_to_recordset($4) AS row (
        id text, host text, due float8, holder text, token bigint, until float8, rev bigint
      )
      ON CONFLICT (id) DO UPDATE SET
        host = excluded.host, due_at = excluded.due_at, holder = excluded.holder, token = excluded.token, until = excluded.until,
        rev = excluded.rev
    ), gone AS (
      DELETE FROM ${schema}.sources WHERE id = ANY ($5::text[])
    ), moved AS (
      UPDATE ${schema}.head SET rev = $7::bigint, seq = $8, last_id = $9, last_time = $10
    )
    SELECT pg_notify($11, ($7::bigint)::text)
  `;
}
