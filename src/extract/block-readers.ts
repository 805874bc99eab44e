import { type CallTitle, titleOfCall } from './call-title.ts';
import { codeLanguageOf } from './code-language.ts';
import { codeTextOf, isLineNumbers } from './code-text.ts';
import { attribute, type HtmlElement, type HtmlNode } from './html-tree.ts';
import type { SectionReader } from './section-reader.ts';

/** A group, a note below the text, a call for attention, or code whose lines are elements. */
export function readContainer(reader: SectionReader, element: HtmlElement): void {
  const lines = element.name === 'div' ? linesOfListing(element) : undefined;
  if (lines !== undefined) {
    reader.compareOnly(() => reader.container(element));
    reader.markdown.code(codeTextOf({ ...element, children: lines }), '');
    return;
  }
  readNote(reader, element, () => {
    const title = titleOfCall(reader, element);
    if (title === undefined) reader.container(element);
    else readCall(reader, element, title);
  });
}

/** Reads an element as a footnote where it is one. */
export function readNote(reader: SectionReader, element: HtmlElement, otherwise: () => void): void {
  const label = reader.footnotes.noteIn(element);
  if (label === undefined || !writeNote(reader, element, label)) otherwise();
}

/** Writes `[^1]: …`, without the number that stands there already; false where a section begins inside. */
export function writeNote(reader: SectionReader, element: HtmlElement, label: string): boolean {
  if (reader.holdsHeading(element)) return false;
  reader.comparable.breakLine();
  const written = reader.part('page', () => reader.read(element));
  reader.comparable.breakLine();
  const text = withoutLabel(written, label);
  reader.markdown.open(`[^${label}]: `, '    ');
  if (text !== '') reader.markdown.block(text);
  reader.markdown.close();
  return true;
}

/** What may be left of `[1]`, `1.` or `^` before the words once the link in it is gone. */
function withoutLabel(text: string, label: string): string {
  const rest = text.replace(/^[\^↑]\s*/, '');
  const signs = [`[${label}]`, '[]', `\\[${label}]`, '\\[]', `${label}\\.`, `${label}\\)`, `${label}:`, '.'];
  const found = [...signs, `<sup>${label}</sup>`].find((sign) => rest.startsWith(sign));
  return rest.slice(found?.length ?? 0).trim();
}

export function readQuote(reader: SectionReader, element: HtmlElement): void {
  const title = titleOfCall(reader, element);
  reader.comparable.breakLine();
  if (title === undefined) reader.prefixed(element, '> ', '> ');
  else readCall(reader, element, title);
  reader.comparable.breakLine();
}

/** What is folded stands below its title as anything else does. */
export function readDetailsTitle(reader: SectionReader, summary: HtmlElement): void {
  if (reader.holdsHeading(summary)) {
    reader.paragraph(summary);
    return;
  }
  const isBold = reader.emphases.has('**');
  reader.emphases.add('**');
  const title = reader.part('line', () => reader.paragraph(summary));
  if (!isBold) reader.emphases.delete('**');
  reader.markdown.endLine();
  if (title !== '') reader.markdown.block(`**${title}**`);
}

export function readBlockCode(reader: SectionReader, pre: HtmlElement): void {
  const code = codeTextOf(pre);
  if (code === '' || isLineNumbers(code)) return;
  reader.comparable.code(code);
  reader.markdown.code(code, codeLanguageOf(pre));
  linksInCode(reader, pre);
}

/** A block of code is taken as one text; where its links lead is noted after it. */
function linksInCode(reader: SectionReader, element: HtmlElement): void {
  if (reader.measures.get(element)?.links === 0) return;
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    linksInCode(reader, child);
    reader.compareTarget(child);
  }
}

/** Doxygen's form: a `fragment` of elements that are a `line` each. */
function linesOfListing(element: HtmlElement): HtmlNode[] | undefined {
  if (attribute(element, 'class') !== 'fragment') return undefined;
  const lines = element.children.filter((child) => typeof child !== 'string' || child.trim() !== '');
  const isListing = lines.every((line) => typeof line !== 'string' && attribute(line, 'class') === 'line');
  return isListing && lines.length > 0 ? lines : undefined;
}

/** A note, tip or warning: a quote under its title. */
function readCall(reader: SectionReader, element: HtmlElement, title: CallTitle): void {
  reader.markdown.open('> ', '> ');
  reader.markdown.block(`**${title.text}**`);
  for (const child of element.children) {
    if (child === title.element) reader.compareOnly(() => reader.visit(child));
    else reader.visit(child);
  }
  reader.markdown.close();
}
