import { attribute, type HtmlElement } from './html-tree.ts';
import { resolveLink } from './link-target.ts';

/** Where scripts look for an image that is loaded late come first: `src` holds a stand-in then. */
const SOURCES = ['data-src', 'data-lazy-src', 'data-original', 'src'];
const SOURCE_SETS = ['data-srcset', 'data-lazy-srcset', 'srcset'];

/** Where an image is found; undefined where only its bytes are given. */
export function imageSource(image: HtmlElement, base: string): string | undefined {
  for (const name of SOURCES) {
    const url = resolveLink(attribute(image, name) ?? '', base);
    if (url !== undefined) return url;
  }
  for (const name of SOURCE_SETS) {
    const first = /^[\s,]*([^\s,]\S*)/.exec(attribute(image, name) ?? '')?.[1];
    const url = resolveLink(first?.replace(/,+$/, '') ?? '', base);
    if (url !== undefined) return url;
  }
  return undefined;
}
