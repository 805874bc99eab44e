import { parseDictionary } from '../primitives/structured-dictionary.ts';
import type { Use, Wishes } from './usage.ts';

/** The categories of the vocabulary that match a use of ours. It has none for pages that a model reads to answer. */
const CATEGORIES: readonly (readonly [string, Use])[] = [
  ['search', 'search'],
  ['train-ai', 'ai-train'],
];

/**
 * The value of a `Content-Usage` field, or of such a line in a robots.txt: `train-ai=n, search=y`.
 *
 * Spec: https://datatracker.ietf.org/doc/draft-ietf-aipref-vocab/. Only the tokens `y` and `n` count.
 */
export function contentUsageWishes(value: string): Wishes {
  const dictionary = parseDictionary(value);
  const said = CATEGORIES.flatMap(([category, use]) => {
    const { kind, text } = dictionary?.get(category) ?? {};
    if (kind !== 'token' || (text !== 'y' && text !== 'n')) return [];
    return [[use, text === 'y' ? 'yes' : 'no']];
  });
  return Object.fromEntries(said);
}
