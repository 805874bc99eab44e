import { promisify } from 'node:util';
import { gunzip, gunzipSync, gzip, gzipSync } from 'node:zlib';
import type { DiffDeltaFeed } from '../../codecs/diffdelta/wire.ts';
import type { ItemRecord } from '../../dialects/diffdelta/runs/run-items.ts';
import type { RunFeedRecord } from '../../dialects/diffdelta/shelf/feed-record.ts';
import type {
  PackedArchive,
  PackedItem,
  RunArchive,
  RunStore,
  RunWrite,
} from '../../dialects/diffdelta/shelf/run-store.ts';
import type { KeptArchives, SourceStanding } from '../../dialects/shelf.ts';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import { archiveKey, archivePathOf, secondKey } from './archive-key.ts';
import type { SqliteDatabase, SqliteStatement } from './database.ts';
import { decodeStored } from './follow-tables.ts';
import { hasTable } from './has-table.ts';
import type { LogDatabase, SqliteLog } from './log.ts';
import { RunArchiveCut } from './run-archive-cut.ts';
import { RunArchives } from './run-archives.ts';
import { packItem, RunItems } from './run-items.ts';
import { RUNS_SCHEMA } from './runs-schema.ts';

/** Smaller ones gain less than they cost. */
const PACKED_ABOVE_BYTES = 2000;
/** Larger ones are packed beside the event loop. */
const LARGE_BYTES = 64 * 1024;
/** JSON never begins like this: https://www.rfc-editor.org/rfc/rfc1952#section-2.3.1 */
const GZIP_MAGIC = 0x1f;

/** How many names of archives are read in one step. */
const PATHS_AT_ONCE = 1000;

const RESTORE = 'Restore it from a backup.';

const gzipAside = promisify(gzip);
const gunzipAside = promisify(gunzip);

/** The DiffDelta files of a hub in its database; makes the tables if needed, so that data folders of earlier hubs still work. */
export function openSqliteRuns(opened: LogDatabase): RunStore {
  opened.log.appendWith([], () => opened.database.exec(RUNS_SCHEMA));
  return new SqliteRuns(opened);
}

/** The same for readers, even beside the writing hub; undefined if no hub ever made one. */
export function readSqliteRuns(opened: LogDatabase): RunStore | undefined {
  return hasTable(opened, 'hub_runs') ? new SqliteRuns(opened) : undefined;
}

/** The positions of the runs of each source, even beside the writing hub; none if no hub ever made one. */
export function readRunStandings({ log, database, file }: LogDatabase): ReadonlyMap<string, SourceStanding> {
  if (!hasTable({ log, database }, 'hub_run_feeds')) return new Map();
  const rows = log.ask(() => database.prepare('SELECT record FROM hub_run_feeds').all()) as {
    readonly record: string;
  }[];
  const records = rows.map(({ record }) => decodeStored(record, file) as RunFeedRecord);
  return new Map(records.map(({ name, cursor, prevCursor, changed }) => [name, { cursor, prevCursor, changed }]));
}

class SqliteRuns implements RunStore {
  readonly #log: SqliteLog;
  readonly #file: string;
  readonly #sql: Readonly<ReturnType<typeof prepareRuns>>;
  readonly #items: RunItems;
  readonly #archives: RunArchives;
  readonly #cut: RunArchiveCut;

  constructor({ log, database, file }: LogDatabase) {
    this.#log = log;
    this.#file = file;
    this.#sql = prepareRuns(database);
    this.#items = new RunItems(database, file);
    this.#archives = new RunArchives({
      find: (path) => this.#body(this.#sql.wholeArchive, path) ?? this.#body(this.#sql.archive, archiveKey(path)),
      pack: (text) => this.pack(text),
      unpack: (body) => this.unpack(body),
    });
    const find = (path: string) => this.#archives.find(path);
    this.#cut = new RunArchiveCut({ log, database }, { find, pack: (text) => this.pack(text) });
  }

  seq(): number {
    const row = this.#log.ask(() => this.#sql.seq.get()) as { readonly seq: number };
    return row.seq;
  }

  feeds(): readonly RunFeedRecord[] {
    const rows = this.#log.ask(() => this.#sql.feeds.all()) as { readonly record: string }[];
    return rows.map(({ record }) => decodeStored(record, this.#file) as RunFeedRecord);
  }

  latest(name: string): Uint8Array | undefined {
    return this.#body(this.#sql.latest, name);
  }

  async feed(name: string): Promise<DiffDeltaFeed | undefined> {
    const body = this.latest(name);
    if (body === undefined) return undefined;
    return decodeStored(Buffer.from(await this.unpack(body)).toString(), this.#file) as DiffDeltaFeed;
  }

  archive(path: string): Promise<Uint8Array | undefined> {
    return this.#archives.find(path).catch((error) => this.#explainDamage(error));
  }

  *archivePaths(sinceMs?: number): Iterable<string> {
    // Whole ones are from earlier hubs, or older than their former base.
    for (let after = ''; sinceMs === undefined; ) {
      const rows = this.#log.ask(() => this.#sql.nextWhole.all(after, PATHS_AT_ONCE)) as { readonly path: string }[];
      for (const { path } of rows) yield path;
      if (rows.length < PATHS_AT_ONCE) break;
      after = rows.at(-1)?.path ?? '';
    }
    for (let after: Uint8Array = sinceMs === undefined ? new Uint8Array() : secondKey(sinceMs); ; ) {
      const rows = this.#log.ask(() => this.#sql.nextKeys.all(after, PATHS_AT_ONCE)) as { readonly key: Uint8Array }[];
      for (const { key } of rows) yield archivePathOf(key);
      if (rows.length < PATHS_AT_ONCE) return;
      after = rows.at(-1)?.key ?? after;
    }
  }

  archivesAt(name: string, ms: number): readonly string[] {
    const [from, to] = [secondKey(ms), secondKey(ms + 2000)];
    const rows = this.#log.ask(() => this.#sql.archiveKeys.all(from, to)) as { readonly key: Uint8Array }[];
    const paths = rows.map(({ key }) => archivePathOf(key));
    const whole = this.#log.ask(() => this.#sql.wholePaths.all(...wholeRange(name, ms))) as { readonly path: string }[];
    const isOf = (path: string) => path.startsWith(`archive/${name}/`) && !this.hasEnded(path);
    return [...new Set([...paths, ...whole.map(({ path }) => path)])].filter(isOf);
  }

  hasEnded(path: string): boolean {
    return this.#cut.hasEnded(path);
  }

  endOfArchives(kept: KeptArchives): Promise<Uint8Array | undefined> {
    return this.#cut.pointOf(kept);
  }

  endArchives(point: Uint8Array, named: ReadonlySet<string>): Promise<number> {
    return this.#cut.end(point, named);
  }

  item(source: string, id: string): ItemRecord | undefined {
    return this.#log.ask(() => this.#items.find(source, id));
  }

  write({ after, seq, feeds, items, archives }: RunWrite): void {
    const sql = this.#sql;
    this.#log.appendWith([], () => {
      if (Number(sql.step.run(seq, after).changes) !== 1) throw new Error(`The runs do not stand at ${after}.`);
      for (const item of items) this.#items.put(item);
      for (const { path, body } of archives) sql.addArchive.run(archiveKey(path), body);
      for (const { record, latest } of feeds) {
        sql.putLatest.run(record.name, latest);
        sql.putFeed.run(record.name, JSON.stringify(record));
      }
    });
    this.#archives.stored(archives);
  }

  packItem(record: ItemRecord): PackedItem {
    return packItem(record);
  }

  packArchives(archives: readonly RunArchive[]): Promise<readonly PackedArchive[]> {
    return this.#archives.pack(archives);
  }

  pack(text: string): Uint8Array | Promise<Uint8Array> {
    const bytes = Buffer.from(text);
    if (bytes.length <= PACKED_ABOVE_BYTES) return bytes;
    return bytes.length > LARGE_BYTES ? gzipAside(bytes) : gzipSync(bytes);
  }

  unpack(body: Uint8Array): Uint8Array | Promise<Uint8Array> {
    if (body[0] !== GZIP_MAGIC) return body;
    if (body.length > LARGE_BYTES) return gunzipAside(body).catch((error) => this.#explainDamage(error));
    try {
      return gunzipSync(body);
    } catch (error) {
      return this.#explainDamage(error);
    }
  }

  #explainDamage(error: unknown): never {
    if (error instanceof TidingsError) throw error;
    throw new StateCorruptError(this.#file, 'a DiffDelta file in it is damaged.', RESTORE, { cause: error });
  }

  #body(statement: SqliteStatement, key: string | Uint8Array): Uint8Array | undefined {
    const row = this.#log.ask(() => statement.get(key)) as { readonly body: Uint8Array } | undefined;
    return row?.body;
  }
}

/** The range of paths of archives of a feed that were made within two seconds. */
function wholeRange(name: string, ms: number): [string, string] {
  const path = (at: number) => {
    const time = new Date(at).toISOString();
    return `archive/${name}/${time.slice(0, 10).replaceAll('-', '/')}/${time.slice(0, 19).replace(/[-:]/g, '')}Z`;
  };
  return [path(ms), path(ms + 2000)];
}

function prepareRuns(database: SqliteDatabase) {
  return {
    seq: database.prepare('SELECT seq FROM hub_runs'),
    step: database.prepare('UPDATE hub_runs SET seq = ? WHERE seq = ?'),
    feeds: database.prepare('SELECT record FROM hub_run_feeds ORDER BY name'),
    putFeed: database.prepare('INSERT OR REPLACE INTO hub_run_feeds (name, record) VALUES (?, ?)'),
    latest: database.prepare('SELECT body FROM hub_run_latest WHERE name = ?'),
    putLatest: database.prepare('INSERT OR REPLACE INTO hub_run_latest (name, body) VALUES (?, ?)'),
    archive: database.prepare('SELECT body FROM hub_run_closed WHERE key = ?'),
    archiveKeys: database.prepare('SELECT key FROM hub_run_closed WHERE key >= ? AND key < ? ORDER BY key'),
    wholePaths: database.prepare('SELECT path FROM hub_run_archives WHERE path >= ? AND path < ? ORDER BY path'),
    nextWhole: database.prepare('SELECT path FROM hub_run_archives WHERE path > ? ORDER BY path LIMIT ?'),
    nextKeys: database.prepare('SELECT key FROM hub_run_closed WHERE key > ? ORDER BY key LIMIT ?'),
    wholeArchive: database.prepare('SELECT body FROM hub_run_archives WHERE path = ?'),
    addArchive: database.prepare('INSERT INTO hub_run_closed (key, body) VALUES (?, ?)'),
  };
}
