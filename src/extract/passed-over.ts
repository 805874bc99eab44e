import { isButtonName } from './furniture-names.ts';
import { BLOCKS } from './html-elements.ts';
import { attribute, type HtmlElement } from './html-tree.ts';
import type { Measure } from './measure.ts';

/** A longer text around fields is more than their labels. */
const MAX_FORM_TEXT = 800;
const MAX_BOX_TEXT = 400;
/** The text of a button is short. */
const MAX_CALL = 40;
const MIN_PLACES = 3;
/** With more siblings than this, a link is not examined. */
const MAX_SIBLINGS = 40;
const FIELDS = new Set(['text', 'email', 'tel', '']);

/** A field for an address, a name or a message. */
export function isField(control: HtmlElement): boolean {
  if (control.name === 'textarea') return true;
  return control.name === 'input' && FIELDS.has(attribute(control, 'type')?.toLowerCase() ?? 'text');
}

/** A call-to-action link: styled as a button, and neither a heading nor an image. */
export function isButtonLink(link: HtmlElement, found: Measure): boolean {
  if (found.text === 0 || found.text > MAX_CALL || found.images > 0 || found.firstHeading !== undefined) return false;
  return isButtonName(attribute(link, 'class') ?? '') && !isInSentence(link);
}

function isInSentence({ parent }: HtmlElement): boolean {
  if (parent === undefined || parent.children.length > MAX_SIBLINGS) return parent !== undefined;
  return parent.children.some((child) => typeof child === 'string' && /\p{L}/u.test(child));
}

/**
 * A block that readers skip, judging by its content: a form, or a list of places on the same page. In an article also a box around a form, and a paragraph that
 * consists of a link.
 */
export function isPassedOver(element: HtmlElement, found: Measure, isArticle: boolean): boolean {
  if (!BLOCKS.has(element.name) || found.hasH1) return false;
  if (found.fields > 0) {
    if (element.name === 'form') return found.text < MAX_FORM_TEXT;
    if (isArticle) return found.text < MAX_BOX_TEXT;
  }
  if (found.links >= MIN_PLACES && found.localLinks === found.links && found.linkDensity() > 0.8) return true;
  return isArticle && element.name === 'p' && isCall(element, found);
}

function isCall({ parent }: HtmlElement, found: Measure): boolean {
  if (found.links !== 1 || found.images > 0 || found.text > MAX_CALL || found.firstHeading !== undefined) return false;
  return found.linkDensity() === 1 && parent?.name !== 'li';
}
