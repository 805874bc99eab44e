import { attribute, type HtmlElement } from './html-tree.ts';

const NOT_SHOWN = /(?:^|\s)(?:sr-only|visually-?hidden|screen-reader-text)(?:\s|$)/i;

/** A label of code for screen readers, such as "Terminal window". */
export function isSpokenLabel(element: HtmlElement): boolean {
  const caption = element.parent;
  if (element.name !== 'span' || caption?.name !== 'figcaption') return false;
  if (!NOT_SHOWN.test(attribute(element, 'class') ?? '')) return false;
  return caption.parent?.children.some((child) => typeof child !== 'string' && child.name === 'pre') ?? false;
}
