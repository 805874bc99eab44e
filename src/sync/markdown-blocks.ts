/** A piece of Markdown that should stay whole: a paragraph, a list item, a fenced block, a table. */
export interface MarkdownBlock {
  readonly kind: 'text' | 'fence' | 'table';
  /** Without blank lines around it. */
  readonly text: string;
}

/** Inside a quote or a list item, too. */
const FENCE = /^(?:[ \t]|>)*(`{3,}|~{3,})/;
const BLANK = /^[ \t]*$/;
/** The line below the header row. */
const DELIMITER_ROW = /^[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** The blocks of a text in order. Joined with blank lines, they form that text. */
export function markdownBlocks(markdown: string): readonly MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let lines: string[] = [];
  let fence: string | undefined;
  const end = (kind?: MarkdownBlock['kind']) => {
    if (lines.length > 0) blocks.push({ kind: kind ?? kindOf(lines), text: lines.join('\n') });
    lines = [];
  };
  for (const line of markdown.split('\n')) {
    const sign = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      lines.push(line);
      if (sign === undefined || !closes(line, sign, fence)) continue;
      fence = undefined;
      end('fence');
    } else if (sign !== undefined) {
      end();
      fence = sign;
      lines.push(line);
    } else if (BLANK.test(line)) end();
    else lines.push(line);
  }
  end(fence === undefined ? undefined : 'fence');
  return blocks;
}

/** CommonMark §4.5: the same character, at least as long, and nothing after it. */
function closes(line: string, sign: string, fence: string): boolean {
  return sign[0] === fence[0] && sign.length >= fence.length && line.trimEnd().endsWith(sign);
}

function kindOf(lines: readonly string[]): MarkdownBlock['kind'] {
  const [header = '', delimiter = ''] = lines;
  return header.includes('|') && delimiter.includes('-') && DELIMITER_ROW.test(delimiter) ? 'table' : 'text';
}
