import { MARKDOWN_LINK } from './markdown-link.ts';

/** A fence may name a language. */
const FENCE = /^[ >]*`{3,}[^\n`]*$/gm;
/** Scripts that set no spaces count by the character; in all others a word is what stands between spaces. */
const TOKEN =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Words of Markdown without its signs (T-AWI-22). A sign between spaces is no word. */
export function countWords(markdown: string): number {
  let words = 0;
  for (const [token, character] of markdown.replace(MARKDOWN_LINK, ' ').replace(FENCE, ' ').matchAll(TOKEN)) {
    if (character !== undefined || LETTER_OR_DIGIT.test(token)) words += 1;
  }
  return words;
}
