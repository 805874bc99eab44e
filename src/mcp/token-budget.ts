import { countTokens } from '../extract/document/count-tokens.ts';

/** An answer has two forms, `structuredContent` and text, which together stay below 20,000 tokens. */
export const ANSWER_TOKENS = 9000;

/** How many of the items, from the first on, fit into a budget as JSON. */
export function fittingCount(items: readonly object[], budget: number): number {
  let left = budget;
  for (const [index, item] of items.entries()) {
    left -= countTokens(JSON.stringify(item));
    if (left < 0) return index;
  }
  return items.length;
}

/** For most texts; for others the place is found by trying. */
const CHARACTERS_A_TOKEN = 5;
/** A little less than what should fit, since lines differ. */
const SHARE = 0.95;

/**
 * Where to cut a text so that the part from `start` on fits into a budget: after a line if possible, never inside a character. Takes at least one
 * character.
 */
export function fittingEnd(text: string, start: number, budget: number): number {
  let end = Math.min(text.length, start + budget * CHARACTERS_A_TOKEN);
  for (;;) {
    const cut = end === text.length ? end : lineEnd(text, start, end);
    const tokens = countTokens(JSON.stringify(text.slice(start, cut)));
    if (cut - start <= 2 || tokens <= budget) return cut;
    end = Math.max(start + 1, start + Math.floor((cut - start) * (budget / tokens) * SHARE));
  }
}

function lineEnd(text: string, start: number, end: number): number {
  const behindLine = text.lastIndexOf('\n', end - 1) + 1;
  if (behindLine > start + (end - start) / 2) return behindLine;
  const code = text.charCodeAt(end - 1);
  const isHalf = code >= 0xd800 && code <= 0xdbff;
  return isHalf ? end + 1 : end;
}
