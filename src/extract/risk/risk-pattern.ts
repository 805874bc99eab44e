import type { RiskRule } from './risk-rules.ts';
import { chain, type WordChain } from './word-chains.ts';

/** One wording that a rule looks for. Gaps are bounded, so that the time is linear in the text. */
export interface RiskPattern {
  readonly rule: RiskRule;
  /** Its share of the rule's weight: 1 if nothing harmless is worded like this. */
  readonly strength: number;
  /** The words that it may begin with. It is tried only there. */
  readonly begins?: readonly string[];
  /** If no word marks its beginning: every match contains one of these. */
  readonly needs?: readonly string[];
  readonly form: RegExp;
  /** Every text with a match contains one of these, as far as its words have Latin letters. */
  readonly chains?: readonly WordChain[];
  /** It begins with a verb, which counts as an order to the reader, but not as a report. */
  readonly isOrder?: boolean;
  /** People also say it to people: it counts fully only if models are mentioned. */
  readonly isVague?: boolean;
  /** It counts only at the beginning of a line or a sentence. */
  readonly isFirst?: boolean;
  /** All of these must follow soon after it, … */
  readonly followedBy?: readonly RegExp[];
  /** … in the same sentence. */
  readonly isOneSentence?: boolean;
}

/** The traits of a pattern besides its words and its form. */
interface PatternTraits
  extends Pick<RiskPattern, 'rule' | 'isOrder' | 'isVague' | 'isFirst' | 'followedBy' | 'isOneSentence'> {
  /** Default: 1. */
  readonly strength?: number;
}

/** A pattern that is tried at every word it may begin with: those of `begins`, else the first of its chain. */
export function saying(
  chains: string | readonly string[],
  form: string,
  { strength = 1, begins, ...traits }: PatternTraits & { readonly begins?: string },
): RiskPattern {
  const read = [chains].flat().map(chain);
  const first = begins?.split(' ') ?? read[0]?.[0]?.words ?? [];
  return { ...traits, strength, begins: first, form: new RegExp(form, 'y'), chains: read };
}

/** A pattern that is tried everywhere in a text that contains one of `needs`. */
export function anywhere(
  chains: string | readonly string[],
  form: string,
  { strength = 1, ...traits }: PatternTraits & Pick<RiskPattern, 'needs'>,
): RiskPattern {
  const read = [chains].flat().map(chain);
  return { ...traits, strength, form: new RegExp(form, 'g'), ...(read.length > 0 && { chains: read }) };
}
