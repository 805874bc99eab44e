import { readXml, type XmlElement } from '../primitives/guarded-xml.ts';
import { accept, type Result } from '../primitives/result.ts';
import { combinedWishes, USES, type Use, type Wishes, wishesFor } from './usage.ts';

/** What a licence file says about the pages that match a pattern. */
export interface RslContent {
  /** A URL or a path, with `*` and `$` as in a robots.txt. */
  readonly url: string;
  /** A licence must be obtained there first, even if it is free. */
  readonly server?: string;
  readonly licenses: readonly RslLicense[];
}

export interface RslLicense {
  readonly permits: readonly string[];
  readonly prohibits: readonly string[];
  /** The type of the payment, if there is one. */
  readonly payment?: string;
}

const RSL = 'https://rslstandard.org/rsl';
const MAX_CHARACTERS = 1_000_000;
const MAX_CONTENTS = 5000;
/** Usage words, with the uses of ours that they cover. */
const WORDS: Readonly<Record<string, readonly Use[]>> = {
  all: USES,
  'ai-all': ['ai-input', 'ai-train'],
  'ai-index': ['ai-input'],
  search: ['search'],
  'ai-input': ['ai-input'],
  'ai-train': ['ai-train'],
};
const FREE = 'free';

/**
 * Reads a licence file of RSL 1.0: what machines may do with pages, and what they must pay.
 *
 * Spec: https://rslstandard.org/rsl
 */
export function decodeRsl(xml: string): Result<readonly RslContent[]> {
  const reading = new RslReading();
  const read = readXml(xml, { maxCharacters: MAX_CHARACTERS }, 'RSL', reading);
  return read.ok ? accept(reading.contents) : read;
}

/** A prohibition overrides a permission. A use that must be paid for is not permitted without a licence. */
export function rslWishes({ server, licenses }: RslContent): Wishes {
  if (server !== undefined) return wishesFor(USES, 'no');
  return combinedWishes(
    licenses.flatMap(({ permits, prohibits, payment = FREE }) => {
      const isFree = payment === FREE;
      const offered = isFree ? usesOf(permits) : permits.length === 0 ? USES : usesOf(permits);
      return [wishesFor(offered, isFree ? 'yes' : 'no'), wishesFor(usesOf(prohibits), 'no')];
    }),
  );
}

function usesOf(words: readonly string[]): readonly Use[] {
  return words.flatMap((word) => (Object.hasOwn(WORDS, word) ? (WORDS[word] ?? []) : []));
}

class RslReading {
  readonly contents: { url: string; server?: string; licenses: RslLicense[] }[] = [];
  #path: string[] = [];
  #license: { permits: string[]; prohibits: string[]; payment?: string } | undefined;
  #words: string | undefined;

  open(element: XmlElement, depth: number): void {
    this.#path.length = depth - 1;
    this.#path.push(element.uri === RSL ? element.local : '');
    const place = this.#path.join('/');
    if (place === 'rsl/content') this.#content(element);
    else if (place === 'rsl/content/license') this.#license = { permits: [], prohibits: [] };
    else if (place === 'rsl/content/license/payment') this.#pay(element);
    else if (/^rsl\/content\/license\/(?:permits|prohibits)$/.test(place) && element.attribute('type') === 'usage') {
      this.#words = '';
    }
  }

  text(text: string): void {
    if (this.#words !== undefined) this.#words += text;
  }

  close(depth: number): void {
    const local = this.#path[depth - 1];
    if (depth === 4 && this.#words !== undefined && (local === 'permits' || local === 'prohibits')) {
      this.#license?.[local].push(
        ...this.#words
          .toLowerCase()
          .split(/[\s,]+/)
          .filter((word) => word !== ''),
      );
      this.#words = undefined;
    }
    if (depth === 3 && local === 'license' && this.#license !== undefined) {
      this.contents.at(-1)?.licenses.push(this.#license);
      this.#license = undefined;
    }
    this.#path.length = depth - 1;
  }

  #content(element: XmlElement): void {
    const [url, server] = [element.attribute('url'), element.attribute('server')];
    if (url === undefined || this.contents.length >= MAX_CONTENTS) return;
    this.contents.push({ url, ...(server !== undefined && { server }), licenses: [] });
  }

  #pay(element: XmlElement): void {
    if (this.#license !== undefined) this.#license.payment = element.attribute('type')?.toLowerCase() ?? FREE;
  }
}
