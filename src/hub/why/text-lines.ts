/** Without the empty one behind a last line break. */
export function textLines(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}
