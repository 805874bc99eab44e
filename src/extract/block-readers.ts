import type { CallKind } from './call-kinds.ts';
import { type Call, callOf, labelOfAside, titleWords } from './call-title.ts';
import { codeLanguageOf } from './code-language.ts';
import { codeTextOf, isLineNumbers } from './code-text.ts';
import { readSpan } from './formula-readers.ts';
import { attribute, type HtmlElement, type HtmlNode } from './html-tree.ts';
import { escapeText } from './markdown-text.ts';
import type { SectionReader } from './section-reader.ts';
import { texBetweenSigns } from './tex-of-math.ts';

/** A group, a note below the text, a call for attention, or code whose lines are elements. */
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

/** What is folded, as a note where it is one. */
export function readDetails(reader: SectionReader, details: HtmlElement): void {
  readAsCall(reader, details, () => reader.container(details));
}

function readAsCall(reader: SectionReader, element: HtmlElement, otherwise: () => void): void {
  const call = callOf(reader, element);
  if (call === undefined) otherwise();
  else readCall(reader, element, call);
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
  reader.comparable.breakLine();
  readAsCall(reader, element, () => reader.prefixed(element, '> ', '> '));
  reader.comparable.breakLine();
}

/** What is folded stands below its title as anything else does. */
export function readDetailsTitle(reader: SectionReader, summary: HtmlElement): void {
  if (reader.holdsHeading(summary)) {
    reader.paragraph(summary);
    return;
  }
  const title = titleLine(reader, () => reader.paragraph(summary));
  reader.markdown.endLine();
  if (title !== '') reader.markdown.block(`**${title}**`);
}

/** What `write` writes, on one line and without bold words: it is a title as a whole. */
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

/** A note, tip or warning: a quote under its kind and title. */
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

/** `[!NOTE]` in the form of GitHub's alerts, with the title behind it where that says more than the kind. */
export function callMarker(kind: CallKind, words: string, written: string): string {
  const isKind = words.replace(/\s*[:!：]$/, '').toUpperCase() === kind;
  return isKind || written === '' ? `[!${kind}]` : `[!${kind}] ${written}`;
}
