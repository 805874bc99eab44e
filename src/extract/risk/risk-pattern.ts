import type { RiskRule } from './risk-rules.ts';
import type { WordChain } from './word-chains.ts';

/** One way to say what a rule looks for. Gaps are bounded, so that the time grows with the text alone. */
export interface RiskPattern {
  readonly rule: RiskRule;
  /** Which part of the rule's weight it has: 1 where nothing harmless is said like this. */
  readonly strength: number;
  /** The words that it may begin with; it is tried nowhere else. */
  readonly begins?: readonly string[];
  /** Where no word tells where it begins: one of these stands in every match. */
  readonly needs?: readonly string[];
  readonly form: RegExp;
  /** One of these stands in every text that it finds something in, as far as its words are of Latin letters. */
  readonly chains?: readonly WordChain[];
  /** It begins with a verb, which counts where somebody is told to do it, and not where it is told of. */
  readonly isOrder?: boolean;
  /** People say it to people too: it counts in full only where models are spoken of. */
  readonly isVague?: boolean;
  /** It counts at the beginning of a line or a sentence only. */
  readonly isFirst?: boolean;
  /** What must all stand soon behind it, … */
  readonly followedBy?: readonly RegExp[];
  /** … in the same sentence. */
  readonly isOneSentence?: boolean;
}

const words = (list: string): string[] => list.split(' ');

/** A pattern that is tried where one of these words stands. */
export function from(
  begins: string,
  rule: RiskRule,
  strength: number,
  form: string,
  more: Pick<RiskPattern, 'isOrder' | 'isVague' | 'isFirst' | 'followedBy' | 'isOneSentence'> = {},
): RiskPattern {
  return { rule, strength, begins: words(begins), form: new RegExp(form, 'y'), ...more };
}

/** A pattern that is tried everywhere in a text that holds one of these. */
export function within(needs: readonly string[], rule: RiskRule, strength: number, form: string): RiskPattern {
  return { rule, strength, needs, form: new RegExp(form, 'g') };
}

/** The pattern, with the words that it needs. */
export function onlyWhere(chains: readonly WordChain[], pattern: RiskPattern): RiskPattern {
  return { ...pattern, chains };
}
