const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;

/** An untrusted text as one line of readable characters, limited in length. Nothing in it can begin a new header or line. */
export function plainLine(text: string, most = 300): string {
  const line = text
    .slice(0, 4 * most)
    .replace(UNSEEN, ' ')
    .trim();
  return line.length > most ? `${line.slice(0, most - 1).trimEnd()}…` : line;
}
