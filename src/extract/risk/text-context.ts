/** The context of a passage in its text. */
export type PassageContext =
  /** It addresses the reader. */
  | 'plain'
  /** It is in code or between quotation marks. */
  | 'quoted'
  /** The text around it, or the whole text, is about such attacks. */
  | 'discussed'
  /** Both. */
  | 'exhibited';

/** The remaining share of a pattern's weight. Passages that are not plain never add up to a flag; see score-risk.ts. */
export const CONTEXT_SHARES: Readonly<Record<PassageContext, number>> = {
  plain: 1,
  quoted: 0.5,
  discussed: 0.4,
  exhibited: 0.2,
};

const SUBJECT =
  /prompt[- ]?injections?|injection[- ]prompts?|prompt[- ]?leak|jail-?break(?:ing|s)? (?:attack|prompt|attempt|technique|llm|the|a)|owasp|llm0[12]|red[- ]?team|adversarial (?:prompt|input|instruction|text)|indirect injection|injected (?:prompt|instruction|text)|injection attacks?|prompt (?:hijack|attack|hack)|instruction hierarchy|prompt-?injektion|injection de prompt|injections? d[e'] ?(?:prompt|invite|instruction)|inyecci[oó]n(?:es)? de (?:prompt|instrucciones|indicaciones)|injeç[ãa]o de prompt|промпт-?инъекц|инъекци\S{1,3} (?:промпт|в промпт|подсказ)|внедрени\S{1,3} (?:промпт|инструкц|подсказ)|提示(?:词)?注入|提示詞注入|プロンプト ?インジェクション|프롬프트 ?(?:인젝션|주입)|llm (?:security|attack|vulnerabilit|threat)|(?:tokeni[sz]er|chat) (?:template|format)|special tokens?|prompt (?:format|template)|ai (?:safety|security) (?:research|team|guide|training|course)|content poisoning|data poisoning/g;

const TELLING =
  /\battack(?:s|er|ers|ed|ing)?\b|\bmalicious|\bexploit|\bvulnerab|\bresearchers?\b|\bfor example\b|\bfor instance\b|\be\.g\.|\bsuch as\b|\bphrases? like\b|\bsomething like\b|\bpayloads?\b|\bdetect|\bdefen[ds]|\bmitigat|\bvictim|\bhidden text\b|\bmight (?:say|contain|read|include)|\btells? the (?:model|llm|ai|assistant)|\btrick(?:s|ed|ing)?\b|\buntrusted\b|\bsaniti[sz]|\bphishing\b|\bscam|\bharmful\b|\bfilter(?:s|ing|ed)?\b|\bguardrail|\bmanipulat|\badversar|\bangreif|\battaquant|\batacante|\bзлоумышленник|攻击者|攻擊者|攻撃者|\bsafeguard|\bclassifier|\bthreat|\btest(?:s|ing|ed)? (?:case|prompt|whether|if|how)|\bfictional|\bnovel\b|\bfiction\b|\bcharacter\b|\bplayers?\b/g;

const NEAR = 350;
const NEAR_MODELS = 600;
const MODELS =
  /\b(?:ai|llms?|language models?|assistants?|chatbots?|bots?|gpt|chatgpt|claude|gemini|copilot|system prompt|prompts?|the (?:model|user)|your user|user's|respond|recommend)\b/;
/** With one or no word of the subject, this many words about attacks make it a report. */
const MANY_TELLING = 3;

/** Where the code and the quotations of a text are, and what it is about. */
export class TextContext {
  readonly #text: string;
  readonly #quoted: readonly Span[];
  readonly #quotedFrom: readonly number[];
  readonly #subjects: readonly number[];
  readonly #telling: readonly number[];
  readonly #isAbout: boolean;

  constructor(text: string, isAbout: boolean) {
    this.#text = text;
    this.#quoted = quotedSpans(text);
    this.#quotedFrom = this.#quoted.map(({ start }) => start);
    this.#subjects = placesOf(text, SUBJECT);
    this.#telling = placesOf(text, TELLING);
    this.#isAbout = isAbout;
  }

  /** A vague passage counts as quoted if models are not mentioned. */
  at(start: number, end: number, isVague = false): PassageContext {
    const isQuoted = this.#isQuoted(start) || (isVague && !this.#isOfModels(start, end));
    const isDiscussed = this.#isDiscussed(start, end);
    if (isQuoted && isDiscussed) return 'exhibited';
    return isQuoted ? 'quoted' : isDiscussed ? 'discussed' : 'plain';
  }

  #isQuoted(at: number): boolean {
    const span = this.#quoted[firstAfter(this.#quotedFrom, at) - 1];
    return span !== undefined && at < span.end;
  }

  #isOfModels(start: number, end: number): boolean {
    return MODELS.test(this.#text.slice(Math.max(0, start - NEAR_MODELS), end + NEAR_MODELS));
  }

  /** Words in the passage itself do not count: an attack may call itself a test. */
  #isDiscussed(start: number, end: number): boolean {
    const subjects = countAround(this.#subjects, start, end);
    const telling = countAround(this.#telling, start, end);
    if (this.#isAbout) return subjects + telling > 0 || this.#isQuoted(start);
    return subjects > 0 ? subjects + telling > 1 || this.#isQuoted(start) : telling >= MANY_TELLING;
  }
}

/** Whether a page is about such attacks: its title says so, or its text says it more than once. */
export function isAboutAttacks(title: string, text: string): boolean {
  return title.toLowerCase().match(SUBJECT) !== null || (text.match(SUBJECT)?.length ?? 0) > 1;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const FENCE = /(?:^|\n) {0,3}(?:> ?){0,3}(`{3,8}|~{3,8})[^\n`]{0,100}\n/g;
const INLINE = /`([^`\n]{1,2000})`/g;
const QUOTE_LINE = /(?:^|\n) {0,3}> ?[^\n]{1,20000}/g;
/** Opening and closing marks. Straight ones are the same. */
const QUOTATION =
  /"[^"\n]{3,600}"|“[^”\n]{3,600}”|„[^“”\n]{3,600}[“”]|«[^»\n]{3,600}»|「[^」\n]{3,600}」|『[^』\n]{3,600}』|(?<![\p{L}\d])'[^'\n]{3,300}'(?![\p{L}\d])|(?<![\p{L}\d])'[^\n"]{3,300}?[.!?]?'(?![\p{L}\d])/gu;
/** A quotation that fills its paragraph is not a quotation by somebody. */
const MIN_BESIDE = 12;

function quotedSpans(text: string): Span[] {
  const spans = fencedSpans(text);
  for (const { index, 0: match } of text.matchAll(QUOTE_LINE)) spans.push({ start: index, end: index + match.length });
  for (const form of [INLINE, QUOTATION]) {
    for (const { index, 0: match } of text.matchAll(form)) {
      const span = { start: index, end: index + match.length };
      if (!isAlone(text, span)) spans.push(span);
    }
  }
  return joined(spans);
}

function fencedSpans(text: string): Span[] {
  const spans: Span[] = [];
  FENCE.lastIndex = 0;
  for (let opened = FENCE.exec(text); opened !== null; opened = FENCE.exec(text)) {
    const start = opened.index;
    const closing = text.indexOf(`\n${opened[1] ?? ''}`, FENCE.lastIndex - 1);
    const end = closing < 0 ? text.length : closing + 4;
    spans.push({ start, end });
    FENCE.lastIndex = end;
  }
  return spans;
}

function isAlone(text: string, { start, end }: Span): boolean {
  const before =
    text
      .slice(Math.max(0, start - 200), start)
      .split('\n')
      .at(-1) ?? '';
  const after = text.slice(end, end + 200).split('\n', 1)[0] ?? '';
  return (before + after).replace(/[^\p{L}]/gu, '').length < MIN_BESIDE;
}

/** Sorted and not nested, so that only the last one that begins before a place can contain it. */
function joined(spans: readonly Span[]): Span[] {
  const result: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
}

function placesOf(text: string, form: RegExp): number[] {
  return Array.from(text.matchAll(form), ({ index }) => index);
}

function countAround(places: readonly number[], start: number, end: number): number {
  const before = firstAfter(places, start - 1) - firstAfter(places, start - NEAR);
  return before + firstAfter(places, end + NEAR) - firstAfter(places, end);
}

/** The index of the first place after `at`. */
function firstAfter(places: readonly number[], at: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}
