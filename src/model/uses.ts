/** What the publisher of a page says about each use of it. An absent field means that nothing is said about that use. */
export interface Uses {
  /** Being listed in search results, with links and excerpts. */
  readonly search?: 'yes' | 'no';
  /** Being read by a model to answer a question. */
  readonly 'ai-input'?: 'yes' | 'no';
  /** Being used to train a model. */
  readonly 'ai-train'?: 'yes' | 'no';
}

export type UseName = keyof Uses;

/** What a record stores about the terms of a live page. */
export interface RememberedTerms {
  /** The terms that result from all statements together, as {@link encodeUses} writes them. */
  readonly uses: string;
  /** What the page and its HTTP response say by themselves, without a reservation. */
  readonly own?: string;
  /** Whether the page or its HTTP response reserves text and data mining; absent if neither mentions it. */
  readonly tdm?: 0 | 1;
  /** Licence files that the page or its HTTP response names. */
  readonly rsl?: readonly string[];
  /** A file that may say more could not be read, and no earlier version of it was known. */
  readonly isPart?: true;
}

const NAMES = ['search', 'ai-input', 'ai-train'] as const;

/** `search=yes ai-train=no`, always in this order; empty if nothing is said. */
export function encodeUses(uses: Uses): string {
  return NAMES.flatMap((name) => (uses[name] === undefined ? [] : [`${name}=${uses[name]}`])).join(' ');
}

/** Ignores every word that is not a known use with `yes` or `no`. */
export function decodeUses(text: string): Uses {
  const said = text.split(' ').flatMap((word) => {
    const [, name, answer] = /^([a-z-]+)=(yes|no)$/.exec(word) ?? [];
    return NAMES.some((known) => known === name) ? [[name, answer]] : [];
  });
  return Object.fromEntries(said);
}

/**
 * Whether a page may be put to a use. A use that the publisher does not mention is allowed.
 *
 * @example
 * mayUse({ 'ai-train': 'no' }, 'ai-input'); // true
 */
export function mayUse(uses: Uses, use: UseName): boolean {
  return uses[use] !== 'no';
}

/** For decoded values: true for an object that has only known uses and answers. */
export function isUses(value: unknown): value is Uses {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(
    ([name, answer]) => NAMES.some((known) => known === name) && (answer === 'yes' || answer === 'no'),
  );
}
