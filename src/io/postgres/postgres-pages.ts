import { type ChunkRow, heldSections, type SectionRow } from '../../sync/held-sections.ts';
import type { HeldPage, HeldSections, SyncedPage } from '../../sync/sink.ts';
import { storableText } from '../../sync/storable-text.ts';
import type { PostgresSession } from './postgres-session.ts';

const PAGE_ROWS = 500;

export interface PageRow extends HeldPage {
  readonly id: string;
}

/** The rows of pages, sections, chunks and vectors in one schema. What is the same is not written again. */
export class PostgresPages {
  readonly #sql: ReturnType<typeof statementsOf>;

  /** The schema as used in statements. */
  constructor(schema: string) {
    this.#sql = statementsOf(schema);
  }

  /** In order of arrival, after one. */
  async after(session: PostgresSession, id: string): Promise<readonly PageRow[]> {
    return (await session.query(this.#sql.pagesAfter, [id, PAGE_ROWS])).rows as PageRow[];
  }

  /** If `embeds` is set, a chunk without a vector counts as made by no pipeline. */
  async held(session: PostgresSession, url: string, embeds: boolean): Promise<HeldSections | undefined> {
    const [page] = (await session.query(this.#sql.page, [url])).rows as HeldPage[];
    if (page === undefined) return undefined;
    const sections = (await session.query(this.#sql.sections, [url])).rows as SectionRow[];
    const chunks = (await session.query(embeds ? this.#sql.embeddedChunks : this.#sql.chunks, [url]))
      .rows as ChunkRow[];
    return { ...page, sections: heldSections(sections, chunks) };
  }

  /** Inside a transaction that holds the lock of the page. */
  async put(session: PostgresSession, { url, source, title, checksum, updated, sections }: SyncedPage): Promise<void> {
    const page = [url, source, storableText(title), checksum, updated];
    await session.query(this.#sql.updatePage, page);
    await session.query(this.#sql.insertPage, page);

    const anchors = sections.map(({ anchor }) => storableText(anchor));
    const rows = [
      ...[url, source, storableText(title), updated, anchors],
      ...[sections.map(({ heading }) => storableText(heading)), sections.map(({ markdown }) => storableText(markdown))],
      sections.map(({ checksum }) => checksum),
    ];
    await session.query(this.#sql.updateSections, rows);
    await session.query(this.#sql.insertSections, rows);
    await session.query(this.#sql.dropSections, [url, anchors]);

    const chunks = sections.flatMap(({ anchor, chunks }) => chunks.map((chunk) => ({ ...chunk, anchor })));
    const ids = chunks.map(({ id }) => id);
    await session.query(this.#sql.putChunks, [
      ...[url, ids, chunks.map(({ anchor }) => storableText(anchor)), chunks.map(({ position }) => position)],
      ...[chunks.map(({ text }) => storableText(text)), chunks.map(({ tokens }) => tokens)],
      chunks.map(({ fingerprint }) => fingerprint),
    ]);
    await session.query(this.#sql.dropChunks, [url, ids]);
  }

  /** Inside a transaction. `type` is that of a vector. */
  async putVectors(session: PostgresSession, vectors: ReadonlyMap<string, Float32Array>, type: string): Promise<void> {
    const texts = [...vectors.values()].map((vector) => `[${vector.join(',')}]`);
    await session.query(this.#sql.putVectors(type), [[...vectors.keys()], texts]);
  }

  /** Inside a transaction. Vectors go with their chunks. */
  async remove(session: PostgresSession, url: string): Promise<void> {
    for (const statement of [this.#sql.dropPage, this.#sql.dropAllSections, this.#sql.dropAllChunks]) {
      await session.query(statement, [url]);
    }
  }
}

function statementsOf(schema: string) {
  const incoming = `unnest($5::text[], $6::text[], $7::text[], $8::text[]) WITH ORDINALITY AS i (anchor, heading, markdown, checksum, position)`;
  return {
    pagesAfter: `SELECT id::text, url, source, checksum FROM ${schema}.pages WHERE id > $1::bigint ORDER BY pages.id LIMIT $2`,
    page: `SELECT url, source, checksum FROM ${schema}.pages WHERE url = $1`,
    sections: `SELECT anchor, checksum FROM ${schema}.sections WHERE url = $1 ORDER BY position`,
    chunks: `SELECT id, anchor, fingerprint FROM ${schema}.chunks WHERE url = $1 ORDER BY position`,
    embeddedChunks: `
      SELECT c.id, c.anchor, CASE WHEN v.chunk_id IS NULL THEN '' ELSE c.fingerprint END AS fingerprint
      FROM ${schema}.chunks AS c LEFT JOIN ${schema}.chunk_vectors AS v ON v.chunk_id = c.id WHERE c.url = $1 ORDER BY c.position`,
    updatePage: `
      UPDATE ${schema}.pages SET source = $2, title = $3, checksum = $4, updated = $5
      WHERE url = $1 AND (source, title, checksum, updated) IS DISTINCT FROM ($2, $3, $4, $5)`,
    insertPage: `
      INSERT INTO ${schema}.pages (url, source, title, checksum, updated) SELECT $1, $2, $3, $4, $5
      WHERE NOT EXISTS (SELECT 1 FROM ${schema}.pages WHERE url = $1)`,
    updateSections: `
      UPDATE ${schema}.sections AS s
      SET title = $3, heading = i.heading, markdown = i.markdown, checksum = i.checksum, source = $2, position = i.position - 1,
        updated = CASE WHEN (s.heading, s.markdown, s.checksum) IS DISTINCT FROM (i.heading, i.markdown, i.checksum) THEN $4 ELSE s.updated END
      FROM ${incoming}
      WHERE s.url = $1 AND s.anchor = i.anchor AND (s.title, s.heading, s.markdown, s.checksum, s.source, s.position)
        IS DISTINCT FROM ($3, i.heading, i.markdown, i.checksum, $2, (i.position - 1)::integer)`,
    insertSections: `
      INSERT INTO ${schema}.sections (url, anchor, title, heading, markdown, checksum, updated, source, position)
      SELECT $1, i.anchor, $3, i.heading, i.markdown, i.checksum, $4, $2, i.position - 1 FROM ${incoming}
      WHERE NOT EXISTS (SELECT 1 FROM ${schema}.sections AS s WHERE s.url = $1 AND s.anchor = i.anchor)`,
    dropSections: `DELETE FROM ${schema}.sections WHERE url = $1 AND anchor <> ALL ($2::text[])`,
    putChunks: `
      INSERT INTO ${schema}.chunks AS c (id, url, anchor, position, text, tokens, fingerprint)
      SELECT i.id, $1, i.anchor, i.position, i.text, i.tokens, i.fingerprint
      FROM unnest($2::text[], $3::text[], $4::integer[], $5::text[], $6::integer[], $7::text[]) AS i (id, anchor, position, text, tokens, fingerprint)
      ON CONFLICT (id) DO UPDATE SET url = excluded.url, anchor = excluded.anchor, position = excluded.position, text = excluded.text,
        tokens = excluded.tokens, fingerprint = excluded.fingerprint
      WHERE (c.url, c.anchor, c.position, c.text, c.tokens, c.fingerprint)
        IS DISTINCT FROM (excluded.url, excluded.anchor, excluded.position, excluded.text, excluded.tokens, excluded.fingerprint)`,
    dropChunks: `DELETE FROM ${schema}.chunks WHERE url = $1 AND id <> ALL ($2::text[])`,
    putVectors: (type: string) => `
      INSERT INTO ${schema}.chunk_vectors AS v (chunk_id, embedding) SELECT i.id, i.vector::${type} FROM unnest($1::text[], $2::text[]) AS i (id, vector)
      ON CONFLICT (chunk_id) DO UPDATE SET embedding = excluded.embedding WHERE v.embedding::text <> excluded.embedding::text`,
    dropPage: `DELETE FROM ${schema}.pages WHERE url = $1`,
    dropAllSections: `DELETE FROM ${schema}.sections WHERE url = $1`,
    dropAllChunks: `DELETE FROM ${schema}.chunks WHERE url = $1`,
  };
}
