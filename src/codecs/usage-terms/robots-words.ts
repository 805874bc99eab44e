import { combinedWishes, type Wishes } from './usage.ts';

/**
 * What words of `X-Robots-Tag` and `<meta name="robots">` say about a use. `noimageai` is only about images, which are not kept
 * here.
 */
const WORDS: ReadonlyMap<string, Wishes> = new Map<string, Wishes>([
  ['noindex', { search: 'no' }],
  ['none', { search: 'no' }],
  ['noai', { 'ai-train': 'no' }],
  ['noml', { 'ai-train': 'no' }],
  ['noimageai', {}],
]);

/** Expects words in lower case. Words that are about no use are left out. */
export function robotsWords(words: readonly string[]): readonly string[] {
  return [...new Set(words.filter((word) => WORDS.has(word)))];
}

export function robotsWordsWishes(words: readonly string[]): Wishes {
  return combinedWishes(words.map((word) => WORDS.get(word) ?? {}));
}
