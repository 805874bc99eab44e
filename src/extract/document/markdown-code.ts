const FENCE = /^ {0,3}(?:[-*+>] {0,3}){0,3}(`{3,}|~{3,})(.*)$/;
const SPAN = /(?<!`)(`{1,3})(?!`)[^`\n]{1,2000}\1(?!`)/g;

/** Replaces fenced blocks with blanks. Every other character keeps its position. */
export function blankBlocks(markdown: string): string {
  let fence: string | undefined;
  const lines = markdown.split('\n').map((line) => {
    const [, marks, rest = ''] = FENCE.exec(line) ?? [];
    if (fence !== undefined) {
      if (marks?.startsWith(fence) === true && rest.trim() === '') fence = undefined;
      return ' '.repeat(line.length);
    }
    if (marks === undefined || (marks.startsWith('`') && rest.includes('`'))) return line;
    fence = marks;
    return ' '.repeat(line.length);
  });
  return lines.join('\n');
}

/** Replaces code spans with blanks. Every other character keeps its position. */
export function blankSpans(markdown: string): string {
  return markdown.replace(SPAN, (code) => ' '.repeat(code.length));
}
