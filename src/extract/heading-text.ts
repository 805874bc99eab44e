import { collapseSpace } from './collapse-space.ts';
import { attribute, elementText, type HtmlElement } from './html-tree.ts';

/** A heading as a reader sees it: its text, or what its image shows. */
export function headingTextOf(heading: HtmlElement): string {
  const text = collapse(elementText(heading));
  return text === '' ? firstAlt(heading) : text;
}

function firstAlt(element: HtmlElement): string {
  if (element.name === 'img') return collapse(attribute(element, 'alt') ?? '');
  for (const child of element.children) {
    const alt = typeof child === 'string' ? '' : firstAlt(child);
    if (alt !== '') return alt;
  }
  return '';
}

function collapse(text: string): string {
  return collapseSpace(text).trim();
}
