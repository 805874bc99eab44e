/** A paragraph is one line of Markdown; longer ones are shown round what differs. */
const LONG_LINE = 400;
const AROUND = 120;

/**
 * Lines of a unified diff, the long ones cut: of one that was replaced by another, what is the same at both ends goes first.
 * What goes is shown as `…`.
 */
export function clippedLines(lines: readonly string[]): string[] {
  const partners = partnersOf(lines);
  return lines.map((line, index) => {
    if (line.length <= LONG_LINE) return line;
    const partner = lines[partners.get(index) ?? -1];
    return partner === undefined ? `${head(line, LONG_LINE)}…` : roundDifference(line, partner);
  });
}

/** The first line that went belongs to the first that came in its place, and so on. */
function partnersOf(lines: readonly string[]): Map<number, number> {
  const partners = new Map<number, number>();
  for (let at = 0; at < lines.length; ) {
    const gone = runOf('-', lines, at);
    const come = runOf('+', lines, at + gone);
    for (let pair = 0; pair < Math.min(gone, come); pair += 1) {
      partners.set(at + pair, at + gone + pair);
      partners.set(at + gone + pair, at + pair);
    }
    at += Math.max(1, gone + come);
  }
  return partners;
}

function runOf(sign: string, lines: readonly string[], start: number): number {
  let end = start;
  while (lines[end]?.startsWith(sign)) end += 1;
  return end - start;
}

function roundDifference(line: string, partner: string): string {
  // The first character is the sign.
  const shorter = Math.min(line.length, partner.length);
  let same = 1;
  while (same < shorter && line[same] === partner[same]) same += 1;
  let sameEnd = 0;
  while (sameEnd < shorter - same && line.at(-1 - sameEnd) === partner.at(-1 - sameEnd)) sameEnd += 1;
  const from = Math.max(1, same - AROUND);
  const until = Math.min(line.length, line.length - sameEnd + AROUND, from + LONG_LINE + 2 * AROUND);
  const shown = line.slice(from, until);
  return `${line[0]}${from > 1 ? '…' : ''}${shown}${until < line.length ? '…' : ''}`;
}

function head(line: string, length: number): string {
  return line.slice(0, length);
}
