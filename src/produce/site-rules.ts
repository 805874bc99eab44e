import { TidingsError } from '../errors/tidings-error.ts';
import { createReadingRules, NO_RULES, type ReadingRules } from '../extract/rules/reading-rules.ts';
import type { KnownPages } from '../log/pages-file.ts';
import type { GivenRules } from '../model/given-rules.ts';

/** By which rules the pages of a site are read, and by which those were that are known. */
export interface SiteRules {
  readonly now: ReadingRules;
  /** The newest first. */
  readonly before: readonly ReadingRules[];
}

/** So many sets of rules are remembered: a page that could not be read since they changed was read by an earlier one. */
const MAX_REMEMBERED = 4;

export const UNRULED: SiteRules = { now: NO_RULES, before: [] };

/** What is remembered may come from elsewhere: rules that cannot be read are as good as forgotten. */
export function siteRulesOf(now: ReadingRules, remembered: KnownPages['rules'] = []): SiteRules {
  return { now, before: remembered.slice(0, MAX_REMEMBERED).flatMap(readable) };
}

function readable(given: GivenRules): readonly ReadingRules[] {
  try {
    return [createReadingRules(given)];
  } catch (error) {
    if (error instanceof TidingsError) return [];
    throw error;
  }
}

/** Whether a page that is not known is none that is new: the rules had left it out. */
export function wasLeftOut(url: string, { before: [last] }: SiteRules): boolean {
  return last !== undefined && !last.accepts(url);
}

/** The rules that a page was read by; undefined where they are not remembered, or another version of the extractor read it. */
export function rulesReading(extractor: string, { before }: SiteRules): ReadingRules | undefined {
  return [NO_RULES, ...before].find((rules) => rules.extractor === extractor);
}

/** What is to be remembered, the newest first; undefined where there never were any rules. */
export function rulesToRemember({ now, before }: SiteRules): KnownPages['rules'] {
  const [last = NO_RULES] = before;
  const former = before.map(({ given }) => given);
  if (isSame(last.given, now.given)) return before.length === 0 ? undefined : former;
  return [now.given, ...former].filter((given, at) => at === 0 || !isEmpty(given)).slice(0, MAX_REMEMBERED);
}

function isSame(one: GivenRules, other: GivenRules): boolean {
  return JSON.stringify([one.ignore, one.only]) === JSON.stringify([other.ignore, other.only]);
}

function isEmpty({ ignore = [], only = [] }: GivenRules): boolean {
  return ignore.length + only.length === 0;
}

/** What to look at when nearly nothing is there: also the rules, where there are some. */
export function adviceWith<S extends { readonly advice: string }>(source: S, { given }: ReadingRules): S {
  return isEmpty(given) ? source : { ...source, advice: `${source.advice}, and what the rules leave of it` };
}

/** Known pages without those that the rules leave out: they are forgotten, and nobody hears of it. */
export function withoutIgnored<K extends KnownPages>(known: K, { accepts }: ReadingRules): K {
  if (accepts === NO_RULES.accepts) return known;
  return { ...known, pages: new Map([...known.pages].filter(([url]) => accepts(url))) };
}
