/**
 * Well-formed XML with namespaces, without anything that a hostile document could use.
 *
 * No DOCTYPE, and so no entities except the five of XML; no deep nesting; no more text than the caller allows.
 */

import { accept, type Result, refuse } from './result.ts';
import { type ScannedElement, XmlScanner } from './xml-scanner.ts';
import { withLineFeeds, XmlFlaw } from './xml-text.ts';

export interface XmlElement {
  /** The name without its prefix. */
  readonly local: string;
  /** The namespace, or an empty string. */
  readonly uri: string;
  /** The value of an attribute without a namespace. */
  attribute(name: string): string | undefined;
}

/** Called for the parts of a document, in order. To stop early, throw an {@link XmlStop}. */
export interface XmlHandlers {
  /** `depth` is 1 for the root; `line` is the line of its name. */
  open(element: XmlElement, depth: number, line: number): void;
  /** `depth` is that of the element that ends. */
  close(depth: number): void;
  /** Whether to call `text` for what comes next; always by default. Calling it costs more than only checking the text. */
  wantsText?(): boolean;
  /** Character data with entities resolved and line ends normalized. Adjacent pieces belong together. */
  text?(text: string): void;
  cdata?(text: string): void;
  comment?(): void;
  processingInstruction?(): void;
}

export interface XmlLimits {
  /** In UTF-16 units. */
  readonly maxCharacters: number;
  readonly maxDepth?: number;
  readonly maxAttributes?: number;
}

/** Thrown by a handler to stop reading. Its message follows the line in the refusal. */
export class XmlStop extends Error {
  override readonly name = 'XmlStop';
}

const MAX_DEPTH = 32;
const MAX_ATTRIBUTES = 32;
/** Matches characters that XML does not allow: control characters, U+FFFE and U+FFFF. */
const NO_CHARACTER = /[^\t\n\r\x20-\uFFFD]/;

/** Refuses with the given clause; the message names the line. Handlers may already have been called for the part before. */
export function readXml(xml: string, limits: XmlLimits, clause: string, handlers: XmlHandlers): Result<undefined> {
  const { maxCharacters, maxDepth = MAX_DEPTH, maxAttributes = MAX_ATTRIBUTES } = limits;
  if (xml.length > maxCharacters) return refuse(clause, `It has more than ${maxCharacters} characters.`);
  if (hasDoctype(xml)) return refuse(clause, 'It has a DOCTYPE, which is not read.');
  if (!xml.isWellFormed()) return refuse(clause, 'It holds half of a surrogate pair, which is no character.');
  if (NO_CHARACTER.test(xml)) return refuse(clause, 'It is not well-formed XML (a control character).');

  const scanner = new XmlScanner(withLineFeeds(xml), {
    wantsText: () => handlers.wantsText?.() ?? true,
    enter: (depth) => {
      if (depth > maxDepth) throw new XmlStop(`it is nested deeper than ${maxDepth}`);
    },
    attribute: (count) => {
      if (count > maxAttributes) throw new XmlStop(`an element has more than ${maxAttributes} attributes`);
    },
    open: (element, depth, line) => handlers.open(new OpenedElement(element), depth, line),
    close: (depth) => handlers.close(depth),
    text: (text) => handlers.text?.(text),
    cdata: (text) => handlers.cdata?.(text),
    comment: () => handlers.comment?.(),
    processingInstruction: () => handlers.processingInstruction?.(),
  });
  try {
    scanner.scan();
  } catch (error) {
    if (error instanceof XmlFlaw) {
      return refuse(clause, `Line ${scanner.line}: it is not well-formed XML (${error.message}).`);
    }
    if (!(error instanceof XmlStop)) throw error;
    return refuse(clause, `Line ${scanner.line}: ${error.message}.`);
  }
  return accept(undefined);
}

class OpenedElement implements XmlElement {
  readonly local: string;
  readonly uri: string;
  readonly #attributes: ScannedElement['attributes'];

  constructor({ local, uri, attributes }: ScannedElement) {
    this.local = local;
    this.uri = uri;
    this.#attributes = attributes;
  }

  attribute(name: string): string | undefined {
    return this.#attributes.find((each) => each.prefix === '' && each.local === name)?.value;
  }
}

/** Only comments, instructions and white space may precede a DOCTYPE, and each ends at its first end mark. */
function hasDoctype(xml: string): boolean {
  let at = xml.indexOf('<');
  while (at !== -1) {
    const isComment = xml.startsWith('<!--', at);
    if (!isComment && !xml.startsWith('<?', at)) break;
    const end = isComment ? xml.indexOf('-->', at + 4) : xml.indexOf('?>', at + 2);
    if (end === -1) return false;
    at = xml.indexOf('<', end);
  }
  return at !== -1 && /^<!doctype/i.test(xml.slice(at, at + 9));
}
