import { collapse, isBreak, isHidden } from './plain-text.ts';

/** One element of a feed, with its contents. */
export interface FeedElement {
  /** `atom:link`, `dc:date`; without a prefix for elements of RSS itself. In lower case; the prefix follows from the namespace. */
  readonly name: string;
  /** Values as written, names in lower case. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Texts and elements in document order. */
  readonly parts: readonly (string | FeedElement)[];
  /** The base of relative URLs in it. */
  readonly base: string | undefined;
}

/** The first direct child with that name. */
export function childOf(element: FeedElement, name: string): FeedElement | undefined {
  return childrenOf(element, name)[0];
}

export function childrenOf(element: FeedElement, name: string): readonly FeedElement[] {
  return element.parts.filter((part): part is FeedElement => typeof part !== 'string' && part.name === name);
}

/** Its own text, without the text of child elements. */
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
