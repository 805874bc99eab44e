import { ComparableText, UncomparedText } from './fingerprint.ts';
import { Footnotes } from './footnotes.ts';
import { separateParts } from './heading-parts.ts';
import { headingTextOf } from './heading-text.ts';
import { BLOCKS } from './html-elements.ts';
import { attribute, type HtmlElement, type HtmlNode, isHeading, levelOf } from './html-tree.ts';
import { linkTarget } from './link-target.ts';
import type { ListNumbers } from './list-numbers.ts';
import { escapeText } from './markdown-text.ts';
import { MarkdownWriter, type WriterKind } from './markdown-writer.ts';
import type { Measures } from './measure.ts';

/** The content between two headings, before it has a name. */
export interface SectionDraft {
  /** Absent for the content before the first heading. */
  readonly heading: HtmlElement | undefined;
  readonly headingText: string;
  /** Only the heading's words, normalized as for comparison, so that its slug survives a formatter. */
  readonly headingWords: string;
  readonly headingComparable: string;
  readonly level: number;
  /** What counts for comparison: words, code, cells, link targets, and edits by the author. */
  readonly comparable: string;
  readonly markdown: string;
}

export interface ReadOptions {
  readonly url: string;
  /** The base for shown links. Comparison always uses `url`. */
  readonly base: string;
  readonly measures: Measures;
  /** Default: true. If false, drafts have only Markdown. */
  readonly isCompared?: boolean;
}

/** How one element is read. */
export type ElementReader = (reader: SectionReader, element: HtmlElement) => void;

/** An open list: its sign, and for numbered ones the number of the next item and the step to the one after. */
export interface OpenList {
  readonly sign: string;
  next: number | undefined;
  readonly step: number;
  items: number;
  /** The numbering that Markdown cannot express. These numbers are written after bullets. */
  readonly numbers: ListNumbers | undefined;
  /** The indentation of what belongs to the last item. */
  indent: string;
}

/**
 * Walks the tree once and writes two outputs in parallel: the Markdown, and the text for comparison. element-readers.ts says how each element is read; this
 * class has the shared parts.
 */
export class SectionReader {
  readonly url: string;
  readonly base: string;
  readonly measures: Measures;
  readonly footnotes: Footnotes;
  readonly isCompared: boolean;
  comparable: ComparableText;
  markdown = new MarkdownWriter();
  /** The innermost last. */
  readonly lists: OpenList[] = [];
  /** Open emphasis signs. */
  readonly emphases = new Set<string>();
  inLink = false;
  inHeading = false;
  /** The target of the link around the next heading. */
  headingLink: string | undefined;
  /** The label of the note in the next definition. */
  nextNote: string | undefined;
  /** By element name. Any other element only groups its content. */
  readonly #readers: ReadonlyMap<string, ElementReader>;
  readonly #done: SectionDraft[] = [];
  #heading: HtmlElement | undefined;
  #headingText = '';
  #headingWords = '';
  #headingComparable = '';
  /** The number of parts being written beside the section's own Markdown. No section begins inside one. */
  #partsOpen = 0;

  constructor(root: HtmlElement, options: ReadOptions, readers: ReadonlyMap<string, ElementReader>) {
    const { url, base, measures, isCompared = true } = options;
    this.#readers = readers;
    this.isCompared = isCompared;
    this.comparable = this.#emptyComparable();
    this.url = url;
    this.base = base;
    this.measures = measures;
    this.footnotes = new Footnotes(root, url);
  }

  read(element: HtmlElement): void {
    for (const child of element.children) this.visit(child);
  }

  finish(): SectionDraft[] {
    this.#endSection();
    return this.#done;
  }

  visit(node: HtmlNode): void {
    if (typeof node === 'string') {
      this.text(node);
      return;
    }
    const isNamed = node.attributes.size === 0 || !isHeading(node);
    const read = this.#readers.get(isNamed ? node.name : 'h1');
    if (read !== undefined) read(this, node);
    else if (BLOCKS.has(node.name)) this.container(node);
    else this.read(node);
  }

  text(text: string): void {
    this.comparable.words(text);
    this.markdown.inline(escapeText(text, this.inLink));
  }

  /** A block that is significant for comparison. */
  paragraph(element: HtmlElement): void {
    this.comparable.breakLine();
    this.container(element);
    this.comparable.breakLine();
  }

  /** A block that only groups: themes add and remove such blocks. */
  container(element: HtmlElement): void {
    this.markdown.endLine();
    this.read(element);
    this.markdown.endLine();
  }

  prefixed(element: HtmlElement, first: string, rest: string, tight = false): void {
    this.comparable.breakLine();
    this.markdown.open(first, rest, tight);
    this.read(element);
    this.markdown.close();
    this.comparable.breakLine();
  }

  /** The output of `write` as separate Markdown. */
  part(kind: WriterKind, write: () => void): string {
    const outer = this.markdown;
    const writer = new MarkdownWriter(kind);
    this.markdown = writer;
    this.#partsOpen += 1;
    write();
    this.#partsOpen -= 1;
    this.markdown = outer;
    return writer.toString();
  }

  /** Uses the output of `write` for comparison only. */
  compareOnly(write: () => void): void {
    this.part('line', write);
  }

  compareTarget(link: HtmlElement): void {
    if (!this.isCompared) return;
    const href = link.name === 'a' ? attribute(link, 'href') : undefined;
    const target = href === undefined ? undefined : linkTarget(href, this.url);
    if (target !== undefined) this.comparable.link(target);
  }

  holdsHeading(element: HtmlElement): boolean {
    return this.measures.get(element)?.firstHeading !== undefined;
  }

  startSection(heading: HtmlElement): void {
    if (this.measures.get(heading)?.isEmpty() === true) return;
    if (this.#partsOpen > 0) {
      this.paragraph(heading);
      return;
    }
    this.#endSection();
    this.#heading = heading;
    separateParts(heading);
    this.#writeHeading(heading);
    this.#headingText = headingTextOf(heading);
    this.#headingWords = this.comparable.wordsAlone();
    this.#headingComparable = this.comparable.toString();
    this.comparable = this.#emptyComparable();
  }

  #emptyComparable(): ComparableText {
    return this.isCompared ? new ComparableText() : new UncomparedText();
  }

  #writeHeading(heading: HtmlElement): void {
    this.inHeading = true;
    const text = this.part('line', () => this.read(heading)).replace(/(^| )(#+)$/, '$1\\$2');
    this.inHeading = false;
    const linked = this.headingLink === undefined ? text : `[${text}](${this.headingLink})`;
    this.headingLink = undefined;
    if (text !== '') this.markdown.block(`${'#'.repeat(levelOf(heading))} ${linked}`);
  }

  #endSection(): void {
    this.#done.push({
      heading: this.#heading,
      headingText: this.#headingText,
      headingWords: this.#headingWords,
      headingComparable: this.#headingComparable,
      level: this.#heading === undefined ? 0 : levelOf(this.#heading),
      comparable: this.comparable.toString(),
      markdown: this.markdown.toString(),
    });
    this.comparable = this.#emptyComparable();
    this.markdown = new MarkdownWriter();
  }
}
