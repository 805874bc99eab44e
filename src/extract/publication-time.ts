import { BLOCKS } from './html-elements.ts';
import { attribute, type HtmlElement, isHeading } from './html-tree.ts';
import type { Measure } from './measure.ts';

const PUBLISHED = /\b(?:datePublished|dateCreated|dateModified|dt-published|dt-updated)\b/;
const MODIFIED = /\b(?:dateModified|dt-updated)\b/;
/** Of a line that says when and where something was published: all of it, and what is neither a time nor a link. */
const MAX_LINE = 150;
const MAX_LABELS = 40;

/**
 * Whether a `<time>` says of itself that it tells when the page was published or edited.
 *
 * The names are of schema.org and of microformats (https://microformats.org/wiki/h-entry), not of a theme.
 */
export function isPublicationTime(time: HtmlElement): boolean {
  return PUBLISHED.test(namesOf(time));
}

/** Many generators take that from the file, which is new with every copy. */
export function isModificationTime(time: HtmlElement): boolean {
  return MODIFIED.test(namesOf(time)) && !/\bdatePublished\b/.test(namesOf(time));
}

/** When, and perhaps by whom and under which name it is filed: each theme words that in its own way. */
export function isPublicationLine(element: HtmlElement, found: Measure): boolean {
  if (found.publicationText === 0 || found.text > MAX_LINE || found.images + found.tables > 0) return false;
  if (!BLOCKS.has(element.name) || isHeading(element) || found.firstHeading !== undefined) return false;
  return found.text - found.linkText - found.publicationText <= MAX_LABELS;
}

function namesOf(time: HtmlElement): string {
  return `${attribute(time, 'itemprop') ?? ''} ${attribute(time, 'class') ?? ''}`;
}
