/** The text with its percent-encoding undone; as it is where that does not hold together. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
