import { withoutInvisible } from './fingerprint.ts';
import {
  isContentsLabel,
  isCookieNotice,
  isEditLink,
  isFeedbackQuestion,
  isLineAboutPage,
  isPermalink,
  isRelativeTime,
  isSkipLink,
  isStamp,
  isStepLink,
  MAX_FURNITURE_TEXT,
} from './furniture-words.ts';
import { isMarkedHidden, isUnfolded } from './hidden.ts';
import { BLOCKS, UNSEEN } from './html-elements.ts';
import { attribute, type HtmlElement, type HtmlNode, isHeading, textOf } from './html-tree.ts';
import { isLocalLink, isShareLink } from './link-target.ts';
import { Measure } from './measure.ts';

/**
 * Takes everything out of the tree that is not content (navigation, controls, stamps, notices) and measures what stays.
 *
 * Decisions rest on elements, roles, links and words. Class names are not read (but for advertisements and one kind of
 * date): they belong to the theme, and a new theme is no change.
 */
export function pruneAndMeasure(root: HtmlElement, url: string, options: PruneOptions = {}): Map<HtmlElement, Measure> {
  const pruner = new Pruner(url, options.keepHidden ?? false);
  pruner.measure(root, { inArticle: false, heading: undefined, inQuote: false, inCode: false });
  return pruner.measures;
}

export interface PruneOptions {
  /** Read what is marked as hidden too: some pages show nothing at all until a script has run. */
  readonly keepHidden?: boolean;
}

interface Surroundings {
  readonly inArticle: boolean;
  readonly heading: HtmlElement | undefined;
  readonly inQuote: boolean;
  readonly inCode: boolean;
}

const NEVER_CONTENT = new Set(['nav', 'dialog', 'menu', 'search', 'marquee', 'progress', 'meter', 'area', 'rp']);
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
/** Elements of scripts that show a time as of now. */
const AGES = new Set(['relative-time', 'time-ago', 'local-time', 'time-since']);
const QUOTES = new Set(['blockquote', 'figure', 'q']);
const JUDGED_BY_WORDS = new Set('p div section aside center address header li small h1 h2 h3 h4 h5 h6'.split(' '));
const SENTENCES = new Set(['p', 'li', 'dd', 'td']);
const JUDGED_INLINE = new Set(['ins', 'small']);
const MAX_NOTICE_TEXT = 800;

class Pruner {
  readonly measures = new Map<HtmlElement, Measure>();
  /** Ids of what tabs show and buttons unfold. */
  private readonly panels = new Set<string>();
  private readonly url: string;
  private readonly keepHidden: boolean;

  constructor(url: string, keepHidden: boolean) {
    this.url = url;
    this.keepHidden = keepHidden;
  }

  measure(element: HtmlElement, around: Surroundings): Measure {
    const inside: Surroundings = {
      inArticle:
        around.inArticle ||
        element.name === 'main' ||
        element.name === 'article' ||
        attribute(element, 'role') === 'main',
      heading: isHeading(element) ? element : around.heading,
      inQuote: around.inQuote || QUOTES.has(element.name),
      inCode: around.inCode || element.name === 'pre' || element.name === 'code',
    };
    const measure = new Measure();
    const { children } = element;
    const kept: HtmlNode[] = [];
    let lastElement: HtmlElement | undefined;
    // A heading such as "Contents" waits for what follows it: it goes with a list of links and stays with anything else.
    let label: { readonly heading: HtmlElement; readonly found: Measure } | undefined;
    const keepLabel = () => {
      if (label === undefined) return;
      kept.push(label.heading);
      measure.add(label.found);
      label = undefined;
    };
    for (const child of children) {
      if (typeof child === 'string') {
        const ink = countInk(child);
        if (ink > 0) keepLabel();
        kept.push(child);
        measure.text += ink;
        continue;
      }
      if (isControl(child)) measure.controls += 1;
      if (attribute(child, 'role') === 'tablist') this.noteTabs(child);
      else if (attribute(child, 'role') === 'tab' || (inside.inArticle && child.attributes.has('aria-expanded')))
        this.noteTab(child);
      if (isFurniture(child, inside, kept.at(-1)) || (!this.keepHidden && this.isHidden(child, lastElement))) {
        if (!UNSEEN.has(child.name)) label = undefined;
        continue;
      }
      const found = this.measure(child, inside);
      if (this.isFurnitureInside(child, found, inside)) {
        measure.controls += found.controls;
        if (found.text > 0) label = undefined;
        continue;
      }
      if (isHeading(child)) {
        label = undefined;
        if (!around.inCode && found.text <= MAX_FURNITURE_TEXT && isContentsLabel(collapsed(child))) {
          label = { heading: child, found };
          continue;
        }
      } else if (!found.isEmpty()) {
        keepLabel();
      }
      kept.push(child);
      lastElement = child;
      measure.add(found);
    }
    children.length = 0;
    for (const child of kept) children.push(child);
    this.complete(element, measure);
    this.measures.set(element, measure);
    return measure;
  }

  private noteTabs(tabs: HtmlElement): void {
    for (const child of tabs.children) {
      if (typeof child === 'string') continue;
      if (attribute(child, 'role') === 'tab') this.noteTab(child);
      this.noteTabs(child);
    }
  }

  private noteTab(tab: HtmlElement): void {
    const id = attribute(tab, 'aria-controls') ?? attribute(tab, 'href')?.replace(/^#/, '');
    if (id !== undefined && id !== '') this.panels.add(id);
  }

  private isHidden(element: HtmlElement, before: HtmlElement | undefined): boolean {
    return isMarkedHidden(element) && !this.panels.has(attribute(element, 'id') ?? '') && !isUnfolded(element, before);
  }

  private complete(element: HtmlElement, measure: Measure): void {
    if (element.name === 'a' && element.attributes.has('href')) {
      measure.links += 1;
      measure.linkText = measure.text;
      if (isLocalLink(attribute(element, 'href') ?? '', this.url)) measure.localLinks += 1;
    } else if (element.name === 'img') {
      measure.images += 1;
    } else if (element.name === 'table') {
      measure.tables += 1;
    } else if (isHeading(element) && !measure.isEmpty()) {
      measure.addHeading(element);
    }
    if (BLOCKS.has(element.name)) measure.blocks += 1;
  }

  /** Judges by what an element holds, once that is known. */
  private isFurnitureInside(element: HtmlElement, found: Measure, around: Surroundings): boolean {
    if (around.inCode) return false;
    if (element.name === 'a') return this.isFurnitureLink(element, found);
    if (element.name === 'label') return found.controls > 0 && !(around.inArticle && element.parent?.name === 'li');
    if (element.name === 'time') return isRelativeTime(collapsed(element));
    if (AGES.has(element.name)) return true;
    if (element.name === 'header' && !around.inArticle && !found.hasH1) return true;
    if (isAside(element) && isBesideContent(found)) return true;
    if (element.name === 'form') return isFormToFill(element, found, around);
    if (element.name === 'ul' || element.name === 'ol') {
      if (found.links >= 2 && found.localLinks === found.links && found.linkDensity() > 0.8) return true;
    }
    if (found.text === 0 || !(BLOCKS.has(element.name) || JUDGED_INLINE.has(element.name))) return false;
    if (isAdvertisement(element, found)) return true;
    if (found.controls > 0 && found.text <= MAX_NOTICE_TEXT && isCookieNotice(collapsed(element))) return true;
    return found.text <= MAX_FURNITURE_TEXT && isFurnitureText(element, found);
  }

  private isFurnitureLink(link: HtmlElement, found: Measure): boolean {
    const href = attribute(link, 'href');
    if (href === undefined) return false;
    const rel = attribute(link, 'rel') ?? '';
    if (/\b(?:prev|next)\b/i.test(rel)) return true;
    if (isShareLink(href)) return true;
    if (found.text > MAX_FURNITURE_TEXT) return false;

    const text = collapsed(link);
    if (isLocalLink(href, this.url)) {
      if (found.images > 0) return false;
      return isSkipLink(text) || isPermalink(text);
    }
    return isEditLink(text);
  }
}

/** Cells and terms are never judged by their words: "Yes" and "Version 2" are what a table is for. */
function isFurnitureText(element: HtmlElement, found: Measure): boolean {
  if (!JUDGED_BY_WORDS.has(element.name)) return false;
  const text = collapsed(element);
  if (isHeading(element)) return isFeedbackQuestion(text);
  if (element.name === 'li') return isStamp(text);
  if (isContentsLabel(text) || isLineAboutPage(text)) return true;
  if (found.links === 0 || found.links > 3 || found.firstHeading !== undefined || found.linkDensity() < 0.7)
    return false;
  return isStepLink(text);
}

function isAside(element: HtmlElement): boolean {
  return element.name === 'aside' || attribute(element, 'role') === 'complementary';
}

/** An aside with words is a note; one made of links is a sidebar. */
function isBesideContent(found: Measure): boolean {
  return found.isEmpty() || found.linkDensity() > 0.5;
}

/** In the text, sentences round the fields are content; elsewhere a short form is a search box or a subscription. */
function isFormToFill(form: HtmlElement, found: Measure, { inArticle }: Surroundings): boolean {
  if (found.controls === 0 || found.text >= 500 || found.firstHeading !== undefined) return false;
  return !inArticle || !/\p{L}{2,}[^.!?]*[.!?](?:\s|$)/u.test(collapsed(form));
}

/** Judges by the element and what stands before it. */
function isFurniture(element: HtmlElement, around: Surroundings, before: HtmlNode | undefined): boolean {
  const { name } = element;
  if (NEVER_CONTENT.has(name)) return true;
  if (CONTROLS.has(name)) return !isUnfoldingHeading(element, around.heading) && !isNamedInSentence(element, before);
  if (name === 'footer') return !around.inQuote;
  if (STAMP_CLASS.test(attribute(element, 'class') ?? '')) return true;
  const role = attribute(element, 'role');
  return role !== undefined && FURNITURE_ROLES.has(role);
}

/** What a reader can use; a hidden field is none. */
function isControl(element: HtmlElement): boolean {
  return CONTROLS.has(element.name) && attribute(element, 'type')?.toLowerCase() !== 'hidden';
}

/** "Press [Save] …": the sentence before it has not ended. */
function isNamedInSentence(control: HtmlElement, before: HtmlNode | undefined): boolean {
  if (control.name !== 'button' || !SENTENCES.has(control.parent?.name ?? '')) return false;
  if (typeof before !== 'string' || !/[\p{L}\p{N},]\s*$/u.test(before.slice(-40))) return false;
  const text = collapsed(control);
  return text !== '' && !isLineAboutPage(text);
}

/** The button of an accordion holds the whole heading; any other one beside the words is a tool. */
function isUnfoldingHeading(control: HtmlElement, heading: HtmlElement | undefined): boolean {
  return control.name === 'button' && heading !== undefined && collapsed(heading) === collapsed(control);
}

/** The date that MkDocs writes beside an icon: no word and no element tells it from text. */
const STAMP_CLASS = /(?:^|\s)(?:md-source-file|git-revision-date\S*)(?:\s|$)/;

/** A name on which networks and ad blockers agree, and themes do not. */
const AD_CLASS =
  /(?:^|\s)(?:ads?|adverts?|advertisements?|advertising|adsbygoogle|ad-(?:slot|unit|banner|container|wrapper|box|block|placement)|carbon-?ads?|sponsored)(?:\s|$)/i;

function isAdvertisement(element: HtmlElement, found: Measure): boolean {
  if (found.text > MAX_NOTICE_TEXT) return false;
  const label = attribute(element, 'aria-label');
  if (label !== undefined && /^(?:advertisements?|sponsored|ads?)$/i.test(label.trim())) return true;
  const names = attribute(element, 'class');
  return names !== undefined && AD_CLASS.test(names);
}

function collapsed(element: HtmlElement): string {
  return withoutInvisible(textOf(element, ' ')).replace(/\s+/g, ' ').trim();
}

/** Characters that are not white space, near enough and fast. */
function countInk(text: string): number {
  let ink = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 32) ink += 1;
  }
  return ink;
}
