import { TidingsError } from '../errors/tidings-error.ts';
import { createReadingRules, NO_RULES, type ReadingRules } from '../extract/rules/reading-rules.ts';
import type { KnownPages } from '../log/pages-file.ts';
import type { GivenRules } from '../model/given-rules.ts';

/** The rules by which the pages of a site are read now, and those by which the known pages were read. */
export interface SiteRules {
  readonly now: ReadingRules;
  /** The newest first. */
  readonly before: readonly ReadingRules[];
}

/** How many sets of rules are stored: a page that could not be read since they changed was read by an earlier one. */
const MAX_REMEMBERED = 4;

export const UNRULED: SiteRules = { now: NO_RULES, before: [] };

/** Stored rules may come from elsewhere: unreadable rules count as forgotten. */
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

/** Whether an unknown page is not new because the previous rules left it out. */
export function wasLeftOut(url: string, { before: [last] }: SiteRules): boolean {
  return last !== undefined && !last.accepts(url);
}

/** The rules by which a page was read; undefined if they are not stored, or if another version of the extractor read it. */
export function rulesReading(extractor: string, { before }: SiteRules): ReadingRules | undefined {
  return [NO_RULES, ...before].find((rules) => rules.extractor === extractor);
}

/** The rules to store, the newest first; undefined if there never were any. */
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

/** What to check if a site has almost no content: includes the rules, if there are any. */
export function adviceWith<S extends { readonly advice: string }>(source: S, { given }: ReadingRules): S {
  return isEmpty(given) ? source : { ...source, advice: `${source.advice}, and what the rules leave of it` };
}

/** The known pages without those that the rules leave out: they are dropped without a report. */
export function withoutIgnored<K extends KnownPages>(known: K, { accepts }: ReadingRules): K {
  if (accepts === NO_RULES.accepts) return known;
  return { ...known, pages: new Map([...known.pages].filter(([url]) => accepts(url))) };
}
