import type { DocumentImage } from '../../codecs/aidocument/wire.ts';
import { attribute, type HtmlElement } from '../html-tree.ts';
import { shorten } from './short-text.ts';
import { webAddress } from './web-address.ts';

const MAX_ALT = 2000;
/** Where scripts look for the address of an image that is loaded late; `src` then holds a stand-in. */
const LATE_SOURCES = ['data-src', 'data-lazy-src', 'data-original'];
const SOURCE_SETS = ['data-srcset', 'data-lazy-srcset', 'srcset'];

export function readImages(images: readonly HtmlElement[], base: string): DocumentImage[] {
  const found: DocumentImage[] = [];
  for (const image of images) {
    const url = addressOf(image, base);
    if (url === undefined) continue;
    const alt = shorten(attribute(image, 'alt') ?? '', MAX_ALT);
    found.push({ url, ...(alt !== '' && { alt }) });
  }
  return found;
}

function addressOf(image: HtmlElement, base: string): string | undefined {
  for (const name of [...LATE_SOURCES, 'src']) {
    const url = webAddress(attribute(image, name) ?? '', base);
    if (url !== undefined) return url.href;
  }
  for (const name of SOURCE_SETS) {
    const first = /^[\s,]*([^\s,][^\s]*)/.exec(attribute(image, name) ?? '')?.[1];
    const url = webAddress(first?.replace(/,+$/, '') ?? '', base);
    if (url !== undefined) return url.href;
  }
  return undefined;
}
