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
import { BLOCKS } from './html-elements.ts';
import { attribute, type HtmlElement, isHeading, textOf } from './html-tree.ts';
import { isLocalLink, isShareLink } from './link-target.ts';
import { Measure, type Measures } from './measure.ts';

/**
 * Takes everything out of the tree that is not content (navigation, controls, stamps, notices) and measures what stays.
 *
 * Decisions rest on elements, roles, links and words. Class names are not read (but for
 * advertisements): they belong to the theme, and a new theme is no change.
 */
export function pruneAndMeasure(root: HtmlElement, url: string, options: PruneOptions = {}): Measures {
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
const TIMES = new Set(['time', 'relative-time', 'time-ago', 'local-time', 'time-since']);
const QUOTES = new Set(['blockquote', 'figure', 'q']);
const JUDGED_BY_WORDS = new Set('p div section aside center address header li h1 h2 h3 h4 h5 h6'.split(' '));
const MAX_NOTICE_TEXT = 800;

class Pruner {
  readonly measures = new Map<HtmlElement, Measure>();
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
    let kept = 0;
    for (const child of children) {
      if (typeof child === 'string') {
        children[kept++] = child;
        measure.text += countInk(child);
        continue;
      }
      if (isFurniture(child, inside) || (!this.keepHidden && isHidden(child))) {
        if (CONTROLS.has(child.name)) measure.controls += 1;
        continue;
      }
      const found = this.measure(child, inside);
      if (this.isFurnitureInside(child, found, inside)) {
        measure.controls += found.controls;
        continue;
      }
      children[kept++] = child;
      measure.add(found);
    }
    children.length = kept;
    this.complete(element, measure);
    this.measures.set(element, measure);
    return measure;
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
    if (element.name === 'label') return found.controls > 0;
    if (TIMES.has(element.name)) return isRelativeTime(collapsed(element));
    if (element.name === 'header' && !around.inArticle && !found.hasH1) return true;
    if (isAside(element) && isBesideContent(found, around)) return true;
    if (element.name === 'form') return found.text < 500 && found.firstHeading === undefined && found.controls > 0;
    if (element.name === 'ul' || element.name === 'ol') {
      if (found.links >= 2 && found.localLinks === found.links && found.linkDensity() > 0.8) return true;
    }
    if (found.text === 0 || !(BLOCKS.has(element.name) || element.name === 'ins')) return false;
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
  if (isHeading(element)) return isContentsLabel(text) || isFeedbackQuestion(text);
  if (element.name === 'li') return isStamp(text);
  if (isContentsLabel(text) || isLineAboutPage(text)) return true;
  if (found.links === 0 || found.links > 3 || found.firstHeading !== undefined || found.linkDensity() < 0.7)
    return false;
  return isStepLink(text);
}

function isAside(element: HtmlElement): boolean {
  return element.name === 'aside' || attribute(element, 'role') === 'complementary';
}

/** An aside in the text is a note; one made of links, or one outside of it without a heading, is a sidebar. */
function isBesideContent(found: Measure, { inArticle }: Surroundings): boolean {
  return found.isEmpty() || found.linkDensity() > 0.5 || (!inArticle && found.firstHeading === undefined);
}

/** Judges by the element alone. */
function isFurniture(element: HtmlElement, around: Surroundings): boolean {
  const { name } = element;
  if (NEVER_CONTENT.has(name)) return true;
  if (CONTROLS.has(name)) return !isUnfoldingHeading(element, around.heading);
  if (name === 'footer') return !around.inQuote;
  const role = attribute(element, 'role');
  return role !== undefined && FURNITURE_ROLES.has(role);
}

/** The button of an accordion holds the whole heading; any other one beside the words is a tool. */
function isUnfoldingHeading(control: HtmlElement, heading: HtmlElement | undefined): boolean {
  return control.name === 'button' && heading !== undefined && collapsed(heading) === collapsed(control);
}

/** The one class name that is read: networks and ad blockers agree on it, themes do not. */
const AD_CLASS =
  /(?:^|\s)(?:ads?|adverts?|advertisements?|advertising|adsbygoogle|ad-(?:slot|unit|banner|container|wrapper|box|block|placement)|carbon-?ads?|sponsored)(?:\s|$)/i;

function isAdvertisement(element: HtmlElement, found: Measure): boolean {
  if (found.text > MAX_NOTICE_TEXT) return false;
  const label = attribute(element, 'aria-label');
  if (label !== undefined && /^(?:advertisements?|sponsored|ads?)$/i.test(label.trim())) return true;
  const names = attribute(element, 'class');
  return names !== undefined && AD_CLASS.test(names);
}

function isHidden(element: HtmlElement): boolean {
  if (element.attributes.size === 0) return false;
  // The panel of a tab that is not chosen is content all the same, and so is what the browser's search may unfold.
  if (attribute(element, 'role') === 'tabpanel') return false;
  const hidden = attribute(element, 'hidden');
  if (hidden !== undefined && hidden !== 'until-found') return true;
  if (attribute(element, 'aria-hidden') === 'true') return true;
  const style = attribute(element, 'style');
  return style !== undefined && /display\s*:\s*none/i.test(style);
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
