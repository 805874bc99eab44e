import { lineMarksOf } from '../../extract/line-marks.ts';

/**
 * The key of lines without a named element around them: their text without numbers, so that "read by 12 people" and "read by 40 people" have the same
 * key on all pages; for removed lines, their marks.
 */
export function templateKey(texts: readonly string[], gone: string): string {
  if (texts.length === 0) return `~-${lineMarksOf(gone)}`;
  const text = texts.join('\n').toLowerCase();
  const words = text.replace(SIGNS, ' ').match(/[\p{L}\p{N}]+/gu) ?? [];
  const isImage = text.includes(IMAGE) && words.length <= MAX_ALT_WORDS;
  const kept = isImage ? [] : words.filter((word) => !/\p{N}/u.test(word));
  const isOther = kept.length < words.length || isImage;
  return `~${isOther ? OTHER_NUMBERS : ''}${lineMarksOf(kept.join(' '))}`;
}

const OTHER_NUMBERS = '#';
const IMAGE = '\uFDD1image ';
const MAX_ALT_WORDS = 8;
/** Link targets and image sources; see {@link ComparableText}. */
const SIGNS = /([\uFDD0\uFDD1]).*?\1/gsu;

/** Whether texts with this key differ only in their numbers, or in what they show, and not in their words. */
export function hasOtherNumbers(key: string): boolean {
  return key.startsWith(`~${OTHER_NUMBERS}`);
}
