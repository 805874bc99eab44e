import type { KnownNames } from './known-names.ts';
import { type TagName, tagNameOf } from './tag-names.ts';

const MAX_ATTRIBUTES = 500;
/** Start and end of a name, start and end of a value. */
const PLACES = 4;
const OPENINGS = ['{', '[', '%7', '%5', '%3'];

/** A start tag that copies nothing until it is needed. One object is reused for all tags of a page. */
export class OpenTag {
  name: TagName = tagNameOf('p');
  isSelfClosing = false;
  /** The number of attributes. */
  count = 0;
  readonly #html: string;
  readonly #places = new Int32Array(MAX_ATTRIBUTES * PLACES);
  /** The next position of each opening, at or after the last requested value. */
  readonly #nextOpenings = OPENINGS.map(() => -1);

  constructor(html: string) {
    this.#html = html;
  }

  restart(name: TagName): void {
    this.name = name;
    this.isSelfClosing = false;
    this.count = 0;
  }

  take(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void {
    if (this.count >= MAX_ATTRIBUTES) return;
    const at = this.count * PLACES;
    this.#places[at] = nameStart;
    this.#places[at + 1] = nameEnd;
    this.#places[at + 2] = valueStart;
    this.#places[at + 3] = valueEnd;
    this.count += 1;
  }

  nameLength(index: number): number {
    const at = index * PLACES;
    return (this.#places[at + 1] ?? 0) - (this.#places[at] ?? 0);
  }

  valueLength(index: number): number {
    const at = index * PLACES;
    return (this.#places[at + 3] ?? 0) - (this.#places[at + 2] ?? 0);
  }

  /** Ignores case. */
  valueStartsWith(index: number, start: string): boolean {
    const at = this.#places[index * PLACES + 2] ?? 0;
    // Few values begin with the same letter.
    if ((this.#html.charCodeAt(at) | 0x20) !== start.charCodeAt(0)) return false;
    return this.#html.slice(at, at + start.length).toLowerCase() === start;
  }

  /** Whether it may contain a brace, a bracket or an escaped one. */
  hasOpening(index: number): boolean {
    const start = this.#places[index * PLACES + 2] ?? 0;
    const end = this.#places[index * PLACES + 3] ?? 0;
    for (let kind = 0; kind < OPENINGS.length; kind += 1) {
      let next = this.#nextOpenings[kind] ?? 0;
      if (next < start) {
        const found = this.#html.indexOf(OPENINGS[kind] ?? '', start);
        next = found < 0 ? this.#html.length : found;
        this.#nextOpenings[kind] = next;
      }
      if (next < end) return true;
    }
    return false;
  }

  /** In lower case. */
  attributeName(index: number): string {
    const at = index * PLACES;
    return this.#html.slice(this.#places[at], this.#places[at + 1]).toLowerCase();
  }

  /** What `names` knows about it. */
  knownName<Known>(index: number, names: KnownNames<Known>): Known {
    const at = index * PLACES;
    return names.at(this.#html, this.#places[at] ?? 0, this.#places[at + 1] ?? 0);
  }

  /** As written, without decoding entities. */
  rawValue(index: number, maxLength = Number.POSITIVE_INFINITY): string {
    const start = this.#places[index * PLACES + 2] ?? 0;
    return this.#html.slice(start, Math.min(this.#places[index * PLACES + 3] ?? 0, start + maxLength));
  }

  /** Whether that is its name, in lower case. */
  isNamed(index: number, name: string): boolean {
    const at = index * PLACES;
    const start = this.#places[at] ?? 0;
    if ((this.#places[at + 1] ?? 0) - start !== name.length) return false;
    for (let letter = 0; letter < name.length; letter += 1) {
      const code = this.#html.charCodeAt(start + letter);
      const lower = code >= 65 && code <= 90 ? code | 0x20 : code;
      if (lower !== name.charCodeAt(letter)) return false;
    }
    return true;
  }

  /** The value of the first attribute with that name. */
  find(name: string): string | undefined {
    for (let index = 0; index < this.count; index += 1) if (this.isNamed(index, name)) return this.rawValue(index);
    return undefined;
  }
}
