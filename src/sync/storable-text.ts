/**
 * A text as every database can keep it: PostgreSQL refuses NUL, and neither UTF-8 nor a comparison knows half of a surrogate pair. Both are
 * replaced as a decoder does it.
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}
