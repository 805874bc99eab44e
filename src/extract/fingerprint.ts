import { hash } from 'node:crypto';
import { collapseSpace } from './collapse-space.ts';

/** Characters that show nothing: soft hyphen, zero-width space and joiners, direction marks, byte order mark. */
const INVISIBLE = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]/g;
/** A code point that Unicode keeps free of characters, so no text holds it. */
const LINK = '\uFDD0';
/** Another such one, before a word for what an author did to the text. */
const EDIT = '\uFDD1';
const LETTER_OR_DIGIT = /[\p{L}\p{N}\p{M}]/u;

export function fingerprintOf(text: string): string {
  return `sha256:${hash('sha256', text, 'hex')}`;
}

export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

/** Text as it counts for comparing: NFC, single spaces, nothing invisible. */
export function normalizeText(text: string): string {
  return collapseSpace(nfc(withoutInvisible(text))).trim();
}

/** More marks on one letter than any language has. */
const MANY_MARKS = /\p{M}{31,}/gu;
/** Where that may stand: all marks are beyond these letters. */
const LONG_BEYOND_LATIN = /[\u0300-\uFFFF]{31}/;
/** It stands between marks and keeps them from being put in order. */
const GRAPHEME_JOINER = '\u034F';

/** NFC in linear time: putting marks in order is quadratic in their number (UAX #15, Stream-Safe Text Format). */
export function nfc(text: string): string {
  if (!LONG_BEYOND_LATIN.test(text)) return text.normalize('NFC');
  const joined = (run: string) => run.replace(/.{30}/gsu, `$&${GRAPHEME_JOINER}`);
  return text.replace(MANY_MARKS, joined).normalize('NFC');
}

/**
 * The words of a section as they are fingerprinted.
 *
 * White space counts inside a text and is settled at the edge of every tag: two words there are two words, whether
 * or not the source has a space between, because formatters and themes put it and take it away at will.
 */
export class ComparableText {
  readonly #pieces: string[] = [];
  #breakPending = false;
  #glued = false;
  #lineEnds = 0;

  /** How many lines have begun. */
  get lines(): number {
    return this.#pieces.length === 0 ? 0 : this.#lineEnds + 1;
  }

  isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  /** A text node, or a part of one. */
  words(raw: string): void {
    const text = collapseSpace(withoutInvisible(raw));
    this.#put(this.#glued ? text : text.trim());
    this.#glued = false;
  }

  /** The next words continue the last one: a soft break, or a highlighter's span, stood between. */
  glue(): void {
    this.#glued = true;
  }

  /** A paragraph, item or row begins or ends here. Several in a row are one. */
  breakLine(): void {
    this.#breakPending = this.#pieces.length > 0;
    this.#glued = false;
  }

  /** The border of a table cell counts even where the cell is empty. */
  cell(): void {
    this.#sign('|');
  }

  /** Where the words just put lead. */
  link(target: string): void {
    this.#sign(`${LINK}${target}${LINK}`);
  }

  /** What an author does to words without changing them: strikes them out, numbers them, ticks them off. */
  editSign(name: string): void {
    this.#sign(`${EDIT}${name}${EDIT}`);
  }

  /** Lines of code: spaces and line ends are part of what they say. */
  code(lines: string): void {
    if (lines === '') return;
    this.breakLine();
    this.#flushBreak();
    this.#pieces.push('```', withoutInvisible(lines), '```');
    this.#lineEnds += lines.split('\n').length - 1;
    this.breakLine();
  }

  toString(): string {
    return nfc(this.#pieces.join(''));
  }

  /** The same without where links lead and what was done to the words. */
  wordsAlone(): string {
    const words = this.#pieces.filter((piece) => !piece.startsWith(LINK) && !piece.startsWith(EDIT));
    return nfc(words.join(''));
  }

  #sign(sign: string): void {
    this.#flushBreak();
    this.#pieces.push(sign);
  }

  #put(text: string): void {
    if (text === '') return;
    const last = this.#pieces.at(-1);
    if (this.#breakPending) this.#flushBreak();
    else if (
      !this.#glued &&
      last !== undefined &&
      isWordCode(last.charCodeAt(last.length - 1)) &&
      isWordCode(text.charCodeAt(0))
    )
      this.#pieces.push(' ');
    this.#pieces.push(text);
  }

  #flushBreak(): void {
    if (this.#breakPending) {
      this.#pieces.push('\n');
      this.#lineEnds += 1;
    }
    this.#breakPending = false;
  }
}

/** Takes all that is said and keeps nothing: for those who only read. */
export class UncomparedText extends ComparableText {
  override words(): void {}
  override glue(): void {}
  override breakLine(): void {}
  override cell(): void {}
  override link(): void {}
  override editSign(): void {}
  override code(): void {}
}

/** Letters beyond the basic plane count as signs: they only decide whether a space is put between two texts. */
function isWordCode(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
  return LETTER_OR_DIGIT.test(String.fromCharCode(code));
}
