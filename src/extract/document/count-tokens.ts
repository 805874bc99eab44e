import { estimateTokens } from './estimate-tokens.ts';
import { loadTokenizer } from './late-packages.ts';

/** Longer texts are estimated: some scripts cost the tokenizer 5 µs per character. */
const MAX_COUNTED_LENGTH = 500_000;
/** The tokenizer's time is quadratic in the length of a run, so runs are split at this length. */
const LONG_RUN = /[\p{L}\p{M}]{256}|[^\s\p{L}\p{M}\p{N}]{256}|\s{256}/gu;
/** Special tokens of the model's protocol count as text here. */
const NO_SPECIAL = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

/** The tokens of a text in the o200k vocabulary. Exact, except for very long texts and runs of over 256 letters or signs. */
export function countTokens(text: string): number {
  if (text.length > MAX_COUNTED_LENGTH) return estimateTokens(text);
  if (text === '') return 0;
  const { countTokens: count } = loadTokenizer();
  let tokens = 0;
  let from = 0;
  for (const { index, 0: run } of text.matchAll(LONG_RUN)) {
    const to = index + run.length;
    tokens += count(text.slice(from, to), NO_SPECIAL);
    from = to;
  }
  return tokens + count(text.slice(from), NO_SPECIAL);
}
