import { combinedWishes, type Wishes } from './usage.ts';

/** What these words of `X-Robots-Tag` and of `<meta name="robots">` say of a use. `noimageai` speaks of images alone, which nobody keeps here. */
const WORDS: ReadonlyMap<string, Wishes> = new Map<string, Wishes>([
  ['noindex', { search: 'no' }],
  ['none', { search: 'no' }],
  ['noai', { 'ai-train': 'no' }],
  ['noml', { 'ai-train': 'no' }],
  ['noimageai', {}],
]);

/** Words in lower case. Those that speak of no use are left out. */
export function robotsWords(words: readonly string[]): readonly string[] {
  return [...new Set(words.filter((word) => WORDS.has(word)))];
}

export function robotsWordsWishes(words: readonly string[]): Wishes {
  return combinedWishes(words.map((word) => WORDS.get(word) ?? {}));
}
