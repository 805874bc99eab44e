import { BLOCKS } from './html-elements.ts';
import { attribute, type HtmlElement, isHeading } from './html-tree.ts';
import { isMediaWikiTex } from './tex-of-math.ts';

/** Whether the source marks an element as hidden. */
export function isMarkedHidden(element: HtmlElement): boolean {
  if (element.name === 'noscript') return holdsWrittenMarkup(element);
  if (element.attributes.size === 0) return false;
  // MediaWiki marks the image of a formula as hidden for screen readers, which get the MathML that is hidden from everybody else.
  if (element.name === 'img' && isMediaWikiTex(attribute(element, 'alt') ?? '')) return false;
  // The panel of an inactive tab is still content, and so is what the browser's search may unfold.
  if (attribute(element, 'role') === 'tabpanel') return false;
  const hidden = attribute(element, 'hidden');
  if (hidden !== undefined && hidden !== 'until-found') return true;
  // Folded content is also hidden from screen readers until it is opened. This does not apply to an inline sign in it.
  if (attribute(element, 'aria-hidden') === 'true')
    return element.parent?.name !== 'details' || !BLOCKS.has(element.name);
  const style = attribute(element, 'style');
  return style !== undefined && /display\s*:\s*none/i.test(style);
}

/** Escaped markup, as some servers write tracking pixels: text for a parser, but nothing for a reader. */
function holdsWrittenMarkup(noscript: HtmlElement): boolean {
  const [text] = noscript.children;
  return noscript.children.length === 1 && typeof text === 'string' && /^\s*<[a-z!]/i.test(text);
}

/** What a click unfolds: content below a heading that is a button, or the next of several similar panels. */
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

/** What React streams after the rest of a page, for a script to move into place. */
export function isStreamed(element: HtmlElement): boolean {
  return /^S:[0-9a-f]{1,4}$/.test(attribute(element, 'id') ?? '');
}
