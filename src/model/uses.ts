/** What those who publish a page say of each use of it. What is absent nobody speaks of. */
export interface Uses {
  /** To be found, with links and excerpts. */
  readonly search?: Answer;
  /** To be read by a model for an answer. */
  readonly 'ai-input'?: Answer;
  /** To become part of a model. */
  readonly 'ai-train'?: Answer;
}

export type UseName = keyof Uses;
type Answer = 'yes' | 'no';

/** What a record remembers of the terms of a live page. */
export interface RememberedTerms {
  /** What follows from all that is said, as {@link encodeUses} writes it. */
  readonly uses: string;
  /** What the page and its answer say alone, without a reservation. */
  readonly own?: string;
  /** Whether the page or its answer reserve text and data mining; absent where neither speaks of it. */
  readonly tdm?: 0 | 1;
  /** Licence files that the page or its answer name. */
  readonly rsl?: readonly string[];
  /** A file that may say more could not be read, and nothing was known of it. */
  readonly isPart?: true;
}

const NAMES = ['search', 'ai-input', 'ai-train'] as const;

/** `search=yes ai-train=no`, always in this order; empty where nothing is said. */
export function encodeUses(uses: Uses): string {
  return NAMES.flatMap((name) => (uses[name] === undefined ? [] : [`${name}=${uses[name]}`])).join(' ');
}

/** What is no such word says nothing. */
export function decodeUses(text: string): Uses {
  const said = text.split(' ').flatMap((word) => {
    const [, name, answer] = /^([a-z-]+)=(yes|no)$/.exec(word) ?? [];
    return NAMES.some((known) => known === name) ? [[name, answer]] : [];
  });
  return Object.fromEntries(said);
}

/**
 * Whether a page may be put to a use: a use that nobody speaks of goes on.
 *
 * @example
 * mayUse({ 'ai-train': 'no' }, 'ai-input'); // true
 */
export function mayUse(uses: Uses, use: UseName): boolean {
  return uses[use] !== 'no';
}

/** Of something decoded: an object with these words alone. */
export function isUses(value: unknown): value is Uses {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(
    ([name, answer]) => NAMES.some((known) => known === name) && (answer === 'yes' || answer === 'no'),
  );
}
