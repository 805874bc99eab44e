import { decodeAIDocument } from '../../codecs/aidocument/decode.ts';
import type { DocumentKey, Snapshot } from '../../crawl/document-cache.ts';
import type { SqliteDatabase, SqliteStatement } from './database.ts';

/** A BLOB, because SQLite text may end at a NUL character. */
export const DOCUMENT_SCHEMA = `
  CREATE TABLE IF NOT EXISTS documents (
    id INTEGER PRIMARY KEY, url TEXT NOT NULL, variant TEXT NOT NULL, fetched_ms INTEGER NOT NULL, fresh_until_ms INTEGER NOT NULL,
    details TEXT NOT NULL, used_ms INTEGER NOT NULL, bytes INTEGER NOT NULL, document BLOB NOT NULL, UNIQUE (url, variant)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS documents_by_use ON documents (used_ms, id, bytes);
  CREATE TABLE IF NOT EXISTS redirects (
    id INTEGER PRIMARY KEY, url TEXT NOT NULL, variant TEXT NOT NULL, target TEXT NOT NULL, fresh_until_ms INTEGER NOT NULL,
    UNIQUE (url, variant)
  ) STRICT;
`;

export interface DocumentRow {
  readonly id: number;
  readonly fetched_ms: number;
  readonly fresh_until_ms: number;
  readonly details: string;
  readonly used_ms: number;
  readonly document: Uint8Array;
}

export interface RedirectRow {
  readonly target: string;
  readonly fresh_until_ms: number;
}

type Details = Pick<Snapshot, 'validators' | 'caching' | 'reader'>;
export type DocumentStatements = ReturnType<typeof prepareDocuments>;

export function prepareDocuments(database: SqliteDatabase) {
  const sql = (text: string): SqliteStatement => database.prepare(text);
  return {
    document: sql(
      'SELECT id, fetched_ms, fresh_until_ms, details, used_ms, document FROM documents WHERE url = ? AND variant = ?',
    ),
    redirect: sql('SELECT target, fresh_until_ms FROM redirects WHERE url = ? AND variant = ?'),
    use: sql('UPDATE documents SET used_ms = ? WHERE id = ?'),
    put: sql(
      `INSERT INTO documents (url, variant, fetched_ms, fresh_until_ms, details, used_ms, bytes, document)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    renew: sql('UPDATE documents SET fresh_until_ms = ?, details = ? WHERE url = ? AND variant = ? AND fetched_ms = ?'),
    forget: sql('DELETE FROM documents WHERE url = ? AND variant = ?'),
    forgetRedirect: sql('DELETE FROM redirects WHERE url = ? AND variant = ?'),
    lead: sql('INSERT INTO redirects (url, variant, target, fresh_until_ms) VALUES (?, ?, ?, ?)'),
    makeRoom: sql(
      `DELETE FROM documents WHERE id IN (SELECT id FROM (
         SELECT id, sum(bytes) OVER (ORDER BY used_ms DESC, id DESC) AS total FROM documents
       ) WHERE total > ?)`,
    ),
    makeRoomForRedirects: sql(
      'DELETE FROM redirects WHERE id IN (SELECT id FROM redirects ORDER BY id DESC LIMIT -1 OFFSET ?)',
    ),
  };
}

export function detailsOf({ validators, caching, reader }: Snapshot): string {
  const details: Details = { validators, caching, reader };
  return JSON.stringify(details);
}

/** Undefined when the row is none that we wrote: then there is no copy. */
export function snapshotOf(row: DocumentRow, { variant }: DocumentKey, redirect?: RedirectRow): Snapshot | undefined {
  const document = decodeAIDocument(Buffer.from(row.document).toString('utf8'));
  const details = parseDetails(row.details);
  if (!document.ok || details === undefined) return undefined;
  const freshUntilMs = Math.min(row.fresh_until_ms, redirect?.fresh_until_ms ?? Number.POSITIVE_INFINITY);
  return { variant, document: document.value, fetchedAtMs: row.fetched_ms, freshUntilMs, ...details };
}

function parseDetails(json: string): Details | undefined {
  try {
    return JSON.parse(json) as Details;
  } catch {
    return undefined;
  }
}
