import { imageIdentity, isForLooks, mediaIdentity, mediaSource } from './asset-identity.ts';
import { codeTextOf } from './code-text.ts';
import { collapseSpace } from './collapse-space.ts';
import { writeFormula } from './formula-readers.ts';
import { attribute, elementText, type HtmlElement } from './html-tree.ts';
import { imageSource } from './image-source.ts';
import { isLocalLink, resolveLink } from './link-target.ts';
import { linkTitle } from './link-title.ts';
import { isCheckbox } from './list-readers.ts';
import { destination, escapeText, inlineCode } from './markdown-text.ts';
import type { SectionReader } from './section-reader.ts';
import { texOfImage } from './tex-of-math.ts';

/** Inside a heading nothing is bold, because the heading is. */
export function readEmphasis(reader: SectionReader, element: HtmlElement, sign: string): void {
  if (reader.emphases.has(sign) || (reader.inHeading && sign === '**')) {
    reader.read(element);
    return;
  }
  const start = reader.markdown.mark();
  reader.emphases.add(sign);
  reader.read(element);
  reader.emphases.delete(sign);
  reader.markdown.emphasize(start, sign);
}

/** Striking words out changes the content. */
export function readStruck(reader: SectionReader, element: HtmlElement): void {
  reader.comparable.editSign('struck');
  readEmphasis(reader, element, '~~');
  reader.comparable.editSign('end');
}

/** Marking words as added changes the content. Placeholders of advertisements have no words. */
export function readInserted(reader: SectionReader, element: HtmlElement): void {
  const hasWords = (reader.measures.get(element)?.text ?? 0) > 0;
  if (hasWords) reader.comparable.editSign('added');
  reader.read(element);
  if (hasWords) reader.comparable.editSign('end');
}

export function readQuotedWords(reader: SectionReader, element: HtmlElement): void {
  const start = reader.markdown.mark();
  reader.read(element);
  reader.markdown.wrap(start, '"', '"');
}

/** The reading of a ruby text is put in parentheses. */
export function readReading(reader: SectionReader, element: HtmlElement): void {
  const start = reader.markdown.mark();
  reader.read(element);
  reader.markdown.wrap(start, '(', ')');
}

/** Letters that are raised only for style. */
const RAISED_WORDS = /^(?:st|nd|rd|th|er|re|e|o|a|tm|sm|®|™|©|new|beta|alpha|\+)$/i;

export function readRaised(reader: SectionReader, element: HtmlElement): void {
  const text = elementText(element).trim();
  const links = reader.measures.get(element)?.links ?? 0;
  if (links === 1 && element.name === 'sup' && text.length <= 40) {
    const label = reader.footnotes.referenceBy(onlyLink(element) ?? element);
    if (label !== undefined) {
      writeReference(reader, element, label);
      return;
    }
  }
  const start = reader.markdown.mark();
  reader.read(element);
  if (links === 0 && !RAISED_WORDS.test(text)) reader.markdown.wrap(start, `<${element.name}>`, `</${element.name}>`);
}

function onlyLink(element: HtmlElement): HtmlElement | undefined {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    const found = child.name === 'a' ? child : onlyLink(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

function writeReference(reader: SectionReader, element: HtmlElement, label: string): void {
  reader.compareOnly(() => reader.read(element));
  reader.markdown.inline(`[^${label}]`);
}

export function readInlineCode(reader: SectionReader, element: HtmlElement): void {
  if (holdsLines(element)) {
    const code = codeTextOf(element).replace(/\u00A0/g, ' ');
    reader.markdown.code(code, '');
  } else {
    const text = collapseSpace(elementText(element).replace(/[\u00AD\u200B\uFEFF]/g, '')).trim();
    if (text === '') return;
    reader.markdown.inline(inlineCode(text));
  }
  compareWords(reader, element);
}

/** Several lines without a `pre`. */
function holdsLines(code: HtmlElement): boolean {
  return code.children.some((child) => typeof child !== 'string' && (child.name === 'br' || holdsLines(child)));
}

/** Reads the words and links of an element for comparison only. */
function compareWords(reader: SectionReader, element: HtmlElement): void {
  for (const child of element.children) {
    if (typeof child === 'string') reader.comparable.words(child);
    else if (child.name === 'wbr') reader.comparable.glue();
    else {
      compareWords(reader, child);
      reader.compareTarget(child);
    }
  }
}

export function readLink(reader: SectionReader, link: HtmlElement): void {
  const href = attribute(link, 'href');
  if (href === undefined) {
    reader.read(link);
    return;
  }
  const label = reader.footnotes.referenceBy(link);
  if (label !== undefined) writeReference(reader, link, label);
  else if (reader.footnotes.isWayBack(link)) reader.compareOnly(() => reader.read(link));
  else readWords(reader, link, href);
  reader.compareTarget(link);
}

function readWords(reader: SectionReader, link: HtmlElement, href: string): void {
  const shown = resolveLink(href, reader.base);
  const isPlain = shown === undefined || reader.inLink || isOfItself(reader, link, href);
  const target = isPlain ? '' : destination(shown);
  const outer = reader.inLink;
  reader.inLink = true;
  if (target === '') reader.read(link);
  else if ((reader.measures.get(link)?.blocks ?? 0) > 0) readBlocks(reader, link, target);
  else {
    const start = reader.markdown.mark();
    reader.read(link);
    const title = link.attributes.has('title') ? linkTitle(link, elementText(link), target) : '';
    reader.markdown.wrap(start, '[', `](${target}${title})`);
  }
  reader.inLink = outer;
}

/** A link around blocks, as on cards, is applied to their heading, or else to the first line. */
function readBlocks(reader: SectionReader, link: HtmlElement, target: string): void {
  if (reader.holdsHeading(link)) {
    reader.headingLink = target;
    reader.read(link);
    reader.headingLink = undefined;
    return;
  }
  const { markdown } = reader;
  markdown.wrapNextLine('[', `](${target})`);
  reader.read(link);
  markdown.clearNextLine();
}

/** How far above a link its target element may be. */
const STEPS_ABOVE = 3;

/** A heading or term that links to itself. */
function isOfItself(reader: SectionReader, link: HtmlElement, href: string): boolean {
  if (!isLocalLink(href, reader.url)) return false;
  if (reader.inHeading) return true;
  const id = href.slice(href.indexOf('#') + 1);
  let element: HtmlElement | undefined = link;
  for (let step = 0; step <= STEPS_ABOVE && element !== undefined; step += 1, element = element.parent)
    if (id !== '' && attribute(element, 'id') === id) return true;
  return false;
}

/** `:rocket:`, or the emoji itself. */
const EMOJI = /^(?::[\w+-]+:|(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200D|\uFE0F)+)$/u;

export function readImage(reader: SectionReader, image: HtmlElement): void {
  const said = attribute(image, 'alt') ?? attribute(image, 'title') ?? '';
  const alt = collapseSpace(said).trim();
  const isEmoji = EMOJI.test(alt);
  const shown = isEmoji || !reader.isCompared ? undefined : imageIdentity(image, reader.url);
  if (shown !== undefined) reader.comparable.editSign(`image ${shown}`);
  if (alt === '') return;
  if (attribute(image, 'alt') !== undefined) reader.comparable.words(` ${alt} `);
  if (isEmoji) {
    reader.markdown.inline(escapeText(alt, reader.inLink));
    return;
  }
  const tex = texOfImage(image, alt);
  if (tex !== undefined) {
    writeFormula(reader, tex.tex, tex.isBlock);
    return;
  }
  if (isForLooks(image)) return;
  const source = imageSource(image, reader.base);
  const text = escapeText(alt, true);
  reader.markdown.inline(source === undefined ? `![${text}]` : `![${text}](${destination(source)})`);
}

/** What is played or framed counts. The content of the element is for browsers that cannot show it. */
export function readMedia(reader: SectionReader, media: HtmlElement): void {
  const shown = reader.isCompared ? mediaIdentity(media, reader.url) : undefined;
  if (shown !== undefined) reader.comparable.editSign(`media ${shown}`);
  // Media without controls is decoration.
  const isPlayed = media.name === 'video' || media.name === 'audio';
  const source = mediaSource(media, reader.base);
  if (source === undefined || reader.inLink || (isPlayed && !media.attributes.has('controls'))) return;
  const said = attribute(media, 'title') ?? attribute(media, 'aria-label') ?? '';
  const title = collapseSpace(said).trim();
  reader.markdown.inline(`[${escapeText(title === '' ? nameOfSource(source) : title, true)}](${destination(source)})`);
}

/** The name of the file, or else of the site that it comes from. */
function nameOfSource(source: string): string {
  const { hostname, pathname } = new URL(source);
  const file = pathname.split('/').at(-1) ?? '';
  return /\.[a-z0-9]{2,5}$/i.test(file) && !/\.(?:html?|php|aspx?)$/i.test(file) ? file : hostname;
}

/** Markdown shows a box with the bullet of its item. Here only its state is recorded. */
export function readCheckbox(reader: SectionReader, input: HtmlElement): void {
  if (isCheckbox(input)) reader.comparable.editSign(input.attributes.has('checked') ? 'ticked' : 'open');
}
