import { hash } from 'node:crypto';
import { collapseSpace } from './collapse-space.ts';

/** Invisible characters: soft hyphen, zero-width space and joiners, direction marks, byte order mark. */
const INVISIBLE = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]/g;
/** A code point that Unicode reserves as a non-character, so no text contains it. */
const LINK = '\uFDD0';
/** Another one, before a word for how an author edited the text. */
const EDIT = '\uFDD1';
const LETTER_OR_DIGIT = /[\p{L}\p{N}\p{M}]/u;

export function fingerprintOf(text: string): string {
  return `sha256:${hash('sha256', text, 'hex')}`;
}

export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

/** Normalizes text for comparison: NFC, single spaces, nothing invisible. */
export function normalizeText(text: string): string {
  return collapseSpace(nfc(withoutInvisible(text))).trim();
}

/** More combining marks on one letter than any language uses. */
const MANY_MARKS = /\p{M}{31,}/gu;
/** Where such a run may be: all combining marks are above these letters. */
const LONG_BEYOND_LATIN = /[\u0300-\uFFFF]{31}/;
/** Placed between combining marks, it prevents their reordering. */
const GRAPHEME_JOINER = '\u034F';

/** NFC in linear time: reordering combining marks is quadratic in their number (UAX #15, Stream-Safe Text Format). */
export function nfc(text: string): string {
  if (!LONG_BEYOND_LATIN.test(text)) return text.normalize('NFC');
  const joined = (run: string) => run.replace(/.{30}/gsu, `$&${GRAPHEME_JOINER}`);
  return text.replace(MANY_MARKS, joined).normalize('NFC');
}

/**
 * The words of a section in the form that is fingerprinted.
 *
 * White space counts inside a text but not at the edge of a tag: there, two words are two words whether or not the source has a space between them, because
 * formatters and themes add and remove it.
 */
export class ComparableText {
  readonly #pieces: string[] = [];
  #breakPending = false;
  #glued = false;
  #lineEnds = 0;

  /** The number of lines begun. */
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

  /** The next words continue the last one: only a soft break or a highlighter's span was between them. */
  glue(): void {
    this.#glued = true;
  }

  /** Begins or ends a paragraph, item or row. Several calls in a row count once. */
  breakLine(): void {
    this.#breakPending = this.#pieces.length > 0;
    this.#glued = false;
  }

  /** The border of a table cell counts even if the cell is empty. */
  cell(): void {
    this.#sign('|');
  }

  /** The target of the words just added. */
  link(target: string): void {
    this.#sign(`${LINK}${target}${LINK}`);
  }

  /** An edit by the author that keeps the words: strikes them out, numbers them, ticks them off. */
  editSign(name: string): void {
    this.#sign(`${EDIT}${name}${EDIT}`);
  }

  /** Lines of code: spaces and line ends are significant. */
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

  /** The same without link targets and edits. */
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

/** Accepts everything and keeps nothing: for readers that do not compare. */
export class UncomparedText extends ComparableText {
  override words(): void {}
  override glue(): void {}
  override breakLine(): void {}
  override cell(): void {}
  override link(): void {}
  override editSign(): void {}
  override code(): void {}
}

/** Letters beyond the basic plane count as signs: this only decides whether a space is put between two texts. */
function isWordCode(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
  return LETTER_OR_DIGIT.test(String.fromCharCode(code));
}
