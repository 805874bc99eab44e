/** Without the empty line after a final line break. */
export function textLines(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}
