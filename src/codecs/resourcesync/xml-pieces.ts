import { SaxesParser } from 'saxes';
import { shorten } from '../primitives/shorten.ts';
import {
  type ElementName,
  ElementScope,
  malformedXml,
  type PiecesAttribute,
  type PiecesAttributes,
} from './element-scope.ts';
import { DocumentFlaw, FORM, LIMIT } from './issue.ts';

export interface PiecesHandlers {
  /** `depth` is 1 for the root. */
  open(name: ElementName, attributes: PiecesAttributes, depth: number): void;
  /** `depth` is that of the element that ends. */
  close(depth: number): void;
  /** Character data and CDATA. Adjacent pieces belong together. */
  text(text: string, depth: number): void;
}

/** A document with every known extension is 5 levels deep. The parser's time is quadratic in depth. */
const MAX_DEPTH = 32;
const MAX_ATTRIBUTES = 64;
const ROOT = new ElementScope();
const UTF_8 = /^(?:utf-?8|us-ascii|ascii)$/i;

/**
 * Well-formed XML with namespaces that arrives in pieces, without anything that a hostile document could use: no DOCTYPE, and so no
 * entities except the five of XML; no deep nesting; a limited number of characters per part.
 *
 * Namespaces are resolved here, because the parser would need a third of its time for that. More handlers than these would turn its
 * object into a dictionary, which is five times slower.
 *
 * Throws a {@link DocumentFlaw} if the XML is invalid, and whatever a handler throws. It cannot be used after that.
 */
export class XmlPieces {
  readonly #parser = new SaxesParser({ xmlns: false, defaultXMLVersion: '1.0', forceXMLVersion: true });
  readonly #maxPartCharacters: number;
  readonly #scopes: ElementScope[] = [];
  /** The attributes of the tag that is being read. */
  #attributes: PiecesAttribute[] = [];
  #hasPrefix = false;
  #written = 0;
  #partStart = 0;

  constructor(handlers: PiecesHandlers, maxPartCharacters: number) {
    this.#maxPartCharacters = maxPartCharacters;
    const parser = this.#parser;
    parser.on('error', ({ message }) => {
      throw malformedXml(shorten(message.replace(/^\d+:\d+: |\.$/g, '')));
    });
    parser.on('doctype', refuseDoctype);
    parser.on('attribute', (attribute) => {
      this.#attributes.push(attribute);
      this.#hasPrefix ||= attribute.name.includes(':') || attribute.name === 'xmlns';
      if (this.#attributes.length > MAX_ATTRIBUTES) {
        throw new DocumentFlaw(LIMIT, `An element has more than ${MAX_ATTRIBUTES} attributes.`);
      }
    });
    parser.on('opentag', ({ name }) => {
      const depth = this.#scopes.length + 1;
      if (depth > MAX_DEPTH) throw new DocumentFlaw(LIMIT, `Its elements are nested deeper than ${MAX_DEPTH}.`);
      if (depth === 1) checkEncoding(parser.xmlDecl.encoding);
      const attributes = this.#attributes;
      const outer = this.#scopes[depth - 2] ?? ROOT;
      const scope = this.#hasPrefix ? outer.with(attributes) : outer;
      const meant = this.#hasPrefix ? scope.meant(attributes) : attributes;
      if (attributes.length > 0) this.#attributes = [];
      this.#hasPrefix = false;
      this.#scopes.push(scope);
      handlers.open(scope.nameOf(name), meant, depth);
    });
    parser.on('closetag', () => {
      handlers.close(this.#scopes.length);
      this.#scopes.pop();
    });
    parser.on('text', (text) => handlers.text(text, this.#scopes.length));
    parser.on('cdata', (text) => handlers.text(text, this.#scopes.length));
  }

  /** The line that is being read, from 1. */
  get line(): number {
    return this.#parser.line;
  }

  /** How many characters were read. Valid only inside a handler, not between two pieces. */
  get position(): number {
    return this.#parser.position;
  }

  /** A piece should not be much larger than the limit of a part, because the limit is checked after the piece was read. */
  write(piece: string): void {
    this.#written += piece.length;
    this.#parser.write(piece);
    this.#checkPart(this.#written);
  }

  end(): void {
    this.#parser.close();
  }

  /** Call it where a part of the document ends. Each part has its own limit. */
  endPart(): void {
    const { position } = this;
    this.#checkPart(position);
    this.#partStart = position;
  }

  #checkPart(end: number): void {
    if (end - this.#partStart <= this.#maxPartCharacters) return;
    throw new DocumentFlaw(
      LIMIT,
      `An entry, or what stands between two, is over ${this.#maxPartCharacters} characters.`,
    );
  }
}

function checkEncoding(encoding: string | undefined): void {
  if (encoding === undefined || UTF_8.test(encoding)) return;
  throw new DocumentFlaw(FORM, `It is in "${shorten(encoding)}"; only UTF-8 is read.`);
}

function refuseDoctype(): never {
  throw new DocumentFlaw(FORM, 'It has a DOCTYPE, which is not read.');
}
