import { collapse, isBreak, isHidden } from './plain-text.ts';

/** One element of a feed, with what stands in it. */
export interface FeedElement {
  /** `atom:link`, `dc:date`; without a prefix for those of RSS itself; in lower case, by namespace and not by prefix. */
  readonly name: string;
  /** As written, names in lower case. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Texts and elements in their order. */
  readonly parts: readonly (string | FeedElement)[];
  /** Where relative URLs in it count from. */
  readonly base: string | undefined;
}

/** The first of that name which stands directly in it. */
export function childOf(element: FeedElement, name: string): FeedElement | undefined {
  return childrenOf(element, name)[0];
}

export function childrenOf(element: FeedElement, name: string): readonly FeedElement[] {
  return element.parts.filter((part): part is FeedElement => typeof part !== 'string' && part.name === name);
}

/** Its own text, without that of elements in it. */
export function ownText(element: FeedElement | undefined): string {
  return element === undefined ? '' : element.parts.filter((part) => typeof part === 'string').join('');
}

export function hasElements(element: FeedElement): boolean {
  return element.parts.some((part) => typeof part !== 'string');
}

/** All text in it, on one line: for XHTML. */
export function wholeText(element: FeedElement): string {
  const texts: string[] = [];
  gather(element, texts);
  return collapse(texts.join(''));
}

function gather({ name, parts }: FeedElement, texts: string[]): void {
  const local = name.slice(name.indexOf(':') + 1);
  if (isHidden(local)) return;
  const gap = isBreak(local) ? ' ' : '';
  texts.push(gap);
  for (const part of parts) {
    if (typeof part === 'string') texts.push(part);
    else gather(part, texts);
  }
  texts.push(gap);
}
