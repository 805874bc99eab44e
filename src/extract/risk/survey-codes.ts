import { base64Text, encodedTexts } from './encoded-texts.ts';
import { findPassages } from './find-passages.ts';
import { plainLetters } from './plain-letters.ts';
import type { RiskPattern } from './risk-pattern.ts';

/** What is shorter stands for no sentence. */
export const MIN_CODE = 32;
const MIN_HEXADECIMAL = 48;
const CODE_NEAR = 400;
const HEXADECIMAL = /[\da-f]{2}(?:[\s:]?[\da-f]{2}){23}/i;

/** What stands near a place, where that holds a code of digits. */
export function hexadecimalAround(text: string, at: number): string {
  const around = text.slice(Math.max(0, at - CODE_NEAR), at + CODE_NEAR);
  return HEXADECIMAL.test(around) ? around : '';
}

/** What a code may stand for of which the pieces before hold `carried`. A tag inside a code may be a part of it or not. */
export function textsOfCode(carried: string, last: string): string[] {
  const texts: string[] = [];
  for (const each of carried === '' ? [last] : [carried, last, `${carried}${last}`]) {
    if (each.length < MIN_CODE) continue;
    if (each.length >= MIN_HEXADECIMAL && HEXADECIMAL.test(each)) texts.push(...encodedTexts(each));
    texts.push(base64Text(each) ?? '');
  }
  return texts;
}

/** Whether what a code stands for holds one of those patterns. */
export function concealsPassage(decoded: string, likely: ReadonlySet<RiskPattern>): boolean {
  const options = { isAbout: () => false, isConcealed: true };
  return findPassages(plainLetters(decoded), options, likely).length > 0;
}
