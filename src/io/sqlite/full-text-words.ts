const MAX_WORDS = 32;
const MAX_WORD_LENGTH = 64;

/** The words of a typed query, each quoted and used as a prefix: other syntax of https://sqlite.org/fts5.html#full_text_query_syntax has no meaning here. */
export function fullTextWords(query: string): readonly string[] {
  const words = query.toWellFormed().match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
  const distinct = new Set(words.map((word) => word.slice(0, MAX_WORD_LENGTH).toWellFormed()));
  return [...distinct].slice(0, MAX_WORDS).map((word) => `"${word}"*`);
}
