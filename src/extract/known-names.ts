import { ownCopy } from './own-copy.ts';

/** The maximum number of unusual names that are cached, because a page may invent any number. */
const MAX_OTHERS = 2_000;
/** Slots for usual names: by five bits of the first and of the last letter, and two of the length. */
const PLACES = 4096;

/** Facts about names of tags or attributes, looked up directly in the source: a usual name is not copied, and all pages share one string for it. */
export class KnownNames<Known> {
  readonly #describe: (name: string) => Known;
  readonly #names: (string | undefined)[] = Array.from({ length: PLACES });
  readonly #known: (Known | undefined)[] = Array.from({ length: PLACES });
  readonly #others = new Map<string, Known>();

  /** `describe` is called once for most names, in lower case. If two usual names share a slot, the first gets it. */
  constructor(usual: readonly string[], describe: (name: string) => Known) {
    this.#describe = describe;
    for (const name of usual) {
      const place = placeOf(name, 0, name.length);
      if (this.#names[place] !== undefined) continue;
      this.#names[place] = name;
      this.#known[place] = describe(name);
    }
  }

  /** The facts about the name written there, in any case. */
  at(text: string, start: number, end: number): Known {
    const place = placeOf(text, start, end);
    const known = this.#known[place];
    if (known !== undefined && isAt(text, start, end, this.#names[place])) return known;
    return this.#other(text.slice(start, end).toLowerCase());
  }

  #other(name: string): Known {
    const place = placeOf(name, 0, name.length);
    const usual = this.#names[place] === name ? this.#known[place] : undefined;
    const found = usual ?? this.#others.get(name);
    if (found !== undefined) return found;
    const own = ownCopy(name);
    const known = this.#describe(own);
    if (this.#others.size >= MAX_OTHERS) this.#others.clear();
    this.#others.set(own, known);
    return known;
  }
}

function placeOf(text: string, start: number, end: number): number {
  return (text.charCodeAt(start) & 31) | ((text.charCodeAt(end - 1) & 31) << 5) | (((end - start) & 3) << 10);
}

function isAt(text: string, start: number, end: number, name: string | undefined): boolean {
  if (name === undefined || end - start !== name.length) return false;
  for (let at = 0; at < name.length; at += 1) {
    if (text.charCodeAt(start + at) !== name.charCodeAt(at)) return false;
  }
  return true;
}
