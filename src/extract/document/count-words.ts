import { MARKDOWN_LINK } from './markdown-link.ts';

/** A fence may name a language. */
const FENCE = /^[ >]*`{3,}[^\n`]*$/gm;
/** Scripts without spaces count by character. In all others, a word is what is between spaces. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const SPACE = /\s/;
/** The first code point of a script without spaces. */
const FIRST_UNSPACED = 0x2e80;

/** Counts the words of Markdown without its markup (T-AWI-22). A sign between spaces is not a word. */
export function countWords(markdown: string): number {
  const text = markdown.replace(MARKDOWN_LINK, ' ').replace(FENCE, ' ');
  let words = 0;
  let inWord = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 128) {
      if (code <= 32) inWord = isSpaceCode(code) ? false : inWord;
      else if (!inWord && isLetterOrDigit(code)) {
        inWord = true;
        words += 1;
      }
      continue;
    }
    const character = String.fromCodePoint(text.codePointAt(at) ?? code);
    at += character.length - 1;
    if (SPACE.test(character)) inWord = false;
    else if (code >= FIRST_UNSPACED && UNSPACED.test(character)) {
      inWord = false;
      words += 1;
    } else if (!inWord && LETTER_OR_DIGIT.test(character)) {
      inWord = true;
      words += 1;
    }
  }
  return words;
}

function isSpaceCode(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}
