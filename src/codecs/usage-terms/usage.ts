/**
 * What those who publish a page want it to be used for, whichever vocabulary they say it in.
 *
 * Unknown is no wish: a use that nobody speaks of goes on.
 */
export const USES = ['search', 'ai-input', 'ai-train'] as const;
/** To be found, with links and excerpts; to be read by a model for an answer; to become part of a model. */
export type Use = (typeof USES)[number];

/** What is said of each use. What is absent is unknown. */
export type Wishes = Readonly<Partial<Record<Use, 'yes' | 'no'>>>;

/** One statement, with what it means for us. */
export interface UsageSignal {
  readonly vocabulary: 'aipref' | 'content-signal' | 'rsl' | 'tdmrep' | 'robots-words' | 'license';
  /** The address of the file, or `header` or `page`. */
  readonly where: string;
  /** As it is written, shortened. */
  readonly said: string;
  readonly wishes: Wishes;
  readonly note?: string;
}

/** Of several statements: who says no is heard, else who says yes. */
export function combinedWishes(all: readonly Wishes[]): Wishes {
  const wishes: Partial<Record<Use, 'yes' | 'no'>> = {};
  for (const use of USES) {
    const said = all.map((one) => one[use]);
    if (said.includes('no')) wishes[use] = 'no';
    else if (said.includes('yes')) wishes[use] = 'yes';
  }
  return wishes;
}

/** The same answer for several uses; none where there is none. */
export function wishesFor(uses: readonly Use[], answer: 'yes' | 'no' | undefined): Wishes {
  return answer === undefined ? {} : Object.fromEntries(uses.map((use) => [use, answer]));
}
