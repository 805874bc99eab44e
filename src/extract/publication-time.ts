import { BLOCKS } from './html-elements.ts';
import { attribute, type HtmlElement, isHeading } from './html-tree.ts';
import type { Measure } from './measure.ts';

const PUBLISHED = /\b(?:datePublished|dateCreated|dateModified|dt-published|dt-updated)\b/;
const MODIFIED = /\b(?:dateModified|dt-updated)\b/;
/** The maximum length of a line about publication: in total, and without times and links. */
const MAX_LINE = 150;
const MAX_LABELS = 40;

/**
 * Whether a `<time>` is marked as the time when the page was published or edited.
 *
 * The names come from schema.org and microformats (https://microformats.org/wiki/h-entry), not from a theme.
 */
export function isPublicationTime(time: HtmlElement): boolean {
  return PUBLISHED.test(namesOf(time));
}

/** Many generators take this time from the file, which is new with every copy. */
export function isModificationTime(time: HtmlElement): boolean {
  return MODIFIED.test(namesOf(time)) && !/\bdatePublished\b/.test(namesOf(time));
}

/** A line with the date and possibly author and category: each theme words it differently. */
export function isPublicationLine(element: HtmlElement, found: Measure): boolean {
  if (found.publicationText === 0 || found.text > MAX_LINE || found.images + found.tables > 0) return false;
  if (!BLOCKS.has(element.name) || isHeading(element) || found.firstHeading !== undefined) return false;
  return found.text - found.linkText - found.publicationText <= MAX_LABELS;
}

function namesOf(time: HtmlElement): string {
  return `${attribute(time, 'itemprop') ?? ''} ${attribute(time, 'class') ?? ''}`;
}
