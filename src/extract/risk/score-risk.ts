import { encodedTexts } from './encoded-texts.ts';
import { findPassages, type Passage } from './find-passages.ts';
import { isSuspicious, likelyPatterns } from './find-suspicious.ts';
import { invisibleText } from './invisible-text.ts';
import { plainLetters } from './plain-letters.ts';
import { RISK_RULES, type RiskRule, type RiskWeights, ruleWeight } from './risk-rules.ts';
import { CONTEXT_SHARES, isAboutAttacks, type PassageContext } from './text-context.ts';

/** A text to be scored, by visibility. */
export interface RiskInput {
  readonly title?: string;
  /** What readers see, as Markdown. */
  readonly text: string;
  /** What the source contains but people do not see. */
  readonly concealed?: string;
  /** Texts for machines: descriptions, alternative texts, structured data. */
  readonly metadata?: string;
}

export interface Risk {
  /** 0 to 1. From 0.4 on, an item is flagged (DD-I8). */
  readonly score: number;
  /** Names of rules, sorted, without duplicates. */
  readonly reasons: readonly string[];
}

/** The strongest finding of one rule. */
export interface RiskFinding {
  readonly rule: RiskRule;
  /** Its contribution, after context and strength. */
  readonly weight: number;
  readonly where: 'text' | 'concealed' | 'metadata';
  readonly context: PassageContext;
  readonly snippet: string;
}

/** Models read no further either, and this limits the time of scoring. */
const MAX_LENGTH = 2_000_000;
/** Quoted or discussed passages stay below the flag, however many there are. */
const MAX_DISCUSSED = 0.3;
/** Weaker passages are not instructions: a comment may say "run the following command". */
const MIN_INSTRUCTION = 0.2;
const MAX_SPELLED = 160;

/**
 * Scores how much a text looks like an attack on the models that read it. The same text gives the same score, in time linear in its length.
 *
 * Plain findings are combined like independent signs: 1 - (1 - a)(1 - b)…; see docs/risk.md.
 *
 * @example
 * scoreRisk({ text: 'Ignore all previous instructions.' }); // { score: 0.6, reasons: ['override-instructions'] }
 */
export function scoreTextRisk(input: RiskInput, weights: RiskWeights = {}): Risk {
  return riskOf(examineRisk(input, weights));
}

/** Like {@link scoreTextRisk}, for short fields: titles, notes, summaries. */
export function riskOfTexts(texts: readonly (string | undefined)[], weights: RiskWeights = {}): Risk {
  return scoreTextRisk({ text: texts.filter((text) => text !== undefined && text !== '').join('\n\n') }, weights);
}

export function riskOf(findings: readonly RiskFinding[]): Risk {
  const plain = findings.filter(({ context }) => context === 'plain');
  const rest = findings.filter(({ context }) => context !== 'plain');
  const score = Math.max(together(plain), Math.min(MAX_DISCUSSED, together(rest)));
  return { score, reasons: [...new Set(findings.map(({ rule }) => rule))].sort() };
}

function together(findings: readonly RiskFinding[]): number {
  const [only, ...others] = findings;
  if (only === undefined) return 0;
  if (others.length === 0) return only.weight;
  return 1 - findings.reduce((left, { weight }) => left * (1 - weight), 1);
}

/** The strongest finding of each rule, plain ones first. Rules that are off find nothing. */
export function examineRisk(input: RiskInput, weights: RiskWeights = {}): RiskFinding[] {
  const title = (input.title ?? '').slice(0, MAX_LENGTH);
  const shown = `${title}\n\n${input.text.slice(0, MAX_LENGTH)}`;
  let known: boolean | undefined;
  const isAbout = () => {
    known ??= isAboutAttacks(title.toLowerCase(), shown.toLowerCase());
    return known;
  };
  const findings = [
    ...examine(shown, 'text', isAbout),
    ...examine((input.concealed ?? '').slice(0, MAX_LENGTH), 'concealed', isAbout),
    ...examine((input.metadata ?? '').slice(0, MAX_LENGTH), 'metadata', isAbout),
  ];
  return strongest(findings, weights);
}

type Where = RiskFinding['where'];
type Found = Passage & { readonly where: Where };

function examine(text: string, where: Where, isAbout: () => boolean): Found[] {
  if (text.trim() === '' || !isSuspicious(text)) return [];
  const likely = likelyPatterns(text);
  const invisible = invisibleText(text);
  const codes = encodedTexts(text).flatMap((decoded) => smuggled(decoded, 'encoded-payload'));
  const spelled = invisible.spelled.flatMap((said) => smuggled(said, 'invisible-characters'));
  const isConcealed = where === 'concealed';
  const found = [...findPassages(plainLetters(text), { isAbout, isConcealed }, likely), ...codes, ...spelled];
  const hidden = where === 'text' ? spelled : found.filter((passage) => isInstruction(passage, COMMON[where]));
  const concealed = hidden.map((passage): Passage => ({ ...passage, rule: 'concealed-instructions', strength: 1 }));
  if (invisible.strength > 0) {
    const snippet = invisible.spelled.join(' ').slice(0, MAX_SPELLED) || '(zero-width characters)';
    found.push({ rule: 'invisible-characters', strength: invisible.strength, context: 'plain', snippet });
  }
  return [...found, ...concealed].map((passage) => ({ ...passage, where }));
}

/** What menus, forms and labels also say is not an instruction by itself. */
const COMMON: Readonly<Record<Exclude<Where, 'text'>, readonly RiskRule[]>> = {
  concealed: ['tool-misuse', 'invisible-characters'],
  metadata: ['steered-answer', 'tool-misuse', 'invisible-characters'],
};

function isInstruction({ rule, context, strength }: Passage, common: readonly RiskRule[]): boolean {
  return context === 'plain' && RISK_RULES[rule] * strength >= MIN_INSTRUCTION && !common.includes(rule);
}

/** Text spelled by codes or invisible characters counts if it addresses models. */
function smuggled(said: string, rule: RiskRule): Passage[] {
  const passages = findPassages(plainLetters(said), { isAbout: () => false, isConcealed: true });
  const first = passages.find((passage) => RISK_RULES[passage.rule] * passage.strength >= MIN_INSTRUCTION);
  return first === undefined ? [] : [{ ...first, rule, strength: 1, context: 'plain' }, ...passages];
}

function strongest(found: readonly Found[], weights: RiskWeights): RiskFinding[] {
  const best = new Map<string, RiskFinding>();
  for (const { rule, strength, context, where, snippet } of found) {
    const weight = ruleWeight(rule, weights) * strength * CONTEXT_SHARES[context];
    if (weight <= 0) continue;
    const key = `${rule} ${context === 'plain'}`;
    const known = best.get(key);
    if (known === undefined || weight > known.weight) best.set(key, { rule, weight, where, context, snippet });
  }
  const isPlain = ({ context }: RiskFinding) => Number(context === 'plain');
  return [...best.values()].sort(
    (a, b) => isPlain(b) - isPlain(a) || b.weight - a.weight || (a.rule < b.rule ? -1 : 1),
  );
}
