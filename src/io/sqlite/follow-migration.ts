import type { SqliteDatabase } from './database.ts';
import { decodeStored } from './follow-tables.ts';

/** Which tables hold what was remembered of feeds. */
interface FollowTableNames {
  readonly entries: 'follow_sources' | 'hub_follow_entries';
  readonly pending: 'follow_pending' | 'hub_follow_pending';
}

interface StoredRow {
  readonly source: string;
  readonly entry: string;
  readonly body: string;
}

interface PendingRow {
  readonly place: number;
  readonly event: string;
}

/** The state of a feed as written before 0.2: each dialect had separate fields. */
interface OldState {
  readonly discovery?: unknown;
  readonly lastId?: string;
  readonly feed?: unknown;
  readonly diffdelta?: object;
  readonly agentFeed?: object;
  readonly resourcesync?: object;
  readonly webFeed?: object;
  readonly turn?: string;
}

/** An event that waited for its page as releases before 0.2 wrote it: what an item says stood apart. */
interface OldEvent {
  readonly id: string;
  readonly item?: { readonly id: string; readonly source: string; readonly known?: object };
}

/** Turns what earlier releases remembered of feeds into memories of their dialects. Within the caller's transaction. */
export function migrateFollowTables(database: SqliteDatabase, tables: FollowTableNames, file: string): void {
  const { entries, pending } = tables;
  const put = database.prepare(`UPDATE ${entries} SET body = ? WHERE source = ? AND entry = ?`);
  for (const row of database.prepare(`SELECT source, entry, body FROM ${entries}`).all() as StoredRow[]) {
    const { source, entry, body } = row;
    put.run(JSON.stringify({ source, entry, ...memoryOf(decodeStored(body, file) as OldState) }), source, entry);
  }
  const putEvent = database.prepare(`UPDATE ${pending} SET event = ? WHERE place = ?`);
  for (const { place, event } of database.prepare(`SELECT place, event FROM ${pending}`).all() as PendingRow[]) {
    putEvent.run(JSON.stringify(eventOf(decodeStored(event, file) as OldEvent)), place);
  }
}

function memoryOf(state: OldState): { readonly dialect: string; readonly memory: object } {
  const { discovery, lastId, feed, diffdelta, agentFeed, resourcesync, webFeed, turn } = state;
  const found = discovery === undefined ? {} : { discovery };
  if (diffdelta !== undefined) {
    return { dialect: 'diffdelta', memory: { ...diffdelta, ...found, ...(turn !== undefined && { turn }) } };
  }
  if (agentFeed !== undefined) return { dialect: 'agent-feed', memory: agentFeed };
  if (resourcesync !== undefined) return { dialect: 'resourcesync', memory: resourcesync };
  if (webFeed !== undefined) return { dialect: 'atom', memory: webFeed };
  const memory = { ...found, ...(lastId !== undefined && { lastId }), ...(feed !== undefined && { feed }) };
  return { dialect: 'aicf', memory };
}

function eventOf({ item, ...event }: OldEvent): object {
  if (item === undefined) return { ...event, provenance: { by: 'aicf', originId: event.id } };
  const { id, source, known, ...facts } = item;
  const provenance = { by: 'diffdelta', originId: id, feedSource: source };
  return { ...event, ...facts, itemId: id, provenance, ...(known !== undefined && { known }) };
}
