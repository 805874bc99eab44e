import type { WatchedSource } from '../../store/hub-store.ts';
import { SOURCE_WORDS, type SourceWord, sourceRank, sourceWord } from './source-line.ts';

/** How many sources are in each state. */
export function countStates(sources: readonly WatchedSource[]): Record<SourceWord, number> {
  const states = Object.fromEntries(SOURCE_WORDS.map((word) => [word, 0])) as Record<SourceWord, number>;
  for (const source of sources) states[sourceWord(source)] += 1;
  return states;
}

/** Those that fit, in the order of their ranks and then as they were: in one walk, since there may be ten thousand. */
export function rankedSources(
  sources: readonly WatchedSource[],
  fits: (source: WatchedSource) => boolean,
): readonly WatchedSource[] {
  const ranks: WatchedSource[][] = SOURCE_WORDS.map(() => []);
  for (const source of sources) if (fits(source)) ranks[sourceRank(source)]?.push(source);
  return ranks.flat();
}

const texts = new WeakMap<WatchedSource['config'], string>();

/** Whether its id, its title and its address have all of these words, which are lower-case. */
export function isNamedBy({ config }: WatchedSource, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  let text = texts.get(config);
  if (text === undefined) {
    text = `${config.id} ${config.title ?? ''} ${'url' in config ? config.url : ''}`.toLowerCase();
    texts.set(config, text);
  }
  for (const word of words) if (!text.includes(word)) return false;
  return true;
}
