import { ENGLISH_PATTERNS } from './english-patterns.ts';
import { EUROPEAN_PATTERNS } from './european-patterns.ts';
import { OTHER_SCRIPT_PATTERNS } from './other-script-patterns.ts';
import type { RiskPattern } from './risk-pattern.ts';
import type { RiskRule } from './risk-rules.ts';
import { type PassageContext, TextContext } from './text-context.ts';

/** One place in a text that addresses models. */
export interface Passage {
  readonly rule: RiskRule;
  readonly strength: number;
  readonly context: PassageContext;
  readonly snippet: string;
}

export interface ReadingOptions {
  /** Whether the whole page is about such attacks. */
  readonly isAbout: () => boolean;
  /** Hidden text is not quoted for readers: the text around a passage does not make it harmless. */
  readonly isConcealed: boolean;
}

export const PATTERNS: readonly RiskPattern[] = [...ENGLISH_PATTERNS, ...EUROPEAN_PATTERNS, ...OTHER_SCRIPT_PATTERNS];
/** Further passages add nothing new. */
const MAX_PASSAGES = 300;
const AFTER = 240;
const BEFORE = 60;
const MAX_SNIPPET = 160;

/** The patterns that may begin with a word. */
const BY_WORD = new Map<string, RiskPattern[]>();
for (const pattern of PATTERNS) {
  for (const word of pattern.begins ?? []) BY_WORD.set(word, [...(BY_WORD.get(word) ?? []), pattern]);
}
const ANYWHERE = PATTERNS.filter(({ begins }) => begins === undefined);

/** The passages in a text of plain letters, of all patterns or of some. */
export function findPassages(text: string, options: ReadingOptions, only?: ReadonlySet<RiskPattern>): Passage[] {
  const reader = new PassageReader(text, options);
  eachWord(text, (word, at) => {
    for (const pattern of BY_WORD.get(word) ?? []) {
      if (only?.has(pattern) === false) continue;
      pattern.form.lastIndex = at;
      const match = pattern.form.exec(text);
      if (match !== null) reader.take(pattern, match);
    }
  });
  for (const pattern of ANYWHERE) {
    if (only?.has(pattern) === false) continue;
    if (!pattern.needs?.some((word) => text.includes(word))) continue;
    // matchAll starts at the lastIndex of an earlier exec.
    pattern.form.lastIndex = 0;
    for (const match of text.matchAll(pattern.form)) reader.take(pattern, match);
  }
  return reader.found;
}

const MAX_WORD = 14;

/** Calls back with each word of ASCII letters that is not too long to begin a pattern. */
function eachWord(text: string, call: (word: string, at: number) => void): void {
  let start = -1;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    if (code >= 97 && code <= 122) {
      if (start < 0) start = at;
    } else if (start >= 0) {
      if (at - start <= MAX_WORD) call(text.slice(start, at), start);
      start = -1;
    }
  }
}

class PassageReader {
  readonly found: Passage[] = [];
  readonly #text: string;
  readonly #options: ReadingOptions;
  readonly #counts = new Map<RiskPattern, number>();
  #context: TextContext | undefined;

  constructor(text: string, options: ReadingOptions) {
    this.#text = text;
    this.#options = options;
  }

  take(pattern: RiskPattern, match: RegExpExecArray): void {
    const count = this.#counts.get(pattern) ?? 0;
    if (count >= MAX_PASSAGES) return;
    this.#counts.set(pattern, count + 1);
    const text = this.#text;
    const options = this.#options;
    const { index, 0: said } = match;
    const end = index + said.length;
    const before = text.slice(Math.max(0, index - BEFORE), index);
    const after = text.slice(end, end + AFTER);
    if (pattern.isFirst === true && !FIRST.test(before)) return;
    const near = pattern.isOneSentence === true ? (after.split(SENTENCE_END, 1)[0] ?? '') : after;
    if (pattern.followedBy?.every((form) => form.test(near)) === false) return;
    const share = pattern.isOrder === true ? shareOfOrder(before) : 1;
    if (share === 0) return;
    this.#context ??= new TextContext(text, options.isAbout());
    const context = this.#context.at(index, end, pattern.isVague);
    this.found.push({
      rule: pattern.rule,
      strength: pattern.strength * share,
      context: options.isConcealed ? concealedContext(context) : context,
      snippet: `${said}${after.split(/[\n.!?]/, 1)[0]}`.replace(/\s+/g, ' ').slice(0, MAX_SNIPPET),
    });
  }
}

const SENTENCE_END = /[.!?](?=\s|$)|\n\n/;
/** At the beginning, or after the end of a line or sentence. */
const FIRST = /(?:^|[\n.!?:;>\]])[^\p{L}\d]{0,8}$/u;

/** Hidden articles exist, in panels and previews. There a passage must be both quoted and discussed. */
function concealedContext(context: PassageContext): PassageContext {
  return context === 'exhibited' ? 'quoted' : 'plain';
}

const NEGATED = /(?:\bnot|n't|\bnever|\bcannot|\bwithout|\brefuse[sd]? to|\bunable to|\brather than) (?:\w{1,15}ly )?$/;
/** The reader is told to do it. */
const TOLD =
  /(?:\b(?:use|call|using|invoke)\b[^.!?\n]{0,45}?\b(?:tool|function|access|plugin|skill) to|\b(?:you|you're|required|(?:are|been|were|is) (?:instructed|asked|told|ordered)|want|need|must|should|shall|have|please|agents?|assistants?|is|are)\b[^.!?\n]{0,30}?\bto|\b(?:you|must|should|shall|please|now|immediately|instead|then|and|also|always|just|simply|assistants?|first|let's)) ?$/;
const MODAL = /\b(?:can|could|may|might|will|would) (?:then|also|now|always|just|simply|and) $/;
/** Somebody else does it, or may do it. */
const REPORTED =
  /\b(?:to|will|would|can|could|may|might|they|it|we|i|that|which|who|or|people|attackers?|users?|models?|systems?|like|as|says?|saying|does|did|if you|when you|how|why|by|from|of|option|flag|the|an?|parser|compiler|clients?|servers?|browsers?|programs?|functions?|tools?|engines?|then|implementations?|readers?) (?:\w{1,15}ly )?$/;
const REPORTED_SHARE = 0.4;

/** The remaining strength of a pattern that begins with a verb, by the words before it. */
function shareOfOrder(before: string): number {
  if (NEGATED.test(before)) return 0;
  if (MODAL.test(before)) return REPORTED_SHARE;
  if (TOLD.test(before)) return 1;
  return REPORTED.test(before) ? REPORTED_SHARE : 1;
}
