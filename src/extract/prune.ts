import { isFoldName } from './furniture-names.ts';
import {
  isContentsLabel,
  isCookieNotice,
  isCopyLabel,
  isEditLink,
  isEmptyBrackets,
  isPermalink,
  isRelativeTime,
  isSectionEdit,
  isSkipLink,
  isSourceLink,
  isStepLabel,
  MAX_FURNITURE_TEXT,
} from './furniture-words.ts';
import { isMarkedHidden, isStreamed, isUnfolded } from './hidden.ts';
import { BLOCKS, UNSEEN } from './html-elements.ts';
import { attribute, type HtmlElement, type HtmlNode, isHeading, levelOf } from './html-tree.ts';
import {
  collapsed,
  isAdvertisement,
  isAside,
  isBesideContent,
  isBesideText,
  isControl,
  isFormToFill,
  isFurniture,
  isFurnitureText,
  isInterface,
  MAX_NOTICE_TEXT,
  type Surroundings,
} from './judge-element.ts';
import { isLeadElsewhere } from './lead-elsewhere.ts';
import { isLocalLink, isShareLink } from './link-target.ts';
import { isMasthead } from './masthead.ts';
import { Measure } from './measure.ts';
import { isButtonLink, isField, isPassedOver } from './passed-over.ts';
import { isModificationTime, isPublicationLine, isPublicationTime } from './publication-time.ts';

/**
 * Removes everything from the tree that is not content (navigation, controls, stamps, notices) and measures the rest.
 *
 * Decisions are based on elements, roles, links and words. In a manual, class names are ignored (except for advertisements and one kind of date): they belong
 * to the theme, and a new theme is not a change.
 */
export function pruneAndMeasure(root: HtmlElement, url: string, options: PruneOptions = {}): Map<HtmlElement, Measure> {
  const pruner = new Pruner(url, options);
  pruner.measure(root, { inArticle: false, heading: undefined, inQuote: false, inCode: false });
  return pruner.measures;
}

export interface PruneOptions {
  /** Also read content marked as hidden, all of it or only streamed content: some pages show nothing until a script has run. */
  readonly keepHidden?: 'all' | 'streamed';
  /** Use names and headings to find what a click unfolds and what leads elsewhere: for any page but a manual. */
  readonly readNames?: boolean;
  /** Remove lines among the paragraphs that lead elsewhere or name the author. */
  readonly isArticle?: boolean;
  /** The authors, to recognise lines about them. */
  readonly authors?: readonly string[];
  /** Elements that stay, whatever they are, because a rule selected them. */
  readonly chosen?: ReadonlySet<HtmlElement> | undefined;
}

/** Custom elements that show a relative time. */
const AGES = new Set(['relative-time', 'time-ago', 'local-time', 'time-since']);
const QUOTES = new Set(['blockquote', 'figure', 'q']);
const JUDGED_INLINE = new Set(['ins', 'small']);

class Pruner {
  readonly measures = new Map<HtmlElement, Measure>();
  /** Ids of what tabs show and buttons unfold. */
  readonly #panels = new Set<string>();
  /** Elements from which a section edit link was removed. */
  readonly #hadEditLink = new Set<HtmlElement | undefined>();
  readonly #url: string;
  readonly #keepHidden: PruneOptions['keepHidden'];
  readonly #readNames: boolean;
  readonly #isArticle: boolean;
  readonly #authors: readonly string[];
  readonly #chosen: ReadonlySet<HtmlElement> | undefined;

  constructor(url: string, { keepHidden, readNames = false, isArticle = false, authors = [], chosen }: PruneOptions) {
    this.#url = url;
    this.#keepHidden = keepHidden;
    this.#readNames = readNames;
    this.#isArticle = isArticle;
    this.#authors = authors;
    this.#chosen = chosen;
  }

  measure(element: HtmlElement, around: Surroundings): Measure {
    const inside = insideOf(element, around);
    const measure = new Measure();
    const { children } = element;
    const kept: HtmlNode[] = [];
    let lastElement: HtmlElement | undefined;
    // A heading such as "Contents" waits for what follows: it is removed with a list of links and stays with anything else.
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
      if (isControl(child)) {
        measure.controls += 1;
        if (isField(child)) measure.fields += 1;
      }
      this.#notePanels(child, inside);
      const isChosen = this.#chosen?.has(child) ?? false;
      if (!isChosen && (isFurniture(child, inside, kept.at(-1)) || this.#isHidden(child, lastElement))) {
        if (!UNSEEN.has(child.name)) label = undefined;
        continue;
      }
      const found = this.measure(child, inside);
      if (!isChosen && this.#isFurnitureInside(child, found, inside)) {
        measure.controls += found.controls;
        measure.fields += found.fields;
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
    this.#complete(element, measure);
    this.measures.set(element, measure);
    return measure;
  }

  #notePanels(child: HtmlElement, { inArticle }: Surroundings): void {
    const role = attribute(child, 'role');
    const unfolds = (inArticle || this.#readNames) && child.attributes.has('aria-expanded');
    if (role === 'tablist') this.#noteTabs(child);
    else if (role === 'tab' || unfolds) this.#noteTab(child);
  }

  #noteTabs(tabs: HtmlElement): void {
    for (const child of tabs.children) {
      if (typeof child === 'string') continue;
      if (attribute(child, 'role') === 'tab') this.#noteTab(child);
      this.#noteTabs(child);
    }
  }

  #noteTab(tab: HtmlElement): void {
    const id = attribute(tab, 'aria-controls') ?? attribute(tab, 'href')?.replace(/^#/, '');
    if (id !== undefined && id !== '') this.#panels.add(id);
  }

  #isHidden(element: HtmlElement, before: HtmlElement | undefined): boolean {
    if (this.#keepHidden === 'all' || !isMarkedHidden(element)) return false;
    if (this.#keepHidden === 'streamed' && isStreamed(element)) return false;
    if (this.#panels.has(attribute(element, 'id') ?? '') || isUnfolded(element, before)) return false;
    return !(this.#readNames && isFoldName(`${attribute(element, 'class') ?? ''} ${attribute(element, 'id') ?? ''}`));
  }

  #complete(element: HtmlElement, measure: Measure): void {
    if (element.name === 'a' && element.attributes.has('href')) {
      measure.links += 1;
      measure.linkText = measure.text;
      if (isLocalLink(attribute(element, 'href') ?? '', this.#url)) measure.localLinks += 1;
    } else if (element.name === 'img') {
      measure.images += 1;
    } else if (element.name === 'table') {
      measure.tables += 1;
    } else if (element.name === 'time') {
      if (isPublicationTime(element)) measure.publicationText = measure.text;
    } else if (isHeading(element) && !measure.isEmpty()) {
      measure.addHeading(element);
    }
    if (BLOCKS.has(element.name)) measure.blocks += 1;
  }

  /** Judges by the content of an element, once that is known. */
  #isFurnitureInside(element: HtmlElement, found: Measure, around: Surroundings): boolean {
    if (isCopyNote(element)) return true;
    if (around.inCode) return false;
    if (this.#hadEditLink.has(element) && isEmptyBrackets(collapsed(element))) return true;
    if (element.name === 'a')
      return (
        this.#isFurnitureLink(element, found) ||
        (this.#readNames && (isInterface(element, found) || isButtonLink(element, found)))
      );
    if (element.name === 'label') return found.controls > 0 && !(around.inArticle && element.parent?.name === 'li');
    if (element.name === 'time') return isModificationTime(element) || isRelativeTime(collapsed(element));
    if (AGES.has(element.name)) return true;
    if (element.name === 'header' && !around.inArticle && (!found.hasH1 || isMasthead(element, found, this.#url)))
      return true;
    if (!this.#readNames && isPublicationLine(element, found)) return true;
    if (isAside(element) && isBesideContent(found)) return true;
    if (this.#readNames && (this.#leadsElsewhere(element, found) || isInterface(element, found))) return true;
    if (this.#readNames && isPassedOver(element, found, this.#isArticle)) return true;
    if (this.#isArticle && isBesideText(element, found, this.#authors)) return true;
    if (element.name === 'form') return isFormToFill(element, found, around);
    if (element.name === 'ul' || element.name === 'ol') {
      if (found.links >= 2 && found.localLinks === found.links && found.linkDensity() > 0.8) return true;
    }
    if (!(BLOCKS.has(element.name) || JUDGED_INLINE.has(element.name))) return false;
    if (isAdvertisement(element, found)) return true;
    if (found.text === 0) return false;
    if (found.controls > 0 && found.text <= MAX_NOTICE_TEXT && isCookieNotice(collapsed(element))) return true;
    return found.text <= MAX_FURNITURE_TEXT && isFurnitureText(element, found);
  }

  /** A part of the page whose first heading promises similar content elsewhere. */
  #leadsElsewhere(element: HtmlElement, found: Measure): boolean {
    const heading = found.firstHeading;
    if (heading === undefined || found.hasH1 || found.headingsAtTop !== 1 || !BLOCKS.has(element.name)) return false;
    if (levelOf(heading) !== found.topLevel || found.text <= found.headingText) return false;
    return isLeadElsewhere(collapsed(heading)) && this.#startsWith(element, heading);
  }

  #startsWith(element: HtmlElement, heading: HtmlElement): boolean {
    for (const child of element.children) {
      if (child === heading) return true;
      if (typeof child === 'string') {
        if (child.trim() !== '') return false;
      } else if ((this.measures.get(child)?.text ?? 0) > 0) return this.#startsWith(child, heading);
    }
    return false;
  }

  #isFurnitureLink(link: HtmlElement, found: Measure): boolean {
    const href = attribute(link, 'href');
    if (href === undefined) return false;
    if (isSectionEdit(href)) {
      this.#hadEditLink.add(link.parent);
      return true;
    }
    const rel = attribute(link, 'rel') ?? '';
    if (/\b(?:prev|next)\b/i.test(rel)) return true;
    if (isShareLink(href)) return true;
    if (found.text > MAX_FURNITURE_TEXT) return false;

    const text = collapsed(link);
    if (isLocalLink(href, this.#url)) {
      if (found.images > 0) return false;
      return isSkipLink(text) || isPermalink(text);
    }
    return isEditLink(text) || isSourceLink(text, href) || endsInStepLabel(link);
  }
}

/** Only elements that contain a single text are examined, because pages are full of spans. */
function isCopyNote({ name, children }: HtmlElement): boolean {
  const [text] = children;
  if (children.length !== 1 || typeof text !== 'string' || text.length > 40 || text.length < 7) return false;
  return !BLOCKS.has(name) && isCopyLabel(text);
}

/** Returns the same object if an element changes nothing, which is usual. */
function insideOf(element: HtmlElement, around: Surroundings): Surroundings {
  const { name } = element;
  const inArticle = around.inArticle || name === 'main' || name === 'article' || attribute(element, 'role') === 'main';
  const heading = isHeading(element) ? element : around.heading;
  const inQuote = around.inQuote || QUOTES.has(name);
  const inCode = around.inCode || name === 'pre' || name === 'code';
  const isSame =
    inArticle === around.inArticle &&
    heading === around.heading &&
    inQuote === around.inQuote &&
    inCode === around.inCode;
  return isSame ? around : { inArticle, heading, inQuote, inCode };
}

/** The approximate number of non-space characters, counted fast. */
function countInk(text: string): number {
  let ink = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 32) ink += 1;
  }
  return ink;
}

/** A link that names a page, followed by the step that leads there in a separate element. */
function endsInStepLabel({ children }: HtmlElement): boolean {
  const parts = children.filter((child) => typeof child !== 'string' || child.trim() !== '');
  const last = parts.at(-1);
  return parts.length > 1 && last !== undefined && typeof last !== 'string' && isStepLabel(collapsed(last));
}
