/** Makes foreign text one line, so that it cannot imitate our lines or control a terminal. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
