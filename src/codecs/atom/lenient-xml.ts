/**
 * A scanner for XML as feeds contain it. It tolerates errors whose meaning is certain, and stops at all others.
 *
 * It accepts bare ampersands, the named characters of HTML, control characters, undeclared prefixes, `--` in comments, and a DOCTYPE
 * without declarations. It refuses mismatched tags, attributes without quotes, and a missing end. It expands no entities of the document.
 */

import { NamespaceScope, type QualifiedName, ROOT_SCOPE, xmlNameAt } from '../primitives/xml-names.ts';
import { resolveCharacters } from './html-entities.ts';

export interface LenientElement extends QualifiedName {
  /** Undefined if the prefix is not declared. */
  readonly uri: string | undefined;
  /** By name as written, in lower case. */
  readonly attributes: ReadonlyMap<string, string>;
}

export interface LenientHandlers {
  open(element: LenientElement, depth: number): void;
  close(depth: number): void;
  /** With references resolved, or from CDATA. Neighbouring pieces belong together. */
  text(text: string): void;
}

/** Thrown when the scanner cannot continue. */
export class LenientFlaw extends Error {
  override readonly name = 'LenientFlaw';
}

const SLASH = 0x2f;
const GREATER = 0x3e;
const BANG = 0x21;
const QUESTION = 0x3f;
const ATTRIBUTE = /\s*([^\s=<>"'/]{1,255})\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
const SPACE = /\s*/y;
const MAX_DOCTYPE = 2000;
/** A DOCTYPE ends at the first `>` outside quotes; a bracket before that begins declarations. */
const DOCTYPE = /<!doctype(?:[^<>[\]"']|"[^"]*"|'[^']*')*>/iy;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]+/g;

/** One pass over one text, until its root ends; the rest is ignored. */
export class LenientXml {
  readonly #xml: string;
  readonly #handlers: LenientHandlers;
  readonly #maxAttributes: number;
  readonly #open: { readonly name: string; readonly scope: NamespaceScope }[] = [];
  #at = 0;

  constructor(xml: string, maxAttributes: number, handlers: LenientHandlers) {
    this.#xml = xml;
    this.#maxAttributes = maxAttributes;
    this.#handlers = handlers;
  }

  /** The current line, from 1. Each call counts from the start, so call it rarely. */
  get line(): number {
    return this.#xml.slice(0, this.#at).split(/\r\n?|\n/).length;
  }

  /** Throws a {@link LenientFlaw}, and whatever a handler throws. */
  scan(): void {
    const xml = this.#xml;
    for (let isBefore = true; isBefore || this.#open.length > 0; ) {
      const mark = xml.indexOf('<', this.#at);
      if (mark === -1) {
        this.#at = xml.length;
        throw new LenientFlaw(isBefore ? 'no element' : `"${this.#open.at(-1)?.name}" does not end`);
      }
      if (!isBefore && mark > this.#at) this.#handlers.text(decodedText(xml.slice(this.#at, mark)));
      this.#at = mark;
      const next = xml.charCodeAt(mark + 1);
      if (next === BANG) this.#special(isBefore);
      else if (next === QUESTION) this.#skipTo('?>', 2, 'a processing instruction');
      else if (next === SLASH) this.#closeTag();
      else {
        this.#openTag();
        isBefore = false;
      }
    }
  }

  #special(isBefore: boolean): void {
    const xml = this.#xml;
    const at = this.#at;
    if (xml.startsWith('<!--', at)) {
      this.#skipTo('-->', 4, 'a comment');
    } else if (!isBefore && xml.startsWith('<![CDATA[', at)) {
      const end = this.#skipTo(']]>', 9, 'CDATA');
      this.#handlers.text(cleanText(xml.slice(at + 9, end)));
    } else if (isBefore && /^<!doctype/i.test(xml.slice(at, at + 9))) {
      DOCTYPE.lastIndex = at;
      const match = DOCTYPE.exec(xml.slice(0, at + MAX_DOCTYPE));
      if (match === null) throw new LenientFlaw('a DOCTYPE with declarations, which are not read');
      this.#at += match[0].length;
    } else {
      throw new LenientFlaw('markup that does not belong here');
    }
  }

  /** Where the end mark begins. */
  #skipTo(end: string, from: number, what: string): number {
    const found = this.#xml.indexOf(end, this.#at + from);
    if (found === -1) throw new LenientFlaw(`${what} that does not end`);
    this.#at = found + end.length;
    return found;
  }

  #openTag(): void {
    const xml = this.#xml;
    const name = xmlNameAt(xml, this.#at + 1);
    if (name === undefined) throw new LenientFlaw('a "<" that begins nothing');
    this.#at += 1 + name.name.length;
    const attributes = this.#attributes();
    const isEmpty = xml.charCodeAt(this.#at) === SLASH;
    if (xml.charCodeAt(isEmpty ? this.#at + 1 : this.#at) !== GREATER) {
      throw new LenientFlaw(`the tag "${name.name.slice(0, 50)}" is not as it should be`);
    }
    this.#at += isEmpty ? 2 : 1;
    const scope = scopeWith(attributes, this.#open.at(-1)?.scope ?? ROOT_SCOPE);
    this.#open.push({ name: name.name, scope });
    this.#handlers.open({ ...name, uri: scope.uriOf(name.prefix), attributes }, this.#open.length);
    if (isEmpty) this.#end();
  }

  #attributes(): ReadonlyMap<string, string> {
    const attributes = new Map<string, string>();
    for (;;) {
      ATTRIBUTE.lastIndex = this.#at;
      const match = ATTRIBUTE.exec(this.#xml);
      if (match === null) break;
      const [whole, name = '', double, single = ''] = match;
      // Of two attributes with the same name the first counts, as in HTML.
      if (!attributes.has(name.toLowerCase())) attributes.set(name.toLowerCase(), decodedText(double ?? single));
      if (attributes.size > this.#maxAttributes) {
        throw new LenientFlaw(`an element with more than ${this.#maxAttributes} attributes`);
      }
      this.#at += whole.length;
    }
    this.#skipSpace();
    return attributes;
  }

  #closeTag(): void {
    const name = this.#open.at(-1)?.name ?? '';
    const isMatch = name !== '' && this.#xml.startsWith(name, this.#at + 2);
    if (isMatch) {
      this.#at += 2 + name.length;
      this.#skipSpace();
    }
    if (!isMatch || this.#xml.charCodeAt(this.#at) !== GREATER) {
      throw new LenientFlaw(`a closing tag that is not that of "${name.slice(0, 50)}"`);
    }
    this.#at += 1;
    this.#end();
  }

  #end(): void {
    this.#handlers.close(this.#open.length);
    this.#open.pop();
  }

  #skipSpace(): void {
    SPACE.lastIndex = this.#at;
    this.#at += SPACE.exec(this.#xml)?.[0].length ?? 0;
  }
}

function scopeWith(attributes: ReadonlyMap<string, string>, outer: NamespaceScope): NamespaceScope {
  const bindings = new Map<string, string>();
  for (const [name, value] of attributes) {
    if (name === 'xmlns') bindings.set('', value.trim());
    else if (name.startsWith('xmlns:')) bindings.set(name.slice(6), value.trim());
  }
  return bindings.size === 0 ? outer : new NamespaceScope(bindings, outer);
}

function decodedText(raw: string): string {
  return cleanText(resolveCharacters(raw));
}

function cleanText(text: string): string {
  return text.replace(NOT_XML, '').replace(/\r\n?/g, '\n').toWellFormed();
}
