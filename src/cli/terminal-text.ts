/** Control characters other than tab and line feed, and those that turn the direction of text round. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
const DANGEROUS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text from outside as a terminal may have it. Escaped as JSON escapes, so that a line of JSON stays the same JSON.
 */
export function terminalText(text: string): string {
  return text.replace(DANGEROUS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
