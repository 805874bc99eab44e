import { codeTextOf, isLineNumbers, languageOf } from './code-text.ts';
import { ComparableText } from './fingerprint.ts';
import { headingTextOf } from './heading-text.ts';
import { BLOCKS, TABLE_PARTS } from './html-elements.ts';
import { attribute, type HtmlElement, type HtmlNode, levelOf, textOf } from './html-tree.ts';
import { linkTarget, resolveLink } from './link-target.ts';
import { codeBlock, escapeInline, inlineCode, MarkdownWriter, table } from './markdown-writer.ts';
import type { Measures } from './measure.ts';

/** What stands between two headings, before it has a name. */
export interface SectionDraft {
  /** Absent for what stands before the first heading. */
  readonly heading: HtmlElement | undefined;
  readonly headingText: string;
  /** The heading's words alone, settled as for comparing, so that its slug outlives a formatter. */
  readonly headingWords: string;
  readonly headingComparable: string;
  readonly level: number;
  readonly comparable: string;
  readonly markdown: string;
}

interface ReadOptions {
  readonly url: string;
  /** What links are shown relative to; comparing always goes by `url`. */
  readonly base: string;
  readonly measures: Measures;
}

/** The content below `root`, cut at every heading; the preamble comes first, empty or not. */
export function readSections(root: HtmlElement, options: ReadOptions): SectionDraft[] {
  const reader = new SectionReader(options);
  reader.read(root);
  return reader.finish();
}

class SectionReader {
  private readonly done: SectionDraft[] = [];
  private readonly url: string;
  private readonly base: string;
  private readonly measures: Measures;
  private heading: HtmlElement | undefined;
  private headingText = '';
  private headingWords = '';
  private headingComparable = '';
  private comparable = new ComparableText();
  private markdown = new MarkdownWriter();
  /** Open lists, the innermost last: the next number, or undefined for bullets. */
  private readonly lists: { next: number | undefined; items: number }[] = [];

  constructor({ url, base, measures }: ReadOptions) {
    this.url = url;
    this.base = base;
    this.measures = measures;
  }

  read(element: HtmlElement): void {
    for (const child of element.children) this.visit(child);
  }

  finish(): SectionDraft[] {
    this.endSection();
    return this.done;
  }

  private visit(node: HtmlNode): void {
    if (typeof node === 'string') {
      this.text(node);
      return;
    }
    const read = READERS.get(node.name);
    if (read !== undefined) read(this, node);
    else if (BLOCKS.has(node.name)) this.container(node);
    else this.read(node);
  }

  private text(text: string): void {
    this.comparable.words(text);
    this.markdown.inline(escapeInline(text));
  }

  lineBreak(): void {
    this.markdown.inline('\\\n');
  }

  softBreak(): void {
    this.comparable.glue();
  }

  /** A block that says something by being one. */
  paragraph(element: HtmlElement): void {
    this.comparable.breakLine();
    this.container(element);
    this.comparable.breakLine();
  }

  /** A block that only groups: themes add and remove such at will. */
  private container(element: HtmlElement): void {
    this.markdown.endLine();
    this.read(element);
    this.markdown.endLine();
  }

  prefixed(element: HtmlElement, first: string, rest: string): void {
    this.comparable.breakLine();
    this.markdown.open(first, rest);
    this.read(element);
    this.markdown.close();
    this.comparable.breakLine();
  }

  list(element: HtmlElement): void {
    const start = Number(attribute(element, 'start') ?? '1');
    this.markdown.endLine();
    this.lists.push({ next: element.name === 'ol' ? (Number.isInteger(start) ? start : 1) : undefined, items: 0 });
    this.paragraph(element);
    this.lists.pop();
  }

  item(element: HtmlElement): void {
    const list = this.lists.at(-1);
    this.markdown.endLine();
    if (list !== undefined && (list.items > 0 || this.lists.length > 1)) this.markdown.tighten();
    const bullet = list?.next === undefined ? '- ' : `${list.next}. `;
    if (list !== undefined) {
      list.items += 1;
      if (list.next !== undefined) list.next += 1;
    }
    this.prefixed(element, bullet, ' '.repeat(bullet.length));
  }

  emphasis(element: HtmlElement, sign: string): void {
    const start = this.markdown.mark();
    this.read(element);
    this.markdown.wrap(start, sign, sign);
  }

  inlineCode(element: HtmlElement): void {
    const text = textOf(element).replace(/\s+/g, ' ').trim();
    if (text === '') return;
    this.markdown.inline(inlineCode(text));
    this.compare(element);
  }

  /** Takes the words and links of an element for comparing only. */
  private compare(element: HtmlElement): void {
    for (const child of element.children) {
      if (typeof child === 'string') this.comparable.words(child);
      else if (child.name === 'wbr') this.comparable.glue();
      else {
        this.compare(child);
        this.compareTarget(child);
      }
    }
  }

  private compareTarget(link: HtmlElement): void {
    const href = link.name === 'a' ? attribute(link, 'href') : undefined;
    const target = href === undefined ? undefined : linkTarget(href, this.url);
    if (target !== undefined) this.comparable.link(target);
  }

  code(pre: HtmlElement): void {
    const code = codeTextOf(pre);
    if (code === '' || isLineNumbers(code)) return;
    this.comparable.code(code);
    this.markdown.endLine();
    this.markdown.block(codeBlock(code, languageOf(pre)));
    this.linksInCode(pre);
  }

  /** A block of code is taken as one text; where its links lead is noted after it. */
  private linksInCode(element: HtmlElement): void {
    if (this.measures.get(element)?.links === 0) return;
    for (const child of element.children) {
      if (typeof child === 'string') continue;
      this.linksInCode(child);
      this.compareTarget(child);
    }
  }

  link(link: HtmlElement): void {
    const href = attribute(link, 'href');
    const start = this.markdown.mark();
    this.read(link);
    if (href === undefined) return;
    this.compareTarget(link);
    const shown = resolveLink(href, this.base);
    if (shown !== undefined) this.markdown.wrap(start, '[', `](${shown.replace(/[\s()]/g, encodeURIComponent)})`);
  }

  image(image: HtmlElement): void {
    const alt = (attribute(image, 'alt') ?? '').replace(/\s+/g, ' ').trim();
    if (alt === '') return;
    this.comparable.words(` ${alt} `);
    this.markdown.inline(`![${alt.replace(/[[\]]/g, '\\$&')}]`);
  }

  table(element: HtmlElement): void {
    if (this.isLayout(element)) {
      this.container(element);
      return;
    }
    this.comparable.breakLine();
    this.markdown.endLine();
    const rows: string[][] = [];
    this.rows(element, rows);
    if (rows.length > 0) this.markdown.block(table(rows));
    this.comparable.breakLine();
  }

  private rows(element: HtmlElement, rows: string[][]): void {
    for (const child of element.children.filter((node) => !this.isBlank(node))) {
      if (typeof child !== 'string' && ROW_GROUPS.has(child.name)) this.rows(child, rows);
      else if (typeof child !== 'string' && child.name === 'caption') this.paragraph(child);
      else {
        this.comparable.breakLine();
        rows.push(this.cells(typeof child !== 'string' && child.name === 'tr' ? child.children : [child]));
      }
    }
  }

  /** Rows and cells count even where they are empty; what stands outside them counts like them. */
  private isBlank(node: HtmlNode): boolean {
    if (typeof node === 'string') return node.trim() === '';
    return !TABLE_PARTS.has(node.name) && this.measures.get(node)?.isEmpty() === true;
  }

  private cells(row: readonly HtmlNode[]): string[] {
    const outer = this.markdown;
    const cells: string[] = [];
    for (const child of row.filter((node) => !this.isBlank(node))) {
      this.comparable.cell();
      this.markdown = new MarkdownWriter();
      if (typeof child === 'string') this.text(child);
      else this.read(child);
      cells.push(this.markdown.toString());
    }
    this.markdown = outer;
    return cells;
  }

  /** A table that arranges a page rather than showing figures. */
  private isLayout(element: HtmlElement): boolean {
    const measure = this.measures.get(element);
    return measure === undefined || measure.firstHeading !== undefined || measure.tables > 1;
  }

  startSection(heading: HtmlElement): void {
    const measure = this.measures.get(heading);
    if (measure?.isEmpty() === true) return;
    this.endSection();
    this.heading = heading;
    this.markdown.open(`${'#'.repeat(levelOf(heading))} `, '');
    this.read(heading);
    this.markdown.close();
    this.headingText = headingTextOf(heading);
    this.headingWords = this.comparable.wordsAlone();
    this.headingComparable = this.comparable.toString();
    this.comparable = new ComparableText();
  }

  private endSection(): void {
    this.done.push({
      heading: this.heading,
      headingText: this.headingText,
      headingWords: this.headingWords,
      headingComparable: this.headingComparable,
      level: this.heading === undefined ? 0 : levelOf(this.heading),
      comparable: this.comparable.toString(),
      markdown: this.markdown.toString(),
    });
    this.comparable = new ComparableText();
    this.markdown = new MarkdownWriter();
  }
}

const ROW_GROUPS = new Set(['thead', 'tbody', 'tfoot']);
type Reader = (reader: SectionReader, element: HtmlElement) => void;

const byName = (names: string, read: Reader): [string, Reader][] => names.split(' ').map((name) => [name, read]);

/** How each element is read; any other one only groups what is in it. */
const READERS: ReadonlyMap<string, Reader> = new Map([
  ...byName('h1 h2 h3 h4 h5 h6', (reader, heading) => reader.startSection(heading)),
  ...byName('p dt tr figcaption summary caption hr', (reader, block) => reader.paragraph(block)),
  ...byName('ul ol', (reader, list) => reader.list(list)),
  ...byName('li', (reader, item) => reader.item(item)),
  ...byName('dd', (reader, definition) => reader.prefixed(definition, ': ', '  ')),
  ...byName('blockquote', (reader, quote) => reader.prefixed(quote, '> ', '> ')),
  ...byName('table', (reader, table) => reader.table(table)),
  ...byName('pre', (reader, pre) => reader.code(pre)),
  ...byName('code kbd samp tt', (reader, code) => reader.inlineCode(code)),
  ...byName('strong b', (reader, strong) => reader.emphasis(strong, '**')),
  ...byName('em i', (reader, emphasis) => reader.emphasis(emphasis, '*')),
  ...byName('a', (reader, link) => reader.link(link)),
  ...byName('img', (reader, image) => reader.image(image)),
  ...byName('br', (reader) => reader.lineBreak()),
  ...byName('wbr', (reader) => reader.softBreak()),
]);
