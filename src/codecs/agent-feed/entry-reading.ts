import type { XmlElement } from '../primitives/guarded-xml.ts';
import { ATOM_NAMESPACE } from '../primitives/xml-names.ts';
import { AF_NAMESPACE, type DecodedEntry } from './wire.ts';
import { trimXml } from './xml-white-space.ts';

type Field = 'id' | 'updated' | 'title' | 'type' | 'content' | 'signature' | 'signer';

const ATOM_FIELDS: ReadonlyMap<string, Field> = new Map([
  ['id', 'id'],
  ['updated', 'updated'],
  ['title', 'title'],
  ['content', 'content'],
]);
const AF_FIELDS: ReadonlyMap<string, Field> = new Map([
  ['type', 'type'],
  ['sig', 'signature'],
  ['signer', 'signer'],
]);
/** The fields that decide whether and how an entry counts: each must occur once and contain only text. */
const DECISIVE: ReadonlySet<Field> = new Set<Field>(['id', 'type', 'content', 'signature', 'signer']);
const VERBATIM: ReadonlySet<Field> = new Set<Field>(['content', 'signature']);

/** Collects one entry from its elements. */
export class EntryReading {
  readonly #line: number;
  readonly #texts: { [name in Field]?: string } = {};
  #contentType: string | undefined;
  #signatureType: string | undefined;
  #hasSummary = false;
  #unknown: Set<string> | undefined;
  #flaw: string | undefined;
  /** The field that is open now. */
  #field: Field | undefined;
  #gathered = '';
  /** How many elements are open within it. */
  #nested = 0;

  constructor(line: number) {
    this.#line = line;
  }

  /** Takes a direct child of the entry, or an element within one. */
  open(element: XmlElement, isChild: boolean): void {
    if (!isChild) {
      this.disturb('an element');
      this.#nested += 1;
    } else if (element.uri === ATOM_NAMESPACE) {
      if (element.local === 'summary') this.#hasSummary = true;
      this.#begin(ATOM_FIELDS.get(element.local), element);
    } else if (element.uri === AF_NAMESPACE) {
      const field = AF_FIELDS.get(element.local);
      if (field === undefined) this.#unknown = (this.#unknown ?? new Set()).add(element.local);
      this.#begin(field, element);
    }
  }

  wantsText(): boolean {
    return this.#field !== undefined && this.#nested === 0;
  }

  text(text: string): void {
    if (this.wantsText()) this.#gathered += text;
  }

  /** Takes something other than text. Readers that join or skip it would see different texts. */
  disturb(what: string): void {
    if (this.#field !== undefined && DECISIVE.has(this.#field))
      this.#flaw ??= `Its ${nameOf(this.#field)} holds ${what}.`;
  }

  close(isChild: boolean): void {
    if (!isChild) {
      this.#nested -= 1;
      return;
    }
    if (this.#field === undefined) return;
    // The first of several counts. If that would decide anything, the entry is flawed.
    this.#texts[this.#field] ??= VERBATIM.has(this.#field) ? this.#gathered : trimXml(this.#gathered);
    this.#field = undefined;
  }

  finish(): DecodedEntry {
    const line = this.#line;
    const texts = this.#texts;
    const contentType = this.#contentType;
    const signatureType = this.#signatureType;
    const hasSummary = this.#hasSummary;
    const flaw = this.#flaw;
    return {
      line,
      ...texts,
      ...(contentType !== undefined && { contentType }),
      ...(signatureType !== undefined && { signatureType }),
      hasSummary,
      unknownElements: [...(this.#unknown ?? [])],
      ...(flaw !== undefined && { flaw }),
    };
  }

  #begin(field: Field | undefined, element: XmlElement): void {
    this.#field = field;
    this.#gathered = '';
    if (field === undefined) return;
    if (this.#texts[field] !== undefined && DECISIVE.has(field))
      this.#flaw ??= `It has more than one ${nameOf(field)}.`;
    if (field === 'content') this.#contentType ??= element.attribute('type');
    if (field === 'signature') this.#signatureType ??= element.attribute('type');
  }
}

/** The name in the document. */
function nameOf(field: Field): string {
  if (field === 'signature') return 'af:sig';
  return field === 'type' || field === 'signer' ? `af:${field}` : field;
}
