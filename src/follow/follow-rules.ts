/**
 * FollowRules: which events are delivered. In addition to rules for pages and elements there are rules for sections, which begin with `#`:
 *
 *     { "only": ["/docs/**", "#install", "#limits-*"], "ignore": ["#changelog"] }
 *
 * `#install` may also be the id of an element: with content, only that element is read of a page that has no section of that name.
 */
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { matchesWildcards } from '../extract/rules/path-glob.ts';
import { createReadingRules, MAX_RULE_LENGTH, MAX_RULES, type ReadingRules } from '../extract/rules/reading-rules.ts';
import { readSelectors } from '../extract/rules/selector.ts';
import type { GivenRules } from '../model/given-rules.ts';
import type { Page } from '../model/page.ts';

export interface FollowRules extends ReadingRules {
  /** Absent if no rule is about sections. */
  readonly sections?: SectionRules;
}

export interface SectionRules {
  /** Whether events of a section with this name are delivered; undefined if only its page can show that. */
  wants(anchor: string): boolean | undefined;
  /** Whether events of whole pages are delivered if their sections are unknown; undefined if only the page can show that. */
  readonly wantsPages: boolean | undefined;
  /** The rules without the ids that are names of sections of this page. */
  readingOf(page: Page): ReadingRules;
  /** The rules without all ids, for pages that must be read before their sections are known. */
  readonly withoutIds: ReadingRules;
}

/** Throws a {@link SettingRefusedError} that names the invalid rule. */
export function createFollowRules(given: GivenRules): FollowRules {
  const [ignored, chosen] = [splitRules('ignore', given.ignore), splitRules('only', given.only)];
  const reading = createReadingRules({ ignore: ignored.others, only: chosen.others });
  if (ignored.globs.length + chosen.globs.length === 0) return reading;
  const withoutIds = createReadingRules({ ignore: ignored.others, only: chosen.others.filter((rule) => !idOf(rule)) });
  const isIn = (globs: readonly string[], anchor: string) => globs.some((glob) => matchesWildcards(glob, anchor));
  const isById = chosen.others.some(idOf);
  const elsewhere = isById ? undefined : false;
  return {
    ...reading,
    sections: {
      wants(anchor) {
        if (isIn(ignored.globs, anchor)) return false;
        return chosen.globs.length === 0 || isIn(chosen.globs, anchor) || elsewhere;
      },
      wantsPages: chosen.globs.length === 0 || elsewhere,
      readingOf: (page) =>
        isById && page.sections.some(({ anchor }) => isIn(chosen.globs, anchor)) ? withoutIds : reading,
      withoutIds,
    },
  };
}

interface SplitRules {
  /** Of names of sections. */
  readonly globs: readonly string[];
  /** For pages and elements. */
  readonly others: readonly string[];
}

function splitRules(setting: keyof GivenRules, texts: readonly string[] = []): SplitRules {
  if (texts.length > MAX_RULES)
    throw new SettingRefusedError(setting, `(${texts.length} rules)`, `Give at most ${MAX_RULES}.`);
  const isGlob = (text: string) => /^#[^\s,>[\]]*[*?][^\s,>[\]]*$/.test(text);
  const tooLong = texts.find((text) => isGlob(text) && text.length > MAX_RULE_LENGTH);
  if (tooLong !== undefined) {
    const shown = JSON.stringify(tooLong.slice(0, MAX_RULE_LENGTH));
    throw new SettingRefusedError(setting, shown, `Give a name of at most ${MAX_RULE_LENGTH} characters.`);
  }
  return {
    globs: texts.flatMap((text) => (isGlob(text) ? text.slice(1) : (idOf(text) ?? []))),
    others: texts.filter((text) => !isGlob(text)),
  };
}

/** The id, if the rule is nothing else. */
function idOf(rule: string): string | undefined {
  if (!rule.startsWith('#')) return undefined;
  const selectors = readSelectors(rule);
  const [only, ...others] = selectors.ok ? selectors.value : [];
  if (only === undefined || others.length > 0 || only.next !== undefined) return undefined;
  const { type, ids, classes, attributes } = only.compound;
  return type === undefined && classes.length + attributes.length === 0 && ids.length === 1 ? ids[0] : undefined;
}
