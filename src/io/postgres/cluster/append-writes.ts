import { databaseFormatError } from '../../../errors/database-error.ts';
import type { JournalWrite } from '../../../hub/cluster/journal.ts';
import {
  namedTasks,
  placeWrites,
  type RoleRow,
  type SourceRow,
  type WritePlacement,
  type WritesInPlace,
} from '../../../hub/cluster/place-writes.ts';
import type { ClusterSession } from './cluster-database.ts';
import { CLUSTER_FORMAT } from './cluster-schema.ts';
import { type AppendPlace, storeWrites } from './store-writes.ts';

/**
 * Inside of a transaction: (1) the tasks, in order of their names; (2) the head, which everybody else now waits for; (3) places; (4) one statement that stores all.
 * Everyone takes locks in this order. Nothing is stored where all writes are refused.
 */
export async function appendWrites(
  session: ClusterSession,
  calls: readonly (readonly JournalWrite[])[],
  place: AppendPlace,
): Promise<WritesInPlace> {
  const named = namedTasks(calls.flat());
  const sources = await lockSources(session, place, named.sources);
  const roles = await lockRoles(session, place, named.roles);
  const { head, nowMs } = await lockHead(session, place);
  // New sources are added under the lock of the head only: a missing one may have been added during the wait.
  const missing = named.sources.filter((id) => !sources.some((source) => source.id === id));
  if (missing.length > 0) sources.push(...(await lockSources(session, place, missing)));
  const inPlace = placeWrites(calls, { head, sources, roles, nowMs, random: place.random });
  if (inPlace.placed.length > 0) await storeWrites(session, inPlace, place);
  return inPlace;
}

const SOURCE_COLUMNS = `id, host, holder, token::float8, rev::float8,
  (extract(epoch FROM due_at) * 1000)::float8 AS due, (extract(epoch FROM until) * 1000)::float8 AS until`;

interface StoredSource {
  readonly id: string;
  readonly host: string;
  readonly holder: string | null;
  readonly token: number;
  readonly rev: number;
  readonly due: number | null;
  readonly until: number | null;
}

async function lockSources(
  session: ClusterSession,
  { schema }: AppendPlace,
  ids: readonly string[],
): Promise<SourceRow[]> {
  if (ids.length === 0) return [];
  const rows = await session.query<StoredSource>(
    `SELECT ${SOURCE_COLUMNS} FROM ${schema}.sources WHERE id = ANY ($1) ORDER BY id FOR UPDATE`,
    [ids],
  );
  return rows.map(({ holder, due, until, ...source }) => ({
    ...source,
    holder: holder ?? undefined,
    dueAtMs: due ?? undefined,
    untilMs: until ?? undefined,
  }));
}

async function lockRoles(
  session: ClusterSession,
  { schema }: AppendPlace,
  names: readonly string[],
): Promise<RoleRow[]> {
  if (names.length === 0) return [];
  const rows = await session.query<{ readonly name: string; readonly holder: string | null; readonly token: number }>(
    `SELECT name, holder, token::float8 FROM ${schema}.roles WHERE name = ANY ($1) ORDER BY name FOR UPDATE`,
    [names],
  );
  return rows.map(({ holder, ...role }) => ({ ...role, holder: holder ?? undefined }));
}

interface StoredHead {
  readonly format: number;
  readonly rev: number;
  readonly seq: number;
  readonly last_id: string | null;
  readonly last_time: string | null;
  readonly now: number;
}

async function lockHead(
  session: ClusterSession,
  { schema, shown }: AppendPlace,
): Promise<Pick<WritePlacement, 'head' | 'nowMs'>> {
  const [stored] = await session.query<StoredHead>(
    `SELECT format, rev::float8, seq::float8, last_id, last_time, floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now
     FROM ${schema}.head FOR UPDATE`,
  );
  if (stored === undefined) throw new Error('The journal has no head.');
  const { format, rev, seq, last_id: id, last_time: time, now: nowMs } = stored;
  if (format !== CLUSTER_FORMAT) throw databaseFormatError(shown, format, CLUSTER_FORMAT);
  return { head: { rev, seq, last: id === null || time === null ? undefined : { seq, id, time } }, nowMs };
}
