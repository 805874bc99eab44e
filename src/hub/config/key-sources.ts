import { type Decode, fieldsOf, wholeNumberIn } from './setting-decoders.ts';

/** What the owner of a key may watch. */
export interface KeySourceRules {
  /** The maximum of sources; 0: none. */
  readonly most: number;
  /** The shortest interval that may be set. */
  readonly minIntervalSeconds: number;
  /** The maximum of pages per source. */
  readonly maxPages: number;
}

export const DEFAULT_KEY_SOURCES: KeySourceRules = { most: 20, minIntervalSeconds: 300, maxPages: 1000 };

/** `{ "most": 50, "minIntervalSeconds": 600 }`. */
export const keySources: Decode<KeySourceRules> = (value, at) => {
  const shape = {
    most: wholeNumberIn(0, 10_000),
    minIntervalSeconds: wholeNumberIn(60, 30 * 86_400),
    maxPages: wholeNumberIn(1, 1_000_000),
  };
  return { ...DEFAULT_KEY_SOURCES, ...fieldsOf(shape, value, at) };
};
