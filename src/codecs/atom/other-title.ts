import { childOf, childrenOf, type FeedElement, ownText } from './element.ts';
import { plainTitle } from './plain-text.ts';

/** The title of an item that has none of its format: of Atom in RSS, of Dublin Core, or of the media that belong to it. */
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
