import { isAboutWriters, isInvitation } from './article-lines.ts';
import { collapseSpace } from './collapse-space.ts';
import { withoutInvisible } from './fingerprint.ts';
import { isContentsLabel, isFeedbackQuestion, isLineAboutPage, isStamp, isStepLink } from './furniture-words.ts';
import { BLOCKS } from './html-elements.ts';
import { attribute, elementText, type HtmlElement, type HtmlNode, isHeading } from './html-tree.ts';
import { isInterfaceLine } from './interface-words.ts';
import type { Measure } from './measure.ts';
import { holdsPanels } from './panels-of-tabs.ts';
import { isSpokenLabel } from './spoken-label.ts';

/** The context of an element, as far as it matters for judging it. */
export interface Surroundings {
  readonly inArticle: boolean;
  readonly heading: HtmlElement | undefined;
  readonly inQuote: boolean;
  readonly inCode: boolean;
}

const NEVER_CONTENT = new Set([
  'title',
  'nav',
  'dialog',
  'menu',
  'search',
  'marquee',
  'progress',
  'meter',
  'area',
  'rp',
]);
/** Custom elements of a site: their names say what they are for, and no theme renames them. */
const FURNITURE_ELEMENT = /-(?:footer|breadcrumbs?|toc|feedback|pagination)$/;
const CONTROLS = new Set(['button', 'input', 'select', 'textarea', 'option', 'optgroup']);
const FURNITURE_ROLES = new Set([
  'navigation',
  'search',
  'banner',
  'contentinfo',
  'dialog',
  'alertdialog',
  'menu',
  'menubar',
  'toolbar',
  'tooltip',
  'tablist',
  'progressbar',
  'directory',
  'doc-toc',
  'doc-pagelist',
]);
const MAX_INTERFACE_TEXT = 70;
const JUDGED_BY_WORDS = new Set('p div section aside center address header li small h1 h2 h3 h4 h5 h6'.split(' '));
const BESIDE_TEXT = new Set('p div section blockquote header ul li'.split(' '));
const MAX_BESIDE_TEXT = 700;
const OPENING_LENGTH = 200;
const MAX_PIECE = 1_000;
const SENTENCES = new Set(['p', 'li', 'dd', 'td']);
/** A longer notice is content. */
export const MAX_NOTICE_TEXT = 800;

/** Cells and terms are never judged by their words: "Yes" and "Version 2" are the content of a table. */
export function isFurnitureText(element: HtmlElement, found: Measure): boolean {
  if (!JUDGED_BY_WORDS.has(element.name)) return false;
  const text = collapsed(element);
  if (isHeading(element)) return isFeedbackQuestion(text);
  if (element.name === 'li') return isStamp(text);
  if (isContentsLabel(text) || isLineAboutPage(text)) return true;
  if (found.links === 0 || found.links > 3 || found.firstHeading !== undefined || found.linkDensity() < 0.7)
    return false;
  return isStepLink(text);
}

/** A button or counter of the page that is alone. Within a sentence it is part of the sentence. */
export function isInterface(element: HtmlElement, found: Measure): boolean {
  if (found.text === 0 || found.text > MAX_INTERFACE_TEXT || found.images > 0) return false;
  const name = element.parent?.name ?? '';
  const isAlone =
    JUDGED_BY_WORDS.has(element.name) || ((element.name === 'a' || element.name === 'span') && name === 'div');
  return isAlone && isInterfaceLine(collapsed(element));
}

/** A short block of an article that is not part of its text, judging by its first words. */
export function isBesideText(element: HtmlElement, found: Measure, authors: readonly string[]): boolean {
  if (!BESIDE_TEXT.has(element.name) || found.text === 0 || found.text > MAX_BESIDE_TEXT || found.hasH1) return false;
  const opening = openingOf(element, '').trim();
  const line = opening.split('\n', 1)[0] ?? '';
  return isInvitation(collapseSpace(opening)) || isAboutWriters(line.trim(), authors);
}

/** `before` and the words after it, as many as are needed to judge a block, with line ends as shown. */
function openingOf(element: HtmlElement, before: string): string {
  const edge = BLOCKS.has(element.name) || element.name === 'br' ? '\n' : '';
  let text = before + edge;
  for (const child of element.children) {
    if (text.length >= OPENING_LENGTH) return text;
    text = typeof child === 'string' ? text + collapseSpace(child.slice(0, MAX_PIECE)) : openingOf(child, text);
  }
  return text + edge;
}

export function isAside(element: HtmlElement): boolean {
  return element.name === 'aside' || attribute(element, 'role') === 'complementary';
}

/** An aside with words is a note. One made of links is a sidebar. */
export function isBesideContent(found: Measure): boolean {
  return found.isEmpty() || found.linkDensity() > 0.5;
}

/** In an article, sentences around the fields are content. Elsewhere a short form is a search box or a subscription. */
export function isFormToFill(form: HtmlElement, found: Measure, { inArticle }: Surroundings): boolean {
  if (found.controls === 0 || found.text >= 500 || found.firstHeading !== undefined) return false;
  return !inArticle || !holdsSentence(collapsed(form));
}

/** Whether a word is followed by a sign that ends a sentence. */
function holdsSentence(text: string): boolean {
  let start = 0;
  for (const { index } of text.matchAll(/[.!?]/g)) {
    const isEnd = index + 1 === text.length || text[index + 1] === ' ';
    if (isEnd && /\p{L}{2}/u.test(text.slice(start, index))) return true;
    start = index + 1;
  }
  return false;
}

/** Judges by the element and what comes before it. */
export function isFurniture(element: HtmlElement, around: Surroundings, before: HtmlNode | undefined): boolean {
  const { name } = element;
  if (NEVER_CONTENT.has(name) || (name.includes('-') && FURNITURE_ELEMENT.test(name)) || isSpokenLabel(element))
    return true;
  if (isTaskBox(element) || (around.inArticle && isBoxOfItem(element))) return false;
  if (CONTROLS.has(name)) return !isUnfoldingHeading(element, around.heading) && !isNamedInSentence(element, before);
  if (name === 'footer') return !around.inQuote;
  if (STAMP_CLASS.test(attribute(element, 'class') ?? '')) return true;
  const role = attribute(element, 'role');
  return role !== undefined && FURNITURE_ROLES.has(role) && !(role === 'tablist' && holdsPanels(element));
}

/** Whether a reader can use it. A hidden field does not count. */
export function isControl(element: HtmlElement): boolean {
  return CONTROLS.has(element.name) && attribute(element, 'type')?.toLowerCase() !== 'hidden' && !isTaskBox(element);
}

/** The box before a list item that shows a state and cannot be used. */
function isTaskBox(element: HtmlElement): boolean {
  if (element.name !== 'input' || attribute(element, 'type')?.toLowerCase() !== 'checkbox') return false;
  if (!element.attributes.has('disabled')) return false;
  return element.parent?.name === 'li' || element.parent?.parent?.name === 'li';
}

/** How far above a box its form may be. */
const STEPS_TO_FORM = 12;

/** A usable box before the words of an item, outside any form: a to-do list. */
function isBoxOfItem(element: HtmlElement): boolean {
  if (element.name !== 'input' || attribute(element, 'type')?.toLowerCase() !== 'checkbox') return false;
  const label = element.parent?.name === 'label' ? element.parent : undefined;
  const [first, item] = [label ?? element, (label ?? element).parent];
  if (item?.name !== 'li' || attribute(element, 'role') === 'switch') return false;
  if (item.children.find((child) => typeof child !== 'string' || child.trim() !== '') !== first) return false;
  let above: HtmlElement | undefined = item;
  for (let step = 0; step < STEPS_TO_FORM && above !== undefined; step += 1, above = above.parent)
    if (above.name === 'form') return false;
  return true;
}

/** "Press [Save] …": the sentence before it has not ended. */
function isNamedInSentence(control: HtmlElement, before: HtmlNode | undefined): boolean {
  if (control.name !== 'button' || !SENTENCES.has(control.parent?.name ?? '')) return false;
  if (typeof before !== 'string' || !/[\p{L}\p{N},]\s*$/u.test(before.slice(-40))) return false;
  const text = collapsed(control);
  return text !== '' && !isLineAboutPage(text);
}

/** The button of an accordion contains the whole heading. Any other button beside the words is a tool. */
function isUnfoldingHeading(control: HtmlElement, heading: HtmlElement | undefined): boolean {
  if (control.name !== 'button') return false;
  const label = shortTextOf(control);
  // The answer unfolds below.
  if (label?.endsWith('?') === true && control.attributes.has('aria-expanded')) return true;
  if (heading === undefined) return false;
  // A button too large to be a tool was never closed.
  return label === undefined || label === shortTextOf(heading);
}

/** No heading is longer. The limit protects against pages of buttons inside headings. */
const MAX_TITLE_NODES = 200;
const MAX_TITLE_TEXT = 1000;

/** The text of a small element. Undefined for any other, without reading all of it. */
function shortTextOf(element: HtmlElement): string | undefined {
  const waiting: HtmlNode[] = [element];
  const pieces: string[] = [];
  let length = 0;
  for (let nodes = 0; waiting.length > 0; nodes += 1) {
    const node = waiting.pop();
    if (node === undefined || nodes > MAX_TITLE_NODES || length > MAX_TITLE_TEXT) return undefined;
    if (typeof node === 'string') {
      pieces.push(node);
      length += node.length;
    } else if (node.children.length > MAX_TITLE_NODES) return undefined;
    else waiting.push(...node.children.toReversed());
  }
  return collapseSpace(withoutInvisible(pieces.join(' '))).trim();
}

/** The date that MkDocs writes beside an icon: neither words nor elements distinguish it from text. */
const STAMP_CLASS = /(?:^|\s)(?:md-source-file|git-revision-date\S*)(?:\s|$)/;

/** Names that ad networks and ad blockers share, and themes do not use. */
const AD_CLASS =
  /(?:^|\s)(?:ads?|adverts?|advertisements?|advertising|adsbygoogle|ad-(?:slot|unit|banner|container|wrapper|box|block|placement)|carbon-?ads?|sponsored)(?:\s|$)/i;

/** Attributes that the scripts of ad networks look for. */
const AD_ATTRIBUTES = ['data-ad-slot', 'data-ad-client', 'data-ea-publisher'];

export function isAdvertisement(element: HtmlElement, found: Measure): boolean {
  if (found.text > MAX_NOTICE_TEXT) return false;
  if (AD_ATTRIBUTES.some((name) => element.attributes.has(name)) || attribute(element, 'id') === 'carbonads')
    return true;
  const label = attribute(element, 'aria-label');
  if (label !== undefined && /^(?:advertisements?|sponsored|ads?)$/i.test(label.trim())) return true;
  const names = attribute(element, 'class');
  return names !== undefined && AD_CLASS.test(names);
}

export function collapsed(element: HtmlElement): string {
  return collapseSpace(withoutInvisible(elementText(element, ' '))).trim();
}
