import type { XmlElement } from '../primitives/guarded-xml.ts';
import { ATOM_NAMESPACE } from '../primitives/xml-names.ts';
import { AF_NAMESPACE, type DecodedAgentFeed } from './wire.ts';
import { trimXml } from './xml-white-space.ts';

type Field = 'id' | 'title' | 'updated' | 'specVersion' | 'feedStatus' | 'migratedTo' | 'author';

const ATOM_FIELDS: ReadonlyMap<string, Field> = new Map([
  ['id', 'id'],
  ['title', 'title'],
  ['updated', 'updated'],
]);
const AF_FIELDS: ReadonlyMap<string, Field> = new Map([
  ['spec-version', 'specVersion'],
  ['feed-status', 'feedStatus'],
  ['migrated-to', 'migratedTo'],
]);
const CHILD_DEPTH = 2;

/** Collects what is at feed level, besides the entries. */
export class FeedLevelReading {
  readonly #texts: { [name in Field]?: string } = {};
  #selfLink: string | undefined;
  readonly #contradictions = new Set<string>();
  readonly #unknown = new Set<string>();
  #isInAuthor = false;
  /** The field that is open now, its name and its depth. */
  #field: Field | undefined;
  #local = '';
  #fieldDepth = 0;
  #depth = 0;
  #gathered = '';

  open(element: XmlElement, depth: number): void {
    this.#depth = depth;
    if (this.#field !== undefined) {
      // A reader that also takes the nested text would see another value.
      if (AF_FIELDS.has(this.#local)) this.#contradictions.add(this.#local);
      return;
    }
    if (depth === CHILD_DEPTH) this.#openChild(element);
    else if (this.#isInAuthor && depth === CHILD_DEPTH + 1 && isAtomName(element)) this.#begin('author', element);
  }

  wantsText(): boolean {
    return this.#field !== undefined && this.#depth === this.#fieldDepth;
  }

  text(text: string): void {
    if (this.wantsText()) this.#gathered += text;
  }

  close(depth: number): void {
    this.#depth = depth - 1;
    if (depth === CHILD_DEPTH) this.#isInAuthor = false;
    if (this.#field === undefined || depth !== this.#fieldDepth) return;
    const text = trimXml(this.#gathered);
    const earlier = this.#texts[this.#field];
    if (earlier === undefined) this.#texts[this.#field] = text;
    else if (earlier !== text && this.#field !== 'author') this.#contradictions.add(this.#local);
    this.#field = undefined;
  }

  finish(): Omit<DecodedAgentFeed, 'entries'> {
    return {
      ...this.#texts,
      ...(this.#selfLink !== undefined && { selfLink: this.#selfLink }),
      contradictions: [...this.#contradictions],
      unknownElements: [...this.#unknown],
    };
  }

  #openChild(element: XmlElement): void {
    const { local, uri } = element;
    if (uri === ATOM_NAMESPACE) {
      if (local === 'author') this.#isInAuthor = true;
      if (local === 'link' && element.attribute('rel') === 'self') this.#selfLink ??= element.attribute('href');
      this.#begin(ATOM_FIELDS.get(local), element);
    } else if (uri === AF_NAMESPACE) {
      const field = AF_FIELDS.get(local);
      if (field === undefined) this.#unknown.add(local);
      this.#begin(field, element);
    }
  }

  #begin(field: Field | undefined, element: XmlElement): void {
    if (field === undefined) return;
    this.#field = field;
    this.#local = element.local;
    this.#fieldDepth = this.#depth;
    this.#gathered = '';
  }
}

function isAtomName({ local, uri }: XmlElement): boolean {
  return local === 'name' && uri === ATOM_NAMESPACE;
}
