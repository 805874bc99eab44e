import { isDigitOfWord, isFilledAddress, isOpening } from './survey-marks.ts';
import { hashOf } from './word-chains.ts';

const [EXCLAMATION, NUMBER_SIGN, DOLLAR, PERCENT, PLUS, COMMA, DASH, SLASH] = [33, 35, 36, 37, 43, 44, 45, 47];
const [COLON, EQUALS, AT_SIGN, BRACKET, BACKSLASH] = [58, 61, 64, 91, 92];

/** Marks that patterns need like words. Others represent themselves. */
const [NUMBER_ONE, TENS] = [hashOf('one'), hashOf('tens')];
export const NO_WORD = 0;

/** The word that a mark represents for the patterns, if any. */
export function wordOfMark(code: number, text: string, at: number): number {
  switch (code) {
    case EXCLAMATION:
    case BRACKET:
      return code;
    case PLUS:
      return /\d/.test(text[at + 1] ?? '') ? AT_SIGN : NO_WORD;
    case SLASH:
      return text.startsWith('10/10', at - 2) ? TENS : NO_WORD;
    case NUMBER_SIGN:
      return text[at + 1] === '1' ? NUMBER_ONE : code;
    default:
      return isPlainWord(code) ? code : NO_WORD;
  }
}

/** Whether a mark is reason enough to examine the whole text. */
export function isAlarmingMark(code: number, text: string, at: number): boolean {
  switch (code) {
    case PLUS:
    case SLASH:
      return false;
    case EXCLAMATION:
      return isDigitOfWord(text, at);
    case EQUALS:
      return isFilledAddress(text, at);
    default:
      return !isPlainWord(code) && (code < 32 || code === 127 || isOpening(text, at));
  }
}

/** Marks that are only words. */
function isPlainWord(code: number): boolean {
  return code === COMMA || code === COLON || code === DASH || code === AT_SIGN || code === DOLLAR;
}

/** Whether it begins an escape, `%41` or `\x41`. */
export function isEscapeMark(code: number): boolean {
  return code === PERCENT || code === BACKSLASH;
}
