import { BLOCKS } from './html-elements.ts';
import { attribute, type HtmlElement, isHeading } from './html-tree.ts';
import { isMediaWikiTex } from './tex-of-math.ts';

/** Whether the source says that an element is not shown. */
export function isMarkedHidden(element: HtmlElement): boolean {
  if (element.name === 'noscript') return holdsWrittenMarkup(element);
  if (element.attributes.size === 0) return false;
  // MediaWiki hides the picture of a formula from those who are read its MathML, which it hides from all others.
  if (element.name === 'img' && isMediaWikiTex(attribute(element, 'alt') ?? '')) return false;
  // The panel of a tab that is not chosen is content all the same, and so is what the browser's search may unfold.
  if (attribute(element, 'role') === 'tabpanel') return false;
  const hidden = attribute(element, 'hidden');
  if (hidden !== undefined && hidden !== 'until-found') return true;
  // What is folded is closed to those who hear a page as well, until it is opened. A sign in a line of it is none of that.
  if (attribute(element, 'aria-hidden') === 'true')
    return element.parent?.name !== 'details' || !BLOCKS.has(element.name);
  const style = attribute(element, 'style');
  return style !== undefined && /display\s*:\s*none/i.test(style);
}

/** Markup that was escaped, as some servers write the pixels of trackers: text to a parser, and nothing to a reader. */
function holdsWrittenMarkup(noscript: HtmlElement): boolean {
  const [text] = noscript.children;
  return noscript.children.length === 1 && typeof text === 'string' && /^\s*<[a-z!]/i.test(text);
}

/** What a click unfolds: below a heading that is a button, or the next of several panels of one kind. */
export function isUnfolded(element: HtmlElement, before: HtmlElement | undefined): boolean {
  if (before === undefined) return false;
  if (isHeading(before)) return holdsButtonOnly(before);
  const kind = attribute(element, 'class');
  return kind !== undefined && kind !== '' && BLOCKS.has(element.name) && kindOf(before) === kindOf(element);
}

function holdsButtonOnly(heading: HtmlElement): boolean {
  const [only, ...others] = heading.children.filter((child) => typeof child !== 'string' || child.trim() !== '');
  return others.length === 0 && only !== undefined && typeof only !== 'string' && only.name === 'button';
}

function kindOf(element: HtmlElement): string {
  return `${element.name} ${attribute(element, 'class') ?? ''}`;
}

/** What React streams after the rest of a page, for a script to put in its place. */
export function isStreamed(element: HtmlElement): boolean {
  return /^S:[0-9a-f]{1,4}$/.test(attribute(element, 'id') ?? '');
}
