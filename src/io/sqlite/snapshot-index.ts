import type { FoundSection } from '../../sync/section-search.ts';
import { openRawDatabase, type SqliteDatabase, type SqliteStatement } from './database.ts';
import { fullTextWords } from './full-text-words.ts';
import type { HeldText } from './hub-page-list.ts';

/** A section as it is searched for. */
export interface IndexedSection {
  readonly anchor: string;
  readonly heading: string;
  readonly text: string;
}

type FoundInSnapshot = Omit<FoundSection, 'score'>;

export interface SnapshotQuery {
  readonly query: string;
  readonly source?: string | undefined;
  readonly skip: number;
  readonly limit: number;
}

const SNIPPET_TOKENS = 40;

/** A full text index in memory over the texts of pages. A heading counts more than a text, a title more than none. */
export class SnapshotIndex {
  readonly #database: SqliteDatabase;
  readonly #sql: ReturnType<typeof prepare>;
  /** The name of the text of each page that is in it. */
  readonly #held = new Map<string, string>();
  #characters = 0;

  private constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#sql = prepare(database);
  }

  static async open(): Promise<SnapshotIndex> {
    const database = await openRawDatabase(':memory:');
    database.exec(`
      CREATE TABLE section (id INTEGER PRIMARY KEY, source TEXT, url TEXT, anchor TEXT, title TEXT, heading TEXT, text TEXT);
      CREATE INDEX section_by_page ON section (source, url);
      CREATE VIRTUAL TABLE words USING fts5 (title, heading, text, content='section', content_rowid='id', tokenize="unicode61 remove_diacritics 2");
    `);
    return new SnapshotIndex(database);
  }

  /** The number of characters of all texts in it. */
  get characters(): number {
    return this.#characters;
  }

  /** How many are in it. */
  get pages(): number {
    return this.#held.size;
  }

  has({ source, url, snapshot }: HeldText): boolean {
    return this.#held.get(nameOf(source, url)) === snapshot;
  }

  put(page: HeldText, title: string, sections: readonly IndexedSection[]): void {
    const { source, url, snapshot } = page;
    this.remove(source, url);
    for (const { anchor, heading, text } of sections) {
      this.#sql.add.run(source, url, anchor, title, heading, text);
      this.#characters += text.length;
    }
    this.#sql.index.run(source, url);
    this.#held.set(nameOf(source, url), snapshot);
  }

  remove(source: string, url: string): void {
    if (!this.#held.delete(nameOf(source, url))) return;
    const { length } = this.#sql.length.get(source, url) as { readonly length: number };
    this.#characters -= length;
    this.#sql.unindex.run(source, url);
    this.#sql.drop.run(source, url);
  }

  /** Drops every page that is not among these. */
  keepOnly(pages: readonly HeldText[]): void {
    const names = new Set(pages.map(({ source, url }) => nameOf(source, url)));
    for (const name of [...this.#held.keys()]) {
      const [source = '', url = ''] = name.split('\n');
      if (!names.has(name)) this.remove(source, url);
    }
  }

  /** Texts with all words, or prefixes of words; if there are none, those with any. Best first. */
  search({ query, source, skip, limit }: SnapshotQuery): readonly FoundInSnapshot[] {
    const words = fullTextWords(query);
    if (words.length === 0) return [];
    const find = (match: string) =>
      this.#sql.search.all(match, source ?? null, source ?? null, limit, skip) as FoundInSnapshot[];
    const all = find(words.join(' AND '));
    return all.length > 0 || words.length === 1 || skip > 0 ? all : find(words.join(' OR '));
  }

  close(): void {
    this.#database.close();
  }
}

/** Neither an id nor a URL has a line feed. */
function nameOf(source: string, url: string): string {
  return `${source}\n${url}`;
}

function prepare(database: SqliteDatabase) {
  const sql = (text: string): SqliteStatement => database.prepare(text);
  const words = 'rowid, title, heading, text';
  const ofPage = 'FROM section WHERE source = ? AND url = ?';
  return {
    add: sql('INSERT INTO section (source, url, anchor, title, heading, text) VALUES (?, ?, ?, ?, ?, ?)'),
    index: sql(`INSERT INTO words (${words}) SELECT id, title, heading, text ${ofPage}`),
    unindex: sql(`INSERT INTO words (words, ${words}) SELECT 'delete', id, title, heading, text ${ofPage}`),
    drop: sql(`DELETE ${ofPage}`),
    length: sql(`SELECT coalesce(sum(length(text)), 0) AS length ${ofPage}`),
    search: sql(`
      SELECT s.url, s.anchor, s.title, s.heading, s.source, snippet(words, 2, '', '', ' … ', ${SNIPPET_TOKENS}) AS snippet
      FROM words JOIN section AS s ON s.id = words.rowid
      WHERE words MATCH ? AND (? IS NULL OR s.source = ?)
      ORDER BY bm25(words, 2.0, 6.0, 1.0), s.id LIMIT ? OFFSET ?`),
  };
}
