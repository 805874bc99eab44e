import { DIGIT_PIECE } from './plain-letters.ts';
import { ROLE_TAG } from './role-mark-patterns.ts';

/** The kinds of characters in a survey: ignored, a disguised letter, the end of a word, part of a code, a mark, or both of the last two. */
export const [UNSEEN, DISGUISED, PLAIN, CODE, MARK, MARK_OF_CODE] = [0, 1, 2, 3, 4, 5];
/** For ASCII without the letters. */
export const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (character === '_') return CODE;
  if (/[\d+/-]/.test(character)) return MARK_OF_CODE;
  return /[<[\]#=@!$%\\:,]/.test(character) || !/[\x20-\x7E\s]/.test(character) ? MARK : PLAIN;
});

export function isLetter(code: number): boolean {
  const letter = code | 0x20;
  return letter >= 97 && letter <= 122;
}

/** The beginning of a mark that tells models who is speaking, or of a link in Markdown. */
const OPENING = new RegExp(
  `^(?:${ROLE_TAG}|<\\||<[a-z_]{2,20}\\|>|<</?s|\\[(?:system|admin|developer|/?inst)|##{0,2}\\s{0,20}(?:instr|system|assist|new)|\\]\\((?:https?:)?//\\S{0,300}?(?:[{[<$]|%7b|%%|__))`,
  'i',
);
const OPENING_LENGTH = 340;

export function isOpening(text: string, at: number): boolean {
  return OPENING.test(text.slice(at, at + OPENING_LENGTH));
}

/** `--- end`, `[end`. */
const FRAMED_END = /(?:==|--|<<|\*\*|\[|##) ?end$/i;

/** Whether the word `end` that ends there is framed. */
export function isFramedEnd(text: string, at: number): boolean {
  return FRAMED_END.test(text.slice(Math.max(0, at - 6), at));
}

/** Letters before and after a digit in one of those pieces. One of them is enough. */
const DIGIT_NEIGHBOURS: Readonly<Record<string, readonly [string, string]>> = {
  0: ['nfrwNFRW', ''],
  1: ['tvdsTVDS', 'gnGN'],
  '!': ['tvdsTVDS', 'gnGN'],
  3: ['rtRT', ''],
  4: ['', 'sS'],
};

/** Whether a digit replaces a letter. */
export function isDigitOfWord(text: string, at: number): boolean {
  const [before, after] = DIGIT_NEIGHBOURS[text[at] ?? ''] ?? ['', ''];
  if (!before.includes(text[at - 1] ?? ' ') && !after.includes(text[at + 1] ?? ' ')) return false;
  return DIGIT_PIECE.test(text.slice(Math.max(0, at - 8), at + 8).toLowerCase());
}

const ACCOUNT_START = /0x$|(?:^|[^a-z])[a-z]{2}\d\d$/i;

/** Whether the name of an account or a wallet may begin there. */
export function isAccountStart(text: string, at: number): boolean {
  return ACCOUNT_START.test(text.slice(Math.max(0, at - 3), at + 2));
}

const FILLING = /secret|conversation|chat|system|password|api|credential|user|private|stolen|memory|base64/i;
const MAX_ADDRESS = 400;

/** Whether the `=` there belongs to an address with a placeholder. */
export function isFilledAddress(text: string, at: number): boolean {
  if (!/[{[<%$]/.test(text[at + 1] ?? '') || !FILLING.test(text.slice(at, at + 40))) return false;
  return /https?:\/\/\S*$/i.test(text.slice(Math.max(0, at - MAX_ADDRESS), at));
}

const MANY_ESCAPES = 12;
const ESCAPES_NEAR = 400;
const LONG_CODE = 4000;

/** Counts escapes, `%41` or `\\x41`, that are near each other. */
export class EscapeCount {
  #count = 0;
  #lastAt = 0;
  #start = 0;
  #end = 0;

  /** Counts the escape at that place. Once there are many, returns the text to decode. No place is returned twice. */
  take(text: string, at: number): string | undefined {
    if (at >= this.#start && at < this.#end) return undefined;
    if (!/^(?:\\x[\da-f]|\\u00|%[\da-f]{2})/i.test(text.slice(at, at + 4))) return undefined;
    if (at - this.#lastAt > ESCAPES_NEAR || at < this.#lastAt) this.#count = 0;
    if (this.#count === 0) this.#start = at;
    this.#lastAt = at;
    this.#count += 1;
    if (this.#count < MANY_ESCAPES) return undefined;
    this.#count = 0;
    this.#end = at + LONG_CODE;
    return text.slice(Math.max(0, this.#start - ESCAPES_NEAR), this.#end + ESCAPES_NEAR);
  }
}
