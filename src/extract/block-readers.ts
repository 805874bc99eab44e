import type { CallKind } from './call-kinds.ts';
import { type Call, callOf, labelOfAside, titleWords } from './call-title.ts';
import { codeLanguageOf } from './code-language.ts';
import { codeTextOf, isLineNumbers } from './code-text.ts';
import { readSpan } from './formula-readers.ts';
import { attribute, type HtmlElement, type HtmlNode } from './html-tree.ts';
import { escapeText } from './markdown-text.ts';
import type { SectionReader } from './section-reader.ts';
import { texBetweenSigns } from './tex-of-math.ts';

/** Reads a group, a footnote, a callout, or code whose lines are elements. */
export function readContainer(reader: SectionReader, element: HtmlElement): void {
  const lines = element.name === 'div' ? linesOfListing(element) : undefined;
  if (lines !== undefined) {
    reader.compareOnly(() => reader.container(element));
    reader.markdown.code(codeTextOf({ ...element, children: lines }), '');
    return;
  }
  if (texBetweenSigns(element) !== undefined) {
    reader.markdown.endLine();
    readSpan(reader, element);
    reader.markdown.endLine();
    return;
  }
  readNote(reader, element, () => {
    const label = labelOfAside(element);
    if (label !== '') reader.comparable.words(label);
    readAsCall(reader, element, () => reader.container(element));
  });
}

/** Reads folded content, as a callout if it is one. */
export function readDetails(reader: SectionReader, details: HtmlElement): void {
  readAsCall(reader, details, () => reader.container(details));
}

function readAsCall(reader: SectionReader, element: HtmlElement, otherwise: () => void): void {
  const call = callOf(reader, element);
  if (call === undefined) otherwise();
  else readCall(reader, element, call);
}

/** Reads an element as a footnote if it is one. */
export function readNote(reader: SectionReader, element: HtmlElement, otherwise: () => void): void {
  const label = reader.footnotes.noteIn(element);
  if (label === undefined || !writeNote(reader, element, label)) otherwise();
}

/** Writes `[^1]: …` without the number that is already in the text. False if a section begins inside. */
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

/** Removes what may be left of `[1]`, `1.` or `^` before the text after its link was removed. */
function withoutLabel(text: string, label: string): string {
  const rest = text.replace(/^[\^↑]\s*/, '');
  const signs = [`[${label}]`, '[]', `\\[${label}]`, '\\[]', `${label}\\.`, `${label}\\)`, `${label}:`, '.'];
  const found = [...signs, `<sup>${label}</sup>`].find((sign) => rest.startsWith(sign));
  return rest.slice(found?.length ?? 0).trim();
}

export function readQuote(reader: SectionReader, element: HtmlElement): void {
  reader.comparable.breakLine();
  readAsCall(reader, element, () => reader.prefixed(element, '> ', '> '));
  reader.comparable.breakLine();
}

/** Folded content is placed below its title like any other content. */
export function readDetailsTitle(reader: SectionReader, summary: HtmlElement): void {
  if (reader.holdsHeading(summary)) {
    reader.paragraph(summary);
    return;
  }
  const title = titleLine(reader, () => reader.paragraph(summary));
  reader.markdown.endLine();
  if (title !== '') reader.markdown.block(`**${title}**`);
}

/** The output of `write` on one line, without bold: the whole line is a title. */
function titleLine(reader: SectionReader, write: () => void): string {
  const isBold = reader.emphases.has('**');
  reader.emphases.add('**');
  const title = reader.part('line', write);
  if (!isBold) reader.emphases.delete('**');
  return title;
}

export function readBlockCode(reader: SectionReader, pre: HtmlElement): void {
  const code = codeTextOf(pre);
  if (code === '' || isLineNumbers(code)) return;
  reader.comparable.code(code);
  const mayBeNumbered = /^\s*\d/.test(code) && !code.includes('\n');
  reader.markdown.code(mayBeNumbered ? codeTextOf(pre, { byName: true }) : code, codeLanguageOf(pre));
  linksInCode(reader, pre);
}

/** A block of code is read as one text. The targets of its links are recorded after it. */
function linksInCode(reader: SectionReader, element: HtmlElement): void {
  if (reader.measures.get(element)?.links === 0) return;
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    linksInCode(reader, child);
    reader.compareTarget(child);
  }
}

/** The format of Doxygen: a `fragment` whose child elements are one `line` each. */
function linesOfListing(element: HtmlElement): HtmlNode[] | undefined {
  if (attribute(element, 'class') !== 'fragment') return undefined;
  const lines = element.children.filter((child) => typeof child !== 'string' || child.trim() !== '');
  const isListing = lines.every((line) => typeof line !== 'string' && attribute(line, 'class') === 'line');
  return isListing && lines.length > 0 ? lines : undefined;
}

/** Writes a note, tip or warning as a quote with its kind and title. */
function readCall(reader: SectionReader, element: HtmlElement, { kind, title, label }: Call): void {
  reader.markdown.open('> ', '> ');
  const written =
    title === undefined
      ? escapeText(label)
      : titleLine(reader, () => (title.name === 'summary' ? reader.paragraph(title) : reader.visit(title)));
  const words = title === undefined ? label : titleWords(title);
  reader.markdown.lead(callMarker(kind, words, written));
  for (const child of element.children) if (child !== title) reader.visit(child);
  reader.markdown.close();
}

/** `[!NOTE]` in the format of GitHub's alerts, followed by the title if it says more than the kind. */
export function callMarker(kind: CallKind, words: string, written: string): string {
  const isKind = words.replace(/\s*[:!：]$/, '').toUpperCase() === kind;
  return isKind || written === '' ? `[!${kind}]` : `[!${kind}] ${written}`;
}
