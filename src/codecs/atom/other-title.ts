import { childOf, childrenOf, type FeedElement, ownText } from './element.ts';
import { plainTitle } from './plain-text.ts';

/** A title for an item without one in its own format: from Atom (in RSS), from Dublin Core, or from its media. */
export function otherTitle(item: FeedElement): string {
  const groups = childrenOf(item, 'media:group');
  const media = [item, ...groups].flatMap((around) => [around, ...childrenOf(around, 'media:content')]);
  const titles = [
    childOf(item, 'atom:title'),
    childOf(item, 'dc:title'),
    childOf(item, 'dcterms:title'),
    ...media.map((around) => childOf(around, 'media:title')),
  ];
  for (const title of titles) {
    const text = plainTitle(ownText(title));
    if (text !== '') return text;
  }
  return '';
}
