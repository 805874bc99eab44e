import { base64Text, encodedTexts } from './encoded-texts.ts';
import { findPassages } from './find-passages.ts';
import { plainLetters } from './plain-letters.ts';
import type { RiskPattern } from './risk-pattern.ts';

/** Shorter codes do not encode a sentence. */
export const MIN_CODE = 32;
const MIN_HEXADECIMAL = 48;
const CODE_NEAR = 400;
const HEXADECIMAL = /[\da-f]{2}(?:[\s:]?[\da-f]{2}){23}/i;

/** The text around a place, if it contains a hexadecimal code. */
export function hexadecimalAround(text: string, at: number): string {
  const around = text.slice(Math.max(0, at - CODE_NEAR), at + CODE_NEAR);
  return HEXADECIMAL.test(around) ? around : '';
}

/** The possible texts of a code whose earlier pieces are `carried`. A tag inside a code may or may not be part of it. */
export function textsOfCode(carried: string, last: string): string[] {
  const texts: string[] = [];
  for (const each of carried === '' ? [last] : [carried, last, `${carried}${last}`]) {
    if (each.length < MIN_CODE) continue;
    if (each.length >= MIN_HEXADECIMAL && HEXADECIMAL.test(each)) texts.push(...encodedTexts(each));
    texts.push(base64Text(each) ?? '');
  }
  return texts;
}

/** Whether a decoded text contains one of those patterns. */
export function concealsPassage(decoded: string, likely: ReadonlySet<RiskPattern>): boolean {
  const options = { isAbout: () => false, isConcealed: true };
  return findPassages(plainLetters(decoded), options, likely).length > 0;
}
