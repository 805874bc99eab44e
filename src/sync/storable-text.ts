/**
 * A text that every database can store: PostgreSQL refuses NUL, and half of a surrogate pair is invalid in UTF-8 and in comparisons. Both are
 * replaced as a decoder does it.
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}
