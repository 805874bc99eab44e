/** Replaces each NUL in a text with U+FFFD, like HTML parsers do: no document contains a NUL. */
export function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}
