/**
 * What publishers want a page to be used for, in any vocabulary.
 *
 * Unknown means no wish: a use that nobody mentions continues.
 */
export const USES = ['search', 'ai-input', 'ai-train'] as const;
/** To be found, with links and excerpts; to be read by a model for an answer; to become part of a model. */
export type Use = (typeof USES)[number];

/** The wish for each use. An absent use is unknown. */
export type Wishes = Readonly<Partial<Record<Use, 'yes' | 'no'>>>;

/** One statement, and what it means for us. */
export interface UsageSignal {
  readonly vocabulary: 'aipref' | 'content-signal' | 'rsl' | 'tdmrep' | 'robots-words' | 'license';
  /** The address of the file, or `header` or `page`. */
  readonly where: string;
  /** As written, shortened. */
  readonly said: string;
  readonly wishes: Wishes;
  readonly note?: string;
}

/** Combines several statements: a no overrides a yes. */
export function combinedWishes(all: readonly Wishes[]): Wishes {
  const wishes: Partial<Record<Use, 'yes' | 'no'>> = {};
  for (const use of USES) {
    const said = all.map((one) => one[use]);
    if (said.includes('no')) wishes[use] = 'no';
    else if (said.includes('yes')) wishes[use] = 'yes';
  }
  return wishes;
}

/** The same answer for several uses; empty without an answer. */
export function wishesFor(uses: readonly Use[], answer: 'yes' | 'no' | undefined): Wishes {
  return answer === undefined ? {} : Object.fromEntries(uses.map((use) => [use, answer]));
}
