/** RFC 4287. Two formats use it. */
export const ATOM_NAMESPACE = 'http://www.w3.org/2005/Atom';

/**
 * Names and namespaces of XML.
 *
 * Spec: https://www.w3.org/TR/xml-names/
 */

const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';
const XMLNS_NAMESPACE = 'http://www.w3.org/2000/xmlns/';

const START =
  'A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F' +
  '\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
/** The limit bounds the time and the stack of the expression. */
const NAME = `[${START}][${START}\\-.0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040]{0,255}`;
const QUALIFIED_NAME = new RegExp(`(?:(${NAME}):)?(${NAME})`, 'uy');

export interface QualifiedName {
  /** As written. */
  readonly name: string;
  readonly prefix: string;
  readonly local: string;
}

/** The name at a position, or undefined. The caller checks what follows it. */
export function xmlNameAt(xml: string, at: number): QualifiedName | undefined {
  const end = endOfAsciiName(xml, at);
  if (end === undefined) return anyNameAt(xml, at);
  if (end === at) return undefined;
  const name = xml.slice(at, end);
  if (xml.charCodeAt(end) !== COLON) return { name, prefix: '', local: name };
  const localEnd = endOfAsciiName(xml, end + 1);
  if (localEnd === undefined) return anyNameAt(xml, at);
  if (localEnd === end + 1) return { name, prefix: '', local: name };
  return { name: xml.slice(at, localEnd), prefix: name, local: xml.slice(end + 1, localEnd) };
}

const COLON = 0x3a;
const MAX_NAME = 256;
const ASCII_NAME: readonly boolean[] = Array.from({ length: 128 }, (_, unit) =>
  /[\w.-]/.test(String.fromCharCode(unit)),
);
const ASCII_START: readonly boolean[] = Array.from({ length: 128 }, (_, unit) =>
  /[A-Za-z_]/.test(String.fromCharCode(unit)),
);

/** The start itself if no name begins there. Undefined if non-ASCII letters or the length require the regular expression. */
function endOfAsciiName(xml: string, start: number): number | undefined {
  const first = xml.charCodeAt(start);
  if (first > 0x7f) return undefined;
  if (ASCII_START[first] !== true) return start;
  let at = start + 1;
  while (ASCII_NAME[xml.charCodeAt(at)] === true) at += 1;
  return xml.charCodeAt(at) > 0x7f || at - start > MAX_NAME ? undefined : at;
}

function anyNameAt(xml: string, at: number): QualifiedName | undefined {
  QUALIFIED_NAME.lastIndex = at;
  const match = QUALIFIED_NAME.exec(xml);
  return match === null ? undefined : { name: match[0], prefix: match[1] ?? '', local: match[2] ?? '' };
}

/** The meaning of prefixes within one element. Scopes are linked, not copied, because a hostile document could have thousands. */
export class NamespaceScope {
  readonly #parent: NamespaceScope | undefined;
  readonly #bindings: ReadonlyMap<string, string>;

  constructor(bindings: ReadonlyMap<string, string>, parent?: NamespaceScope) {
    this.#bindings = bindings;
    this.#parent = parent;
  }

  /** Undefined if the prefix is not declared. */
  uriOf(prefix: string): string | undefined {
    return this.#bindings.get(prefix) ?? this.#parent?.uriOf(prefix);
  }
}

export const ROOT_SCOPE = new NamespaceScope(
  new Map([
    ['', ''],
    ['xml', XML_NAMESPACE],
  ]),
);

/** Whether the specification forbids a declaration: of `xml`, of `xmlns`, or an empty one. */
export function isForbiddenBinding(prefix: string, uri: string): boolean {
  if (prefix === 'xml') return uri !== XML_NAMESPACE;
  return prefix === 'xmlns' || uri === XML_NAMESPACE || uri === XMLNS_NAMESPACE || (uri === '' && prefix !== '');
}
