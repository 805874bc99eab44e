/** A text in which U+FFFD stands for each NUL, as parsers of HTML have it: no document holds one. */
export function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}
