import { elementText, type HtmlElement, type HtmlNode } from './html-tree.ts';

const MAX_PART = 200;

/**
 * Inserts a space between the parts of a heading that a theme shows on separate lines: a name, and a slogan below it.
 *
 * Parts of one word ("Java", "Script") stay together, and so does a part that continues in lower case.
 */
export function separateParts(heading: HtmlElement): void {
  const parts = [...heading.children];
  const isApart = (at: number) => isEndOfPart(parts[at - 1]) && isNewPart(parts[at]);
  heading.children.length = 0;
  for (const [at, part] of parts.entries()) {
    if (isApart(at)) heading.children.push(' ');
    heading.children.push(part);
  }
}

function isEndOfPart(node: HtmlNode | undefined): boolean {
  return isPart(node) && /[\p{Ll}\p{N}]$/u.test(elementText(node).slice(-2));
}

function isNewPart(node: HtmlNode | undefined): boolean {
  return isPart(node) && /^\p{Lu}\S* \S/u.test(elementText(node).slice(0, MAX_PART));
}

function isPart(node: HtmlNode | undefined): node is HtmlElement {
  return node !== undefined && typeof node !== 'string' && node.name === 'span';
}
