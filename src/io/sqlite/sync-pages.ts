import { type ChunkRow, heldSections, type SectionRow } from '../../sync/held-sections.ts';
import type { HeldPage, HeldSections, SyncedPage, SyncedSection } from '../../sync/sink.ts';
import { storableText } from '../../sync/storable-text.ts';
import type { SqliteDatabase, SqliteStatement } from './database.ts';

const PAGE_ROWS = 500;

/** The rows of pages, sections and chunks. What is the same is not written again. */
export class SyncPages {
  readonly #sql: Statements;

  constructor(database: SqliteDatabase) {
    this.#sql = prepare(database);
  }

  /** In order of URL, after one. */
  after(url: string): readonly HeldPage[] {
    return this.#sql.pagesAfter.all(url, PAGE_ROWS) as HeldPage[];
  }

  held(url: string): HeldSections | undefined {
    const page = this.#sql.page.get(url) as HeldPage | undefined;
    if (page === undefined) return undefined;
    const sections = this.#sql.sections.all(url) as SectionRow[];
    return { ...page, sections: heldSections(sections, this.#sql.chunks.all(url) as ChunkRow[]) };
  }

  /** Inside a transaction. Returns the ids of removed chunks. */
  put(page: SyncedPage): readonly string[] {
    const { url, source, title, checksum, updated, sections } = page;
    this.#sql.putPage.run(url, source, storableText(title), checksum, updated);
    for (const [position, section] of sections.entries()) this.#putSection(page, section, position);
    this.#sql.dropSections.run(url, JSON.stringify(sections.map(({ anchor }) => storableText(anchor))));
    const ids = sections.flatMap(({ chunks }) => chunks.map(({ id }) => id));
    return this.#dropChunks(url, ids);
  }

  /** Inside a transaction. Gives the ids of its chunks. */
  remove(url: string): readonly string[] {
    this.#sql.dropPage.run(url);
    this.#sql.dropSections.run(url, '[]');
    return this.#dropChunks(url, []);
  }

  #putSection(page: SyncedPage, section: SyncedSection, position: number): void {
    const { url, source, title, updated } = page;
    const [anchor, heading, markdown] = [section.anchor, section.heading, section.markdown].map(storableText);
    const texts = [storableText(title), heading ?? '', markdown ?? ''];
    this.#sql.putSection.run(url, anchor ?? '', ...texts, section.checksum, updated, source, position);
    for (const { id, position, text, tokens, fingerprint } of section.chunks) {
      this.#sql.putChunk.run(id, url, anchor ?? '', position, storableText(text), tokens, fingerprint);
    }
  }

  #dropChunks(url: string, kept: readonly string[]): readonly string[] {
    return (this.#sql.dropChunks.all(url, JSON.stringify(kept)) as { readonly id: string }[]).map(({ id }) => id);
  }
}

type Statements = ReturnType<typeof prepare>;

function prepare(database: SqliteDatabase) {
  const sql = (text: string): SqliteStatement => database.prepare(text);
  return {
    pagesAfter: sql('SELECT url, source, checksum FROM pages WHERE url > ? ORDER BY url LIMIT ?'),
    page: sql('SELECT url, source, checksum FROM pages WHERE url = ?'),
    sections: sql('SELECT anchor, checksum FROM sections WHERE url = ? ORDER BY position'),
    chunks: sql('SELECT id, anchor, fingerprint FROM chunks WHERE url = ? ORDER BY anchor, position'),
    putPage: sql(
      `INSERT INTO pages (url, source, title, checksum, updated) VALUES (?, ?, ?, ?, ?) ON CONFLICT (url) DO UPDATE
       SET source = excluded.source, title = excluded.title, checksum = excluded.checksum, updated = excluded.updated
       WHERE (source, title, checksum, updated) IS NOT (excluded.source, excluded.title, excluded.checksum, excluded.updated)`,
    ),
    putSection: sql(
      `INSERT INTO sections (url, anchor, title, heading, markdown, checksum, updated, source, position)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (url, anchor) DO UPDATE
       SET title = excluded.title, heading = excluded.heading, markdown = excluded.markdown, checksum = excluded.checksum,
         source = excluded.source, position = excluded.position,
         updated = iif((heading, markdown, checksum) IS (excluded.heading, excluded.markdown, excluded.checksum), updated, excluded.updated)
       WHERE (title, heading, markdown, checksum, source, position)
         IS NOT (excluded.title, excluded.heading, excluded.markdown, excluded.checksum, excluded.source, excluded.position)`,
    ),
    putChunk: sql(
      `INSERT INTO chunks (id, url, anchor, position, text, tokens, fingerprint) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
       SET url = excluded.url, anchor = excluded.anchor, position = excluded.position, text = excluded.text, tokens = excluded.tokens,
         fingerprint = excluded.fingerprint
       WHERE (url, anchor, position, text, tokens, fingerprint)
         IS NOT (excluded.url, excluded.anchor, excluded.position, excluded.text, excluded.tokens, excluded.fingerprint)`,
    ),
    dropPage: sql('DELETE FROM pages WHERE url = ?'),
    dropSections: sql('DELETE FROM sections WHERE url = ? AND anchor NOT IN (SELECT value FROM json_each(?))'),
    dropChunks: sql('DELETE FROM chunks WHERE url = ? AND id NOT IN (SELECT value FROM json_each(?)) RETURNING id'),
  };
}
