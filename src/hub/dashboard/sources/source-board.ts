import type { WatchedSource } from '../../store/hub-store.ts';
import { glanceAt, SOURCE_WORDS, type SourceGlance, type SourceWord } from './source-line.ts';

export interface SourceBoard {
  /** How many of all are in each state. */
  readonly states: Readonly<Record<SourceWord, number>>;
  /** The matching sources, by rank and then in their order. */
  readonly ranked: readonly WatchedSource[];
}

/** In one walk, since there may be ten thousand. */
export function boardOf(
  sources: readonly WatchedSource[],
  fits: (source: WatchedSource, glance: SourceGlance) => boolean,
): SourceBoard {
  const states = Object.fromEntries(SOURCE_WORDS.map((word) => [word, 0])) as Record<SourceWord, number>;
  const ranks: WatchedSource[][] = SOURCE_WORDS.map(() => []);
  for (const source of sources) {
    const glance = glanceAt(source);
    states[glance.word] += 1;
    if (fits(source, glance)) ranks[glance.rank]?.push(source);
  }
  return { states, ranked: ranks.flat() };
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
