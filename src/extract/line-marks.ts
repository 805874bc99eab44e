/**
 * Marks of lines: a hash of each line of a section in three bytes, base64url. They tell which lines of one page occur in others, and which of them were added
 * or removed. Only fingerprints tell whether the content of a section is the same.
 */

/** The number of characters of one mark. */
const MARK = 4;
/** In a longer section, the first and the last lines have their own marks, and all lines between them share one. */
const MAX_LINES = 200;

export function lineMarksOf(text: string): string {
  if (text === '') return '';
  const lines = markedOf(text.split('\n'), (between) => between.join('\n'));
  const marks = Buffer.allocUnsafe(lines.length * 3);
  for (const [at, line] of lines.entries()) marks.writeUIntBE(shortHash(line), at * 3, 3);
  return marks.toString('base64url');
}

/** Reduces a list with an entry for each line to one for each mark. */
export function markedOf<T>(lines: T[], join: (between: readonly T[]) => T): T[] {
  const half = MAX_LINES / 2;
  if (lines.length > MAX_LINES) lines.splice(half, lines.length - MAX_LINES, join(lines.slice(half, -half)));
  return lines;
}

export function splitMarks(marks: string): readonly string[] {
  const list: string[] = [];
  for (let at = 0; at < marks.length; at += MARK) list.push(marks.slice(at, at + MARK));
  return list;
}

/** FNV-1a over UTF-16, folded into 24 bits. Only the author of two lines could profit from a collision. */
function shortHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return ((hash >>> 24) ^ hash) & 0xffffff;
}
