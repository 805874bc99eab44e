const MAX_LENGTH = 300;

/** Texts of others, as one line of bounded length without control characters. */
export function plainLine(text: string): string {
  const line = text.slice(0, MAX_LENGTH * 10).replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
  return line.trim().slice(0, MAX_LENGTH).toWellFormed();
}
