import type { LoggedPlace, TlogRecord, TlogStore, TlogWrite } from '../../dialects/tlog/shelf/tlog-store.ts';
import type { SqliteDatabase } from './database.ts';
import { hasTable } from './has-table.ts';
import type { LogDatabase, SqliteLog } from './log.ts';
import { TLOG_SCHEMA } from './tlog-schema.ts';

const BUNDLE_ENTRIES = 256;
const NOTHING = new Uint8Array();

/** The provable log of a hub in its database; makes the tables if needed, so that data folders of earlier hubs still work. */
export function openSqliteTlogStore(opened: LogDatabase): TlogStore {
  opened.log.appendWith([], () => opened.database.exec(TLOG_SCHEMA));
  return new SqliteTlogStore(opened);
}

/** The same for readers, even beside the writing hub; undefined if no hub ever made one. */
export function readSqliteTlogStore(opened: LogDatabase): TlogStore | undefined {
  return hasTable(opened, 'hub_tlogs') ? new SqliteTlogStore(opened) : undefined;
}

class SqliteTlogStore implements TlogStore {
  readonly #log: SqliteLog;
  readonly #sql: Readonly<ReturnType<typeof prepareTlog>>;

  constructor({ log, database }: LogDatabase) {
    this.#log = log;
    this.#sql = prepareTlog(database);
  }

  logs(): readonly TlogRecord[] {
    return (this.#log.ask(() => this.#sql.logs.all()) as TlogRow[]).map(recordOf);
  }

  tile(log: number, level: number, index: number): Uint8Array | undefined {
    return this.#bytes(() => this.#sql.tile.get(log, level, index));
  }

  openTile(log: number, level: number): Uint8Array {
    return this.#bytes(() => this.#sql.openTile.get(log, level)) ?? NOTHING;
  }

  bundle(log: number, index: number): Uint8Array | undefined {
    return this.#bytes(() => this.#sql.bundle.get(log, index));
  }

  openEntries(log: number): readonly Uint8Array[] {
    const rows = this.#log.ask(() => this.#sql.openEntries.all(log)) as { readonly bytes: Uint8Array }[];
    return rows.map(({ bytes }) => bytes);
  }

  place(seq: number): LoggedPlace | undefined {
    const row = this.#log.ask((): unknown => this.#sql.place.get(seq)) as LoggedPlace | undefined;
    return row && { log: row.log, entry: row.entry, salts: row.salts };
  }

  places(first: number, last: number): readonly (LoggedPlace & { readonly seq: number })[] {
    return this.#log.ask(() => this.#sql.places.all(first, last)) as (LoggedPlace & { readonly seq: number })[];
  }

  documentHash(path: string): Uint8Array | undefined {
    return this.#bytes(() => this.#sql.documentHash.get(path));
  }

  checkedList(log: number, entry: number): Uint8Array | undefined {
    return this.#bytes(() => this.#sql.checkedList.get(log, entry));
  }

  write(step: TlogWrite): void {
    this.#log.appendWith([], () => {
      this.#moveHead(step);
      this.#putTree(step);
      const sql = this.#sql;
      const { log, changes, documents, checks, redactions = [] } = step;
      for (const { seq, entry, salts } of changes) sql.addPlace.run(seq, log, entry, salts);
      for (const { seq, salts } of redactions) sql.putSalts.run(salts, seq);
      for (const { path, hash } of documents) sql.putDocument.run(path, hash);
      for (const { entry, atMs, body } of checks) sql.addChecks.run(log, entry, atMs, body);
    });
  }

  #moveHead({ log, after, seq, documentsSeq, before, head, begins, checkpoint }: TlogWrite): void {
    const sql = this.#sql;
    if (begins !== undefined) {
      const { epoch, origin, vkey, seed } = begins;
      const newest = (sql.newest.get() as { readonly log: number | null }).log ?? 0;
      if (log !== newest + 1 || before.size !== 0)
        throw new Error(`The provable log ${log} cannot begin behind ${newest}.`);
      sql.begin.run(log, epoch ?? null, origin, vkey, seed, after, before.root);
    }
    const moved = sql.step.run(seq, documentsSeq, head.size, head.root, log, after, before.size, before.root);
    if (Number(moved.changes) !== 1)
      throw new Error(`The provable log does not stand at ${before.size} entries of this tree.`);
    if (checkpoint !== undefined) sql.putCheckpoint.run(checkpoint, log);
  }

  #putTree({ log, head, firstEntry, entries, bundles, tiles, openTiles }: TlogWrite): void {
    const sql = this.#sql;
    for (const { level, index, hashes } of tiles) sql.addTile.run(log, level, index, hashes);
    for (const { level, hashes } of openTiles) sql.putOpenTile.run(log, level, hashes);
    for (const { index, body } of bundles) sql.addBundle.run(log, index, body);
    if (bundles.length > 0) sql.dropEntries.run(log, head.size - (head.size % BUNDLE_ENTRIES));
    for (const [at, body] of entries.entries()) sql.addEntry.run(log, firstEntry + at, body);
  }

  #bytes(ask: () => unknown): Uint8Array | undefined {
    const row = this.#log.ask(ask) as { readonly bytes: Uint8Array } | undefined;
    return row?.bytes;
  }
}

interface TlogRow extends Omit<TlogRecord, 'epoch' | 'checkpoint' | 'documentsSeq'> {
  readonly epoch: string | null;
  readonly documents_seq: number;
  readonly checkpoint: string | null;
}

function recordOf({ epoch, checkpoint, documents_seq: documentsSeq, ...rest }: TlogRow): TlogRecord {
  return { ...rest, documentsSeq, ...(epoch !== null && { epoch }), ...(checkpoint !== null && { checkpoint }) };
}

function prepareTlog(database: SqliteDatabase) {
  return {
    logs: database.prepare('SELECT * FROM hub_tlogs ORDER BY log'),
    newest: database.prepare('SELECT max(log) AS log FROM hub_tlogs'),
    begin: database.prepare(
      `INSERT INTO hub_tlogs (log, epoch, origin, vkey, seed, seq, documents_seq, size, root) VALUES (?, ?, ?, ?, ?, ?, 0, 0, ?)`,
    ),
    step: database.prepare(
      `UPDATE hub_tlogs SET seq = ?, documents_seq = ?, size = ?, root = ?
       WHERE log = ? AND seq = ? AND size = ? AND root = ? AND log = (SELECT max(log) FROM hub_tlogs)`,
    ),
    putCheckpoint: database.prepare('UPDATE hub_tlogs SET checkpoint = ? WHERE log = ?'),
    tile: database.prepare('SELECT hashes AS bytes FROM hub_tlog_tiles WHERE log = ? AND level = ? AND tile = ?'),
    addTile: database.prepare('INSERT INTO hub_tlog_tiles (log, level, tile, hashes) VALUES (?, ?, ?, ?)'),
    openTile: database.prepare('SELECT hashes AS bytes FROM hub_tlog_open_tiles WHERE log = ? AND level = ?'),
    putOpenTile: database.prepare('INSERT OR REPLACE INTO hub_tlog_open_tiles (log, level, hashes) VALUES (?, ?, ?)'),
    bundle: database.prepare('SELECT body AS bytes FROM hub_tlog_bundles WHERE log = ? AND bundle = ?'),
    addBundle: database.prepare('INSERT INTO hub_tlog_bundles (log, bundle, body) VALUES (?, ?, ?)'),
    openEntries: database.prepare('SELECT body AS bytes FROM hub_tlog_open_entries WHERE log = ? ORDER BY entry'),
    addEntry: database.prepare('INSERT INTO hub_tlog_open_entries (log, entry, body) VALUES (?, ?, ?)'),
    dropEntries: database.prepare('DELETE FROM hub_tlog_open_entries WHERE log = ? AND entry < ?'),
    place: database.prepare('SELECT log, entry, salts FROM hub_tlog_changes WHERE seq = ?'),
    places: database.prepare(
      'SELECT seq, log, entry, salts FROM hub_tlog_changes WHERE seq BETWEEN ? AND ? ORDER BY seq',
    ),
    addPlace: database.prepare('INSERT INTO hub_tlog_changes (seq, log, entry, salts) VALUES (?, ?, ?, ?)'),
    putSalts: database.prepare('UPDATE hub_tlog_changes SET salts = ? WHERE seq = ?'),
    documentHash: database.prepare('SELECT hash AS bytes FROM hub_tlog_documents WHERE path = ?'),
    putDocument: database.prepare('INSERT OR REPLACE INTO hub_tlog_documents (path, hash) VALUES (?, ?)'),
    checkedList: database.prepare('SELECT body AS bytes FROM hub_tlog_checks WHERE log = ? AND entry = ?'),
    addChecks: database.prepare('INSERT INTO hub_tlog_checks (log, entry, at_ms, body) VALUES (?, ?, ?, ?)'),
  };
}
