/** Text from outside that must not pass for lines of ours, nor steer a terminal. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
