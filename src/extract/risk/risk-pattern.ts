import type { RiskRule } from './risk-rules.ts';
import { chain, type WordChain } from './word-chains.ts';

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

/** What a pattern is besides its words and its form. */
interface PatternTraits
  extends Pick<RiskPattern, 'rule' | 'isOrder' | 'isVague' | 'isFirst' | 'followedBy' | 'isOneSentence'> {
  /** 1 unless said otherwise. */
  readonly strength?: number;
}

/** A pattern that is tried where a word stands that it may begin with: those of `begins`, else the first of its chain. */
export function saying(
  chains: string | readonly string[],
  form: string,
  { strength = 1, begins, ...traits }: PatternTraits & { readonly begins?: string },
): RiskPattern {
  const read = [chains].flat().map(chain);
  const first = begins?.split(' ') ?? read[0]?.[0]?.words ?? [];
  return { ...traits, strength, begins: first, form: new RegExp(form, 'y'), chains: read };
}

/** A pattern that is tried everywhere in a text that holds one of `needs`. */
export function anywhere(
  chains: string | readonly string[],
  form: string,
  { strength = 1, ...traits }: PatternTraits & Pick<RiskPattern, 'needs'>,
): RiskPattern {
  const read = [chains].flat().map(chain);
  return { ...traits, strength, form: new RegExp(form, 'g'), ...(read.length > 0 && { chains: read }) };
}
