const MAX_WORDS = 32;
const MAX_WORD_LENGTH = 64;

/**
 * The words of what somebody typed, each quoted and taken as the beginning of a word: what else a query may hold has a meaning of its own
 * in https://sqlite.org/fts5.html#full_text_query_syntax, and none here.
 */
export function fullTextWords(query: string): readonly string[] {
  const words = query.toWellFormed().match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
  const distinct = new Set(words.map((word) => word.slice(0, MAX_WORD_LENGTH).toWellFormed()));
  return [...distinct].slice(0, MAX_WORDS).map((word) => `"${word}"*`);
}
