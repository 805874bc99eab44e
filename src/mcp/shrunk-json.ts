import { countTokens } from '../extract/document/count-tokens.ts';
import type { ToolObject } from './tool-json.ts';

/** The maximum lengths of texts and lists that are tried, one after another. */
const STEPS = [
  { characters: 4000, items: 200 },
  { characters: 1000, items: 60 },
  { characters: 300, items: 20 },
  { characters: 120, items: 8 },
  { characters: 60, items: 3 },
];
/** A text with more characters per token certainly does not fit and need not be counted. */
const CHARACTERS_A_TOKEN = 12;

export interface ShrunkJson {
  readonly value: ToolObject;
  /** Something was omitted. */
  readonly isShrunk: boolean;
}

/** A value whose JSON fits into a budget of tokens: long texts and lists are cut, as little as necessary. */
export function shrunkJson(value: ToolObject, budget: number): ShrunkJson {
  if (fits(value, budget)) return { value, isShrunk: false };
  for (const { characters, items } of STEPS) {
    const shrunk = JSON.parse(JSON.stringify(value), (_, item: unknown) => {
      if (typeof item === 'string' && item.length > characters) return `${item.slice(0, characters)}…`;
      return Array.isArray(item) ? item.slice(0, items) : item;
    }) as ToolObject;
    if (fits(shrunk, budget)) return { value: shrunk, isShrunk: true };
  }
  throw new Error('A value has more members than fit into an answer.');
}

function fits(value: ToolObject, budget: number): boolean {
  const text = JSON.stringify(value);
  return text.length <= budget * CHARACTERS_A_TOKEN && countTokens(text) <= budget;
}
