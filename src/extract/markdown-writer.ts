import { LinePrefix } from './line-prefix.ts';
import { codeBlock, escapeLineStart, inlineCode } from './markdown-text.ts';

/** What is written: blocks of a page, one line (a heading, a term), or one cell of a table, where `<br>` separates lines. */
export type WriterKind = 'page' | 'line' | 'cell';

/** Deeper lists and quotes are written at this level, so that a page cannot make its Markdown much larger than itself. */
const MAX_NESTING = 20;
/** Longer emphases are not joined with the next, so that a line of many is written in linear time. */
const MAX_JOINED = 500;
/** A line break inside the open line. Text contains none: its white space is collapsed before. */
const BREAK = '\n';

/** A reference has up to 32 letters, each of which may be a separate piece. Nobody writes more pieces than this. */
const REFERENCE_PIECES = 8;

/**
 * Markdown, block by block.
 *
 * Lists and quotes are a stack of prefixes that every line below them gets, so blocks nest to any depth.
 */
export class MarkdownWriter {
  readonly #kind: WriterKind;
  readonly #blocks: string[] = [];
  readonly #prefixes: LinePrefix[] = [];
  /** The open line in pieces, so that a line of many links is written in linear time. */
  #line: string[] = [];
  #lineCount = 0;
  #lastEmphasis: Emphasis | undefined;
  #rule: number | undefined;
  #nextLine: { readonly before: string; readonly after: string } | undefined;
  /** The number of blocks when the last one was a lead. */
  #leadAt: number | undefined;
  #lastList: { readonly blocks: number; readonly depth: number; readonly sign: string } | undefined;

  constructor(kind: WriterKind = 'page') {
    this.#kind = kind;
  }

  /** Whether `text` would complete a character reference that the pieces before it begin: `&am` and `p;`. */
  #endsInReference(text: string): boolean {
    if (!/^#?\w{0,32};/.test(text)) return false;
    return /&#?\w{0,32}$/.test(this.#line.slice(-REFERENCE_PIECES).join(''));
  }

  /** Inline text that is already Markdown. */
  inline(text: string): void {
    if (text === '') return;
    const last = this.#line.at(-1);
    if (last === undefined) {
      this.#line.push(text);
      return;
    }
    this.#settleEmphasis(text);
    // A text's brackets and parentheses would form a link together.
    if (text.startsWith('(') && last.endsWith(']')) this.#line.push(`\\${text}`);
    else this.#line.push(this.#endsInReference(text) ? text.replace(';', '\\;') : text);
  }

  lineBreak(): void {
    this.#line.push(BREAK);
  }

  /** The position in the open line; see {@link wrap}. */
  mark(): Mark {
    return { writer: this, line: this.#lineCount, at: this.#line.length };
  }

  /** Puts signs around what was written since the mark. Does nothing if that is empty or if a block came between. */
  wrap(since: Mark, before: string, after: string): void {
    const inner = this.#takeSince(since);
    if (inner === undefined) return;
    if (before === '[' && inner.lead === '') this.#partLink();
    this.#line.push(`${inner.lead}${before}${inner.text}${after}${inner.trail}`);
  }

  /** The same for signs that count only at the edge of a word. Elsewhere they are left out. */
  emphasize(since: Mark, sign: string): void {
    const before = this.#lastEmphasis;
    const inner = this.#takeSince(since);
    if (inner === undefined) return;
    const { lead, text, trail } = inner;
    const previous = this.#line.at(-1) ?? '';
    const adjoins = before !== undefined && before.at === this.#line.length - 1 && before.trail === '' && lead === '';
    if (adjoins && before.sign === sign && before.text.length < MAX_JOINED) {
      this.#line.pop();
      this.#pushEmphasis({ ...before, text: `${before.text}${text}`, trail });
    } else if (adjoins || (lead === '' && !isEdge(previous.at(-1)) && isEdge(text[0]))) {
      this.#line.push(`${lead}${text}${trail}`);
    } else {
      this.#pushEmphasis({ at: this.#line.length, sign, lead, text, trail });
    }
  }

  /** Ends the open line as a paragraph. */
  endLine(): void {
    if (this.#line.length === 0) return;
    const open = this.#line.join('');
    this.#line = [];
    this.#lineCount += 1;
    this.#lastEmphasis = undefined;
    const text = (open.includes('  ') ? open.replace(/ {2,}/g, ' ') : open).trim();
    if (text === '') return;
    if (this.#kind !== 'page') this.block(text.replace(/ ?\n[ \n]*/g, this.#kind === 'cell' ? ' <br> ' : ' '));
    else if (!text.includes(BREAK)) this.block(this.#linked(escapeLineStart(text)));
    else for (const part of text.split(/ ?\n ?\n[ \n]*/)) this.block(this.#linked(paragraphOf(part)));
  }

  /** A block that is already Markdown, of one or more lines. */
  block(text: string): void {
    if (this.#rule === this.#prefixes.length) {
      this.#rule = undefined;
      this.block('---');
    }
    this.#rule = undefined;
    const fresh = this.#prefixes.find((prefix) => prefix.isFresh());
    const between = this.#prefixes.map((prefix) => prefix.between()).join('');
    const first = this.#prefixes.map((prefix) => prefix.next()).join('');
    if (this.#kind !== 'page') {
      this.#blocks.push(`${this.#blocks.length === 0 ? '' : SEPARATORS[this.#kind]}${first}${text}`);
      return;
    }
    const rest = this.#prefixes.map((prefix) => prefix.rest).join('');
    const isTight = fresh?.tight === true || this.#leadAt === this.#blocks.length;
    const separator = this.#blocks.length === 0 ? '' : isTight ? '\n' : `\n${between.trimEnd()}\n`;
    this.#blocks.push(`${separator}${first}${indent(text, rest)}`);
  }

  /** A line at the beginning of the open container. The next block in it follows without an empty line. */
  lead(text: string): void {
    this.block(text);
    this.#leadAt = this.#blocks.length;
  }

  code(code: string, language: string): void {
    this.endLine();
    // Some themes also show the language above the code.
    if (language !== '' && this.#blocks.length > 1 && this.#blocks.at(-1)?.toLowerCase() === `\n\n${language}`)
      this.#blocks.pop();
    if (this.#kind === 'page') this.block(codeBlock(code, language));
    else {
      const lines = code.split('\n').filter((line) => line.trim() !== '');
      this.block(lines.map((line) => inlineCode(line)).join(SEPARATORS[this.#kind]));
    }
  }

  /** A line between two blocks. Omitted at the beginning and the end, where it separates nothing. */
  thematicBreak(): void {
    this.endLine();
    if (this.#blocks.length > 0 && this.#kind === 'page') this.#rule = this.#prefixes.length;
  }

  /** All blocks until {@link close} get the prefix `first` on their first line and `rest` on the others. If `tight`, no empty line goes before them. */
  open(first: string, rest: string, tight = false): void {
    this.endLine();
    const isShown = this.#kind !== 'line' && this.#prefixes.length < MAX_NESTING;
    this.#prefixes.push(isShown ? new LinePrefix(first, rest, tight) : new LinePrefix('', '', tight));
  }

  close(): void {
    this.endLine();
    this.#prefixes.pop();
    this.#leadAt = undefined;
  }

  /** The sign of a list. After another list it is the other of the two signs, so that they stay separate lists. */
  listSign(signs: readonly [string, string]): string {
    this.endLine();
    const last = this.#lastList;
    const follows =
      last?.blocks === this.#blocks.length && last.depth === this.#prefixes.length && last.sign === signs[0];
    return follows && this.#blocks.length > 0 ? signs[1] : signs[0];
  }

  endList(sign: string): void {
    this.endLine();
    this.#lastList = { blocks: this.#blocks.length, depth: this.#prefixes.length, sign };
  }

  /** Puts signs around the whole next line, unless {@link clearNextLine} comes first. */
  wrapNextLine(before: string, after: string): void {
    this.endLine();
    this.#nextLine = { before, after };
  }

  clearNextLine(): void {
    this.endLine();
    this.#nextLine = undefined;
  }

  toString(): string {
    this.endLine();
    return this.#blocks.join('');
  }

  /** "!" and a link would form an image; two links without a space between them are two words. */
  #partLink(): void {
    const at = this.#line.length - 1;
    const last = this.#line[at];
    if (last?.endsWith('!') === true) this.#line[at] = `${last.slice(0, -1)}\\!`;
    else if (last !== undefined && /\]\(\S*\)$/.test(last)) this.#line.push(' ');
  }

  #linked(text: string): string {
    if (this.#nextLine === undefined) return text;
    const { before, after } = this.#nextLine;
    this.#nextLine = undefined;
    return `${before}${text}${after}`;
  }

  #takeSince(since: Mark): { lead: string; text: string; trail: string } | undefined {
    if (since.writer !== this || since.line !== this.#lineCount) return undefined;
    const inner = this.#line.slice(since.at).join('');
    const text = inner.trim();
    if (text === '') return undefined;
    const lead = inner.slice(0, inner.indexOf(text));
    const trail = inner.slice(lead.length + text.length);
    this.#line.length = since.at;
    return { lead, text: text.includes(BREAK) ? text.replace(/ ?\n[ \n]*/g, BREAK) : text, trail };
  }

  #pushEmphasis(emphasis: Emphasis): void {
    const { sign, lead, text, trail } = emphasis;
    this.#line.push(`${lead}${sign}${text}${sign}${trail}`);
    this.#lastEmphasis = emphasis;
  }

  /** `**Note:**text` is not bold: the stars do not close between a sign and a letter. */
  #settleEmphasis(next: string): void {
    const last = this.#lastEmphasis;
    if (last === undefined || last.at !== this.#line.length - 1) return;
    if (last.trail !== '' || isEdge(next[0]) || !isEdge(last.text.at(-1))) return;
    this.#line[last.at] = `${last.lead}${last.text}`;
    this.#lastEmphasis = undefined;
  }
}

export interface Mark {
  readonly writer: MarkdownWriter;
  readonly line: number;
  readonly at: number;
}

interface Emphasis {
  /** The index of the piece in the line. */
  readonly at: number;
  readonly sign: string;
  readonly lead: string;
  readonly text: string;
  readonly trail: string;
}

const SEPARATORS = { line: ' ', cell: ' <br> ' };

/** Not a letter or digit. The beginning and the end of a line are edges too. */
function isEdge(character: string | undefined): boolean {
  return character === undefined || /[\s\p{P}\p{S}\p{Cs}]/u.test(character);
}

function paragraphOf(lines: string): string {
  return lines
    .split(BREAK)
    .map((line) => escapeLineStart(line.trim()))
    .join('\\\n');
}

function indent(text: string, rest: string): string {
  if (rest === '' || !text.includes('\n')) return text;
  const empty = rest.trimEnd();
  return text
    .split('\n')
    .map((line, at) => (at === 0 ? line : line === '' ? empty : `${rest}${line}`))
    .join('\n');
}
