/**
 * A scanner for XML 1.0 with namespaces and without DOCTYPE, over a text with valid characters and normalized line ends.
 *
 * It searches for the next mark instead of reading every character, because most of a feed is text, and speed matters.
 *
 * Spec: https://www.w3.org/TR/xml/
 */

import { isForbiddenBinding, NamespaceScope, type QualifiedName, ROOT_SCOPE, xmlNameAt } from './xml-names.ts';
import { checkReferences, isXmlSpace, resolveReferences, skipSpace, XmlFlaw } from './xml-text.ts';

const SLASH = 0x2f;
const GREATER = 0x3e;
const BANG = 0x21;
const QUESTION = 0x3f;
const EQUALS = 0x3d;
const DECLARATION =
  /<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(?:"1\.\d"|'1\.\d')(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(?:"([A-Za-z][\w.-]{0,39})"|'([A-Za-z][\w.-]{0,39})'))?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*\?>/y;

const NOT_ASCII = /[^\0-\x7F]/;
/** For more attributes than this, a set finds a name faster than a linear search. */
const FEW = 8;

export interface ScannedAttribute extends QualifiedName {
  readonly value: string;
}

export interface ScannedElement {
  readonly local: string;
  readonly uri: string;
  readonly attributes: readonly ScannedAttribute[];
}

export interface ScannerHandlers {
  /** Whether the next text is needed. Otherwise it is only checked. */
  wantsText(): boolean;
  /** Called at the name of an element, before its attributes are read. */
  enter(depth: number): void;
  /** Called after each attribute. */
  attribute(count: number): void;
  open(element: ScannedElement, depth: number, line: number): void;
  close(depth: number): void;
  text(text: string): void;
  cdata(text: string): void;
  comment(): void;
  processingInstruction(): void;
}

interface OpenElement {
  readonly name: string;
  readonly scope: NamespaceScope;
}

/** One pass over one text. Throws an {@link XmlFlaw} if it is not well formed, and whatever a handler throws. */
export class XmlScanner {
  readonly #xml: string;
  readonly #handlers: ScannerHandlers;
  readonly #open: OpenElement[] = [];
  #hasRoot = false;
  #at = 0;
  #lines = 1;
  #nextLineEnd: number;

  constructor(xml: string, handlers: ScannerHandlers) {
    this.#xml = xml;
    this.#handlers = handlers;
    this.#nextLineEnd = xml.indexOf('\n');
  }

  /** The line that is being read, from 1. */
  get line(): number {
    while (this.#nextLineEnd !== -1 && this.#nextLineEnd < this.#at) {
      this.#lines += 1;
      this.#nextLineEnd = this.#xml.indexOf('\n', this.#nextLineEnd + 1);
    }
    return this.#lines;
  }

  scan(): void {
    const xml = this.#xml;
    if (xml.startsWith('\uFEFF')) this.#at = 1;
    if (xml.startsWith('<?xml', this.#at) && isXmlSpace(xml.charCodeAt(this.#at + 5))) this.#declaration();
    for (;;) {
      const mark = xml.indexOf('<', this.#at);
      this.#text(mark === -1 ? xml.length : mark);
      if (mark === -1) break;
      const next = xml.charCodeAt(mark + 1);
      if (next === SLASH) this.#closeTag();
      else if (next === BANG) this.#special();
      else if (next === QUESTION) this.#instruction();
      else this.#openTag();
    }
    if (this.#open.length > 0) throw new XmlFlaw(`"${this.#open.at(-1)?.name}" does not end`);
    if (!this.#hasRoot) throw new XmlFlaw('no element');
  }

  #declaration(): void {
    DECLARATION.lastIndex = this.#at;
    const match = DECLARATION.exec(this.#xml);
    if (match === null) throw new XmlFlaw('a wrong XML declaration');
    const encoding = (match[1] ?? match[2] ?? 'utf-8').toLowerCase();
    // A reader that trusts the declaration would see another text than we do.
    if (encoding !== 'utf-8' && !(encoding === 'us-ascii' && !NOT_ASCII.test(this.#xml))) {
      throw new XmlFlaw(`it says that it is in "${encoding}", and only UTF-8 is read`);
    }
    this.#at += match[0].length;
  }

  #text(end: number): void {
    const xml = this.#xml;
    const at = this.#at;
    if (end === at) return;
    if (this.#open.length === 0) {
      if (skipSpace(xml, at) < end) throw new XmlFlaw('text outside of the root');
    } else {
      const text = xml.slice(at, end);
      if (text.includes(']]>')) throw new XmlFlaw('"]]>" in text');
      if (this.#handlers.wantsText()) this.#handlers.text(resolveReferences(text));
      else checkReferences(text);
    }
    this.#at = end;
  }

  #openTag(): void {
    const name = xmlNameAt(this.#xml, this.#at + 1);
    if (name === undefined) throw new XmlFlaw('no name after "<"');
    if (this.#open.length === 0 && this.#hasRoot) throw new XmlFlaw('a second root');
    this.#hasRoot = true;
    const { line } = this;
    const depth = this.#open.length + 1;
    this.#handlers.enter(depth);
    this.#at += 1 + name.name.length;
    const attributes = this.#attributes();
    const isEmpty = this.#xml.charCodeAt(this.#at) === SLASH;
    if (isEmpty) this.#at += 1;
    if (this.#xml.charCodeAt(this.#at) !== GREATER) throw new XmlFlaw(`the tag "${name.name}" does not end`);
    this.#at += 1;
    const scope = scopeWith(attributes, this.#open.at(-1)?.scope ?? ROOT_SCOPE);
    this.#handlers.open({ local: name.local, uri: uriOf(name, scope), attributes }, depth, line);
    if (isEmpty) this.#handlers.close(depth);
    else this.#open.push({ name: name.name, scope });
  }

  #attributes(): readonly ScannedAttribute[] {
    const xml = this.#xml;
    const attributes: ScannedAttribute[] = [];
    let seen: Set<string> | undefined;
    for (;;) {
      const start = skipSpace(xml, this.#at);
      const name = start === this.#at ? undefined : xmlNameAt(xml, start);
      this.#at = start;
      if (name === undefined) return attributes;
      const equals = skipSpace(xml, start + name.name.length);
      if (xml.charCodeAt(equals) !== EQUALS) throw new XmlFlaw(`the attribute "${name.name}" has no value`);
      const quoteAt = skipSpace(xml, equals + 1);
      const quote = xml.charAt(quoteAt);
      const end = quote === '"' || quote === "'" ? xml.indexOf(quote, quoteAt + 1) : -1;
      const raw = xml.slice(quoteAt + 1, end);
      if (end === -1 || raw.includes('<')) throw new XmlFlaw(`the value of "${name.name}" does not end`);
      if (attributes.length === FEW) seen = new Set(attributes.map((other) => other.name));
      const isKnown = seen?.has(name.name) ?? attributes.some((other) => other.name === name.name);
      if (isKnown) throw new XmlFlaw(`"${name.name}" twice`);
      seen?.add(name.name);
      attributes.push({ name: name.name, prefix: name.prefix, local: name.local, value: attributeValue(raw) });
      this.#at = end + 1;
      this.#handlers.attribute(attributes.length);
    }
  }

  #closeTag(): void {
    const xml = this.#xml;
    const at = this.#at;
    const name = this.#open.pop()?.name;
    if (name === undefined || !xml.startsWith(name, at + 2)) throw new XmlFlaw('a closing tag that nothing opens');
    const end = skipSpace(xml, at + 2 + name.length);
    if (xml.charCodeAt(end) !== GREATER) throw new XmlFlaw('a closing tag that nothing opens');
    this.#at = end + 1;
    this.#handlers.close(this.#open.length + 1);
  }

  /** A comment or CDATA; anything else that begins like them belongs to a DOCTYPE. */
  #special(): void {
    const xml = this.#xml;
    const at = this.#at;
    if (xml.startsWith('<!--', at)) {
      const end = xml.indexOf('--', at + 4);
      if (end === -1 || xml.charCodeAt(end + 2) !== GREATER) throw new XmlFlaw('a comment that does not end');
      this.#at = end + 3;
      this.#handlers.comment();
    } else if (this.#open.length > 0 && xml.startsWith('<![CDATA[', at)) {
      const end = xml.indexOf(']]>', at + 9);
      if (end === -1) throw new XmlFlaw('CDATA that does not end');
      this.#at = end + 3;
      this.#handlers.cdata(xml.slice(at + 9, end));
    } else {
      throw new XmlFlaw('markup that does not belong here');
    }
  }

  #instruction(): void {
    const xml = this.#xml;
    const at = this.#at;
    const name = xmlNameAt(xml, at + 2);
    if (name === undefined || name.prefix !== '' || name.local.toLowerCase() === 'xml') {
      throw new XmlFlaw('a processing instruction without a name of its own');
    }
    const start = at + 2 + name.name.length;
    const end = xml.indexOf('?>', start);
    if (end === -1 || (end > start && !isXmlSpace(xml.charCodeAt(start)))) {
      throw new XmlFlaw('a processing instruction that does not end');
    }
    this.#at = end + 2;
    this.#handlers.processingInstruction();
  }
}

function attributeValue(raw: string): string {
  return resolveReferences(
    raw.includes('\n') || raw.includes('\t') ? raw.replaceAll('\n', ' ').replaceAll('\t', ' ') : raw,
  );
}

/** The scope of an element with these attributes. No two of them may have the same expanded name. */
function scopeWith(attributes: readonly ScannedAttribute[], outer: NamespaceScope): NamespaceScope {
  let bindings: Map<string, string> | undefined;
  let qualified = 0;
  for (const { prefix, local, name, value } of attributes) {
    if (name !== 'xmlns' && prefix !== 'xmlns') {
      if (prefix !== '') qualified += 1;
      continue;
    }
    const bound = prefix === '' ? '' : local;
    if (isForbiddenBinding(bound, value)) throw new XmlFlaw(`a declaration of "${name}" that is not allowed`);
    bindings ??= new Map();
    bindings.set(bound, value);
  }
  const scope = bindings === undefined ? outer : new NamespaceScope(bindings, outer);
  if (qualified > 0) refuseSameMeaning(attributes, scope);
  return scope;
}

function refuseSameMeaning(attributes: readonly ScannedAttribute[], scope: NamespaceScope): void {
  const seen = new Set<string>();
  for (const attribute of attributes) {
    if (attribute.prefix === '' || attribute.prefix === 'xmlns') continue;
    const meaning = `${attribute.local} ${uriOf(attribute, scope)}`;
    if (seen.has(meaning)) throw new XmlFlaw(`"${attribute.name}" twice`);
    seen.add(meaning);
  }
}

function uriOf({ prefix, name }: QualifiedName, scope: NamespaceScope): string {
  const uri = scope.uriOf(prefix);
  if (uri === undefined) throw new XmlFlaw(`the prefix of "${name}" is not declared`);
  return uri;
}
