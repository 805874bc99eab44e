/** Text from outside that must not pass for lines of ours. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
