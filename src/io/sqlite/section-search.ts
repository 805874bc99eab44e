import { sinkMissingError } from '../../errors/sink-error.ts';
import type { FoundSection, SectionSearch, SectionSearchOptions } from '../../sync/section-search.ts';
import type { SqliteStatement } from './database.ts';
import { fullTextWords } from './full-text-words.ts';
import { explainSinkFailure, openSyncReader } from './sync-connection.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 200;
const MAX_SKIP = 10_000;
const SNIPPET_TOKENS = 40;

/** Searches the index in a file. Throws if there is none. */
export async function openSectionSearch(file: string): Promise<SectionSearch> {
  const index = await openSyncReader({ file }, false).catch((error: unknown) => {
    throw explainSinkFailure(file, error);
  });
  if (index === undefined) throw sinkMissingError(file);
  const { database } = index;
  const statement = database.prepare(SEARCH);
  return {
    async searchSections(query, options = {}) {
      const words = fullTextWords(query);
      try {
        const all = find(statement, words.join(' AND '), options);
        return all.length > 0 || words.length < 2 ? all : find(statement, words.join(' OR '), options);
      } catch (error) {
        throw explainSinkFailure(file, error);
      }
    },
    async [Symbol.asyncDispose]() {
      database.close();
    },
  };
}

/** A heading says more than the text below it, the title of a page less than its headings. */
const SEARCH = `
  SELECT s.url, s.anchor, s.title, s.heading, s.source, -bm25(sections_fts, 3.0, 6.0, 1.0) AS score,
    snippet(sections_fts, 2, '', '', ' … ', ${SNIPPET_TOKENS}) AS snippet
  FROM sections_fts JOIN sections AS s ON s.id = sections_fts.rowid
  WHERE sections_fts MATCH ?1 AND (?2 IS NULL OR s.source = ?2)
  ORDER BY bm25(sections_fts, 3.0, 6.0, 1.0), s.url, s.position LIMIT ?3 OFFSET ?4
`;

function find(search: SqliteStatement, match: string, options: SectionSearchOptions): FoundSection[] {
  if (match === '') return [];
  const { source = null, limit = DEFAULT_LIMIT, skip = 0 } = options;
  const bounded = (value: number, most: number) => Math.max(0, Math.min(most, Math.trunc(value) || 0));
  const rows = search.all(match, source, bounded(limit, MAX_LIMIT), bounded(skip, MAX_SKIP));
  return (rows as FoundSection[]).map((row) => ({ ...row }));
}
