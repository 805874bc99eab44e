/**
 * Marks of lines: what stands on each line of a section in three bytes, base64url. They tell which lines of one page are those of
 * others, and which of them came or went; what a section says is told by its fingerprints alone.
 */

/** Characters of one mark. */
const MARK = 4;
/** Of a longer section the first and the last lines have marks of their own, and all between them one. */
const MAX_LINES = 200;

export function lineMarksOf(text: string): string {
  if (text === '') return '';
  const lines = markedOf(text.split('\n'), (between) => between.join('\n'));
  const marks = Buffer.allocUnsafe(lines.length * 3);
  for (const [at, line] of lines.entries()) marks.writeUIntBE(shortHash(line), at * 3, 3);
  return marks.toString('base64url');
}

/** Of a list with an entry for each line, one for each mark. */
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

/** FNV-1a over UTF-16, folded into 24 bits. Nobody gains by two lines with one mark but the author of both. */
function shortHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return ((hash >>> 24) ^ hash) & 0xffffff;
}
