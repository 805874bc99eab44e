import { nameOf, type TagName } from './tag-names.ts';

const MAX_ATTRIBUTES = 500;
/** Start and end of a name, start and end of a value. */
const PLACES = 4;
const LOOKS = new Set(['style', 'hidden', 'aria-hidden', 'bgcolor', 'color']);
const LOOK_LENGTHS = new Set(['class', ...LOOKS].map(({ length }) => length));

/** A start tag, of which nothing is copied until it is asked for. One object stands for all tags of a page in turn. */
export class OpenTag {
  name: TagName = nameOf('p');
  isSelfClosing = false;
  /** How many attributes it has. */
  count = 0;
  /** Which of them is its class, or -1. */
  classAt = -1;
  /** It says something of its looks beside its class and id. */
  isMarked = false;
  private readonly html: string;
  private readonly places = new Int32Array(MAX_ATTRIBUTES * PLACES);

  constructor(html: string) {
    this.html = html;
  }

  restart(name: TagName): void {
    this.name = name;
    this.isSelfClosing = false;
    this.count = 0;
    this.classAt = -1;
    this.isMarked = false;
  }

  take(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void {
    if (this.count >= MAX_ATTRIBUTES) return;
    const at = this.count * PLACES;
    this.places[at] = nameStart;
    this.places[at + 1] = nameEnd;
    this.places[at + 2] = valueStart;
    this.places[at + 3] = valueEnd;
    this.count += 1;
    if (LOOK_LENGTHS.has(nameEnd - nameStart)) this.noteLook(this.count - 1);
  }

  valueLength(index: number): number {
    const at = index * PLACES;
    return (this.places[at + 3] ?? 0) - (this.places[at + 2] ?? 0);
  }

  /** In lower case. */
  attributeName(index: number): string {
    const at = index * PLACES;
    return this.html.slice(this.places[at], this.places[at + 1]).toLowerCase();
  }

  /** As it is written: entities are not decoded. */
  rawValue(index: number): string {
    const at = index * PLACES;
    return this.html.slice(this.places[at + 2], this.places[at + 3]);
  }

  /** Of the first attribute with that name. */
  find(name: string): string | undefined {
    for (let index = 0; index < this.count; index += 1) {
      if (this.attributeName(index) === name) return this.rawValue(index);
    }
    return undefined;
  }

  private noteLook(index: number): void {
    const name = this.attributeName(index);
    if (LOOKS.has(name)) this.isMarked = true;
    else if (name === 'class' && this.classAt < 0) this.classAt = index;
  }
}
