/** XML text: references, valid characters and line ends. */

const AMPERSAND = 0x26;
const HASH = 0x23;
const SMALL_X = 0x78;
const SEMICOLON = 0x3b;
const RETURN = 0x0d;
const LINE_FEED = 0x0a;
const MAX_DIGITS = 20;
const ENTITIES: readonly (readonly [name: string, code: number])[] = [
  ['amp;', 0x26],
  ['lt;', 0x3c],
  ['gt;', 0x3e],
  ['quot;', 0x22],
  ['apos;', 0x27],
];
const ENTITY_LIKE = /#?\w{0,50};/y;
/** How many units are turned into a string at once. */
const CHUNK = 8192;
/** Up to this length, copying units is faster than slicing a string. */
const SHORT_RUN = 24;
/** Shared, because one text is made at a time, and an array for each of many short texts would be expensive. */
const UNITS = new Uint16Array(CHUNK);

/** Thrown if a text is not well formed. The caller that reads the document knows the line. */
export class XmlFlaw extends Error {
  override readonly name = 'XmlFlaw';
}

/** Builds a string from UTF-16 units, so that many references or line ends do not cost an object each. */
class UnitText {
  readonly #pieces: string[] = [];
  #size = 0;

  add(unit: number): void {
    if (this.#size === CHUNK) this.#flush();
    UNITS[this.#size] = unit;
    this.#size += 1;
  }

  addRun(text: string, start: number, end: number): void {
    if (end - start > SHORT_RUN) {
      this.#flush();
      this.#pieces.push(text.slice(start, end));
    } else {
      for (let at = start; at < end; at += 1) this.add(text.charCodeAt(at));
    }
  }

  toString(): string {
    this.#flush();
    return this.#pieces.length === 1 ? (this.#pieces[0] ?? '') : this.#pieces.join('');
  }

  #flush(): void {
    if (this.#size === 0) return;
    this.#pieces.push(String.fromCharCode(...UNITS.subarray(0, this.#size)));
    this.#size = 0;
  }
}

/** Resolves the references. Without a DOCTYPE, XML has only five entities. */
export function resolveReferences(text: string): string {
  let mark = text.indexOf('&');
  if (mark === -1) return text;
  const resolved = new UnitText();
  let at = 0;
  while (mark !== -1) {
    resolved.addRun(text, at, mark);
    const code = codeAt(text, mark);
    if (code > 0xffff) {
      resolved.add(0xd800 + ((code - 0x1_0000) >> 10));
      resolved.add(0xdc00 + ((code - 0x1_0000) & 0x3ff));
    } else {
      resolved.add(code);
    }
    at = endOfReference;
    // Where references are frequent, they mostly follow each other directly.
    mark = text.charCodeAt(at) === AMPERSAND ? at : text.indexOf('&', at);
  }
  resolved.addRun(text, at, text.length);
  return resolved.toString();
}

/** Only checks the references, for text that nobody needs. */
export function checkReferences(text: string): void {
  for (let mark = text.indexOf('&'); mark !== -1; mark = text.indexOf('&', endOfReference)) codeAt(text, mark);
}

/** Every line ends with one line feed, however it was written. */
export function withLineFeeds(xml: string): string {
  let mark = xml.indexOf('\r');
  if (mark === -1) return xml;
  const normal = new UnitText();
  let at = 0;
  while (mark !== -1) {
    normal.addRun(xml, at, mark);
    normal.add(LINE_FEED);
    at = xml.charCodeAt(mark + 1) === LINE_FEED ? mark + 2 : mark + 1;
    mark = xml.charCodeAt(at) === RETURN ? at : xml.indexOf('\r', at);
  }
  normal.addRun(xml, at, xml.length);
  return normal.toString();
}

/** The end of the last reference that was read. Returning it would cost an object for each of millions. */
let endOfReference = 0;

/** The character of the reference at a position. */
function codeAt(text: string, mark: number): number {
  if (text.charCodeAt(mark + 1) === HASH) return numberAt(text, mark);
  for (const [name, code] of ENTITIES) {
    if (!text.startsWith(name, mark + 1)) continue;
    endOfReference = mark + 1 + name.length;
    return code;
  }
  throw unknownReference(text, mark);
}

function numberAt(text: string, mark: number): number {
  const isHex = text.charCodeAt(mark + 2) === SMALL_X;
  const start = mark + (isHex ? 3 : 2);
  let code = 0;
  let at = start;
  for (; at - start <= MAX_DIGITS; at += 1) {
    const digit = digitOf(text.charCodeAt(at));
    if (digit >= (isHex ? 16 : 10)) break;
    // Beyond Unicode the exact value does not matter.
    code = Math.min(code * (isHex ? 16 : 10) + digit, 0x11_0000);
  }
  if (at === start || at - start > MAX_DIGITS || text.charCodeAt(at) !== SEMICOLON) throw unknownReference(text, mark);
  if (!isCharacter(code)) throw new XmlFlaw('the number of no character');
  endOfReference = at + 1;
  return code;
}

/** At least 16 if it is not a digit. */
function digitOf(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x66 && unit < 0x80 ? letter - 0x57 : 16;
}

function unknownReference(text: string, mark: number): XmlFlaw {
  ENTITY_LIKE.lastIndex = mark + 1;
  return new XmlFlaw(ENTITY_LIKE.test(text) ? 'an undefined entity' : 'a bare ampersand');
}

function isCharacter(code: number): boolean {
  return (
    code === 0x09 ||
    code === 0x0a ||
    code === 0x0d ||
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    (code >= 0x1_0000 && code <= 0x10_ffff)
  );
}

/** Line ends are already normalized: there is no carriage return. */
export function isXmlSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x09;
}

/** The end of the white space that begins at a position. */
export function skipSpace(xml: string, start: number): number {
  let at = start;
  while (isXmlSpace(xml.charCodeAt(at))) at += 1;
  return at;
}
