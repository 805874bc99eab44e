/**
 * Markdown, block by block.
 *
 * Lists and quotes are a stack of prefixes that every line below them carries, so blocks nest to any depth.
 */
export class MarkdownWriter {
  private readonly blocks: string[] = [];
  private readonly prefixes: Prefix[] = [];
  /** The open line in pieces: a line of many links is written in linear time. */
  private line: string[] = [];
  private lineCount = 0;
  private tight = false;

  /** Inline text that is already Markdown. */
  inline(text: string): void {
    if (text !== '') this.line.push(text);
  }

  /** Where the open line stands; see {@link wrap}. */
  mark(): Mark {
    return { line: this.lineCount, at: this.line.length };
  }

  /** Puts signs round what was written since the mark; nothing where that is empty or where a block came between. */
  wrap(since: Mark, before: string, after: string): void {
    if (since.line !== this.lineCount) return;
    const inner = this.line.slice(since.at).join('');
    const text = inner.trim();
    if (text === '') return;
    const lead = inner.slice(0, inner.indexOf(text));
    const trail = inner.slice(lead.length + text.length);
    this.line.length = since.at;
    this.line.push(`${lead}${before}${text}${after}${trail}`);
  }

  /** Ends the open line as a paragraph. */
  endLine(): void {
    if (this.line.length === 0) return;
    const open = this.line.join('');
    const line = open.includes('\\\n') ? open.replace(/[ \t\n\r\f]*\\\n[ \t\n\r\f]*/g, '\\\n') : open;
    // Single spaces, most of what there is, stay untouched; so does the end of a line that a backslash keeps.
    const text = line.replace(/(?<!\\)(?: \s+|[^\S ]\s*)/g, ' ').trim();
    this.line = [];
    this.lineCount += 1;
    if (text !== '') this.block(escapeLineStart(text));
  }

  /** A block that is already Markdown, of one or more lines. */
  block(text: string): void {
    const between = this.prefixes.map((prefix) => prefix.between()).join('');
    const first = this.prefixes.map((prefix) => prefix.next()).join('');
    const rest = this.prefixes.map((prefix) => prefix.rest).join('');
    const separator = this.blocks.length === 0 ? '' : this.tight ? '\n' : `\n${between.trimEnd()}\n`;
    this.blocks.push(`${separator}${first}${text.split('\n').join(`\n${rest}`)}`);
    this.tight = false;
  }

  /** All blocks until {@link close} stand behind `first` on their first line and behind `rest` on the others. */
  open(first: string, rest: string): void {
    this.endLine();
    this.prefixes.push(new Prefix(first, rest));
  }

  close(): void {
    this.endLine();
    this.prefixes.pop();
  }

  /** The next block follows without an empty line, as items of a list do. */
  tighten(): void {
    this.tight = true;
  }

  toString(): string {
    this.endLine();
    return this.blocks.join('');
  }
}

interface Mark {
  readonly line: number;
  readonly at: number;
}

class Prefix {
  readonly rest: string;
  private first: string | undefined;

  constructor(first: string, rest: string) {
    this.first = first;
    this.rest = rest;
  }

  /** What an empty line above the next block carries: nothing where the list or quote only begins. */
  between(): string {
    return this.first === undefined ? this.rest : '';
  }

  next(): string {
    const prefix = this.first ?? this.rest;
    this.first = undefined;
    return prefix;
  }
}

/** Keeps text from being read as markup inside a line. */
export function escapeInline(text: string): string {
  return /[\\*`<]/.test(text) ? text.replace(/[\\*`]|<(?=[a-z/!])/gi, '\\$&') : text;
}

function escapeLineStart(text: string): string {
  return text.replace(/^(#{1,6}(?=\s)|[-+](?=\s)|>|={3,}$|-{3,}$)/, '\\$1').replace(/^(\d{1,9})([.)])(?=\s)/, '$1\\$2');
}

/** Code between backticks, with as many of them as it takes. */
export function inlineCode(code: string): string {
  const longest = Math.max(0, ...(code.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${code}${pad}${fence}`;
}

export function codeBlock(code: string, language: string): string {
  const longest = Math.max(2, ...(code.match(/^`{3,}/gm) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

export function table(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const lineOf = (row: readonly string[]) =>
    `| ${Array.from({ length: columns }, (_, column) => (row[column] ?? '').replace(/\|/g, '\\|').replace(/\s+/g, ' ').trim()).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [lineOf(head), `|${' --- |'.repeat(columns)}`, ...body.map(lineOf)].join('\n');
}
