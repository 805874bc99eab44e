import type { PageEdits, PageState, SourcePages } from '../../hub/store/hub-store.ts';
import { decodeRecordStart } from '../../log/pages-file.ts';
import type { FoundBy } from '../../model/page.ts';
import type { SqliteDatabase, SqliteStatement } from './database.ts';

/** After this many pages, other work gets its turn. */
const PAGES_AT_ONCE = 500;

/** The pages of each source as they were read last. Throws what SQLite throws; what writes belongs into a transaction of the caller. */
export class HubPages {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: SqliteDatabase) {
    this.#sql = prepare(database);
  }

  /** Some at a time, so that others have their turn. */
  *of(source: string): Generator<void, SourcePages> {
    const foundBy = this.#sql.foundBy.get(source) as { readonly found_by: FoundBy } | undefined;
    const pages = new Map<string, PageState>();
    const moves = this.#sql.moves.all(source) as { readonly url: string; readonly target: string }[];
    const targets = new Map(moves.map(({ url, target }) => [url, target]));
    let last = '';
    for (;;) {
      const rows = this.#sql.pages.all(source, last, PAGES_AT_ONCE) as PageRow[];
      for (const row of rows) pages.set(row.url, pageOf(row, targets.get(row.url)));
      if (rows.length < PAGES_AT_ONCE) return { pages, ...(foundBy !== undefined && { foundBy: foundBy.found_by }) };
      last = rows.at(-1)?.url ?? '';
      yield;
    }
  }

  /** Where a page that is missing has moved is not looked up. */
  behind(source: string, url: string, limit: number): PageState[] {
    const rows = this.#sql.pages.all(source, url, Math.max(0, limit)) as PageRow[];
    return rows.map((row) => pageOf(row, undefined));
  }

  find(source: string, url: string): PageState | undefined {
    const row = this.#sql.page.get(source, url) as PageRow | undefined;
    if (row === undefined) return undefined;
    const move = this.#sql.move.get(source, url) as { readonly target: string } | undefined;
    return pageOf(row, move?.target);
  }

  write(source: string, { put, remove, foundBy }: PageEdits): void {
    for (const url of remove) this.#sql.remove.run(source, url);
    for (const { record, snapshot = null, missingSinceMs = null } of put) {
      const { url, file, extractor, line } = record;
      this.#sql.put.run(source, url, file, extractor, line, snapshot, missingSinceMs);
    }
    for (const url of [...remove, ...put.map(({ record }) => record.url)]) this.#sql.forgetMove.run(source, url);
    for (const { record, movedTo } of put)
      if (movedTo !== undefined) this.#sql.putMove.run(source, record.url, movedTo);
    if (foundBy !== undefined) this.#sql.putFoundBy.run(source, foundBy);
  }

  forget(source: string): void {
    this.#sql.forget.run(source);
    this.#sql.forgetFoundBy.run(source);
    this.#sql.forgetMoves.run(source);
  }
}

interface PageRow {
  readonly url: string;
  readonly file: string;
  readonly extractor: string;
  readonly line: Uint8Array;
  readonly snapshot: string | null;
  readonly missing_since_ms: number | null;
}

function pageOf(row: PageRow, movedTo: string | undefined): PageState {
  const { url, file, extractor, line, snapshot, missing_since_ms: missingSinceMs } = row;
  const { bytes, modifiedMs } = decodeRecordStart(Buffer.from(line.buffer, line.byteOffset, line.length)) ?? {};
  return {
    record: {
      url,
      file,
      extractor,
      line,
      ...(bytes !== undefined && { bytes }),
      ...(modifiedMs !== undefined && { modifiedMs }),
    },
    ...(snapshot !== null && { snapshot }),
    ...(missingSinceMs !== null && { missingSinceMs }),
    ...(movedTo !== undefined && { movedTo }),
  };
}

function prepare(database: SqliteDatabase) {
  const sql = (text: string): SqliteStatement => database.prepare(text);
  const columns = 'url, file, extractor, line, snapshot, missing_since_ms';
  return {
    pages: sql(`SELECT ${columns} FROM hub_pages WHERE source = ? AND url > ? ORDER BY url LIMIT ?`),
    page: sql(`SELECT ${columns} FROM hub_pages WHERE source = ? AND url = ?`),
    put: sql(`INSERT OR REPLACE INTO hub_pages (source, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`),
    remove: sql('DELETE FROM hub_pages WHERE source = ? AND url = ?'),
    forget: sql('DELETE FROM hub_pages WHERE source = ?'),
    foundBy: sql('SELECT found_by FROM hub_found_by WHERE source = ?'),
    putFoundBy: sql('INSERT OR REPLACE INTO hub_found_by VALUES (?, ?)'),
    forgetFoundBy: sql('DELETE FROM hub_found_by WHERE source = ?'),
    moves: sql('SELECT url, target FROM hub_moves WHERE source = ?'),
    move: sql('SELECT target FROM hub_moves WHERE source = ? AND url = ?'),
    putMove: sql('INSERT OR REPLACE INTO hub_moves VALUES (?, ?, ?)'),
    forgetMove: sql('DELETE FROM hub_moves WHERE source = ? AND url = ?'),
    forgetMoves: sql('DELETE FROM hub_moves WHERE source = ?'),
  };
}
