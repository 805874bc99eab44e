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
  for (const element of [image, ...offeredBefore(image)]) {
    for (const name of SOURCE_SETS) {
      const url = resolveLink(firstOfSet(attribute(element, name) ?? ''), base);
      if (url !== undefined) return url;
    }
  }
  return undefined;
}

/** The bytes of an image that is found nowhere else. */
export function imageBytes(image: HtmlElement): string | undefined {
  return SOURCES.map((name) => attribute(image, name)?.trim() ?? '').find((source) => /^data:/i.test(source));
}

/** What a `<picture>` offers besides the image in it. */
function offeredBefore(image: HtmlElement): HtmlElement[] {
  const beside = image.parent?.name === 'picture' ? image.parent.children : [];
  return beside.filter((child) => typeof child !== 'string').filter(({ name }) => name === 'source');
}

/** The first address of a `srcset`. Spec: https://html.spec.whatwg.org/multipage/images.html#parsing-a-srcset-attribute */
export function firstOfSet(sourceSet: string): string {
  const first = /^[\s,]*([^\s,]\S*)/.exec(sourceSet)?.[1] ?? '';
  let end = first.length;
  while (first[end - 1] === ',') end -= 1;
  return first.slice(0, end);
}
