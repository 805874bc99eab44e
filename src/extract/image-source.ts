import { attribute, type HtmlElement } from './html-tree.ts';
import { resolveLink } from './link-target.ts';

/** Attributes for lazy-loaded images come first, because `src` then contains a placeholder. */
const SOURCES = ['data-src', 'data-lazy-src', 'data-original', 'src'];
const SOURCE_SETS = ['data-srcset', 'data-lazy-srcset', 'srcset'];

/** The address of an image. Undefined if it is embedded as bytes. */
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

/** The bytes of an embedded image. */
export function imageBytes(image: HtmlElement): string | undefined {
  return SOURCES.map((name) => attribute(image, name)?.trim() ?? '').find((source) => /^data:/i.test(source));
}

/** The sources that a `<picture>` offers besides its image. */
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
