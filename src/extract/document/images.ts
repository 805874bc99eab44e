import type { DocumentImage } from '../../codecs/aidocument/wire.ts';
import { attribute, type HtmlElement } from '../html-tree.ts';
import { firstOfSet } from '../image-source.ts';
import { shortText } from './short-text.ts';
import { webAddress } from './web-address.ts';

const MAX_ALT = 2000;
/** Attributes with the address of a lazy-loaded image. `src` then contains a placeholder. */
const LATE_SOURCES = ['data-src', 'data-lazy-src', 'data-original'];
const SOURCE_SETS = ['data-srcset', 'data-lazy-srcset', 'srcset'];

/** In pixels. An image that is smaller on both sides is an icon, a spacer or a beacon. */
const MIN_SIDE = 25;

/** The images of a page, without icons and images without a web address. */
export function readImages(images: readonly HtmlElement[], base: string): DocumentImage[] {
  const found: DocumentImage[] = [];
  for (const image of images) {
    const url = isIcon(image) ? undefined : addressOf(image, base);
    if (url === undefined) continue;
    const alt = shortText(attribute(image, 'alt') ?? '', MAX_ALT);
    found.push({ url, ...(alt !== '' && { alt }) });
  }
  return found;
}

function isIcon(image: HtmlElement): boolean {
  const sides = ['width', 'height'].map((name) => Number.parseFloat(attribute(image, name) ?? ''));
  return sides.every((side) => side < MIN_SIDE) || sides.some((side) => side <= 1);
}

function addressOf(image: HtmlElement, base: string): string | undefined {
  for (const name of [...LATE_SOURCES, 'src']) {
    const url = webAddress(attribute(image, name) ?? '', base);
    if (url !== undefined) return url.href;
  }
  for (const set of sourceSetsOf(image)) {
    const url = webAddress(firstOfSet(set), base);
    if (url !== undefined) return url.href;
  }
  return undefined;
}

/** Its own source sets, then those that a surrounding `<picture>` offers. */
function sourceSetsOf(image: HtmlElement): string[] {
  const siblings = image.parent?.name === 'picture' ? image.parent.children : [];
  const sources = siblings.filter((child) => typeof child !== 'string' && child.name === 'source');
  return [image, ...sources].flatMap((element) =>
    typeof element === 'string' ? [] : SOURCE_SETS.flatMap((name) => attribute(element, name) ?? []),
  );
}
