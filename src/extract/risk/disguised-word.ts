const WORD = /^[\p{L}\p{M}\p{N}\p{So}\p{Cf}]+/u;
const WORD_BEFORE = /[\p{L}\p{M}\p{N}\p{So}\p{Cf}]+$/u;
const LETTERS = /[\u0400-\u052F\u0600-\u06FF\u0900-\u097F\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7AF]/;
const MAX_DISGUISED = 40;

/** Whether a word with lookalike letters may continue at this place. */
export function goesOnAt(text: string, at: number): boolean {
  return WORD.test(text.slice(at, at + 2));
}

/** The part of such a word before a place, not before `start`. */
export function wordBefore(text: string, at: number, start: number): string {
  return WORD_BEFORE.exec(text.slice(Math.max(start, at - MAX_DISGUISED), at))?.[0] ?? '';
}

/** The part of such a word from a place on, not beyond `end`. */
export function wordFrom(text: string, at: number, end: number): string {
  return WORD.exec(text.slice(at, Math.min(end, at + MAX_DISGUISED)))?.[0] ?? '';
}

/** Whether a word contains letters of another script that has its own patterns. */
export function isOfOtherScript(word: string): boolean {
  return LETTERS.test(word);
}
