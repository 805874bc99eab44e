/**
 * FollowRules: which events are handed on. To the rules for pages and elements come those for sections, which begin with `#`:
 *
 *     { "only": ["/docs/**", "#install", "#limits-*"], "ignore": ["#changelog"] }
 *
 * `#install` is the id of an element, too: with content, a page that has no section of that name is read by that element alone.
 */
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { matchesWildcards } from '../extract/rules/path-glob.ts';
import { createReadingRules, MAX_RULE_LENGTH, MAX_RULES, type ReadingRules } from '../extract/rules/reading-rules.ts';
import { readSelectors } from '../extract/rules/selector.ts';
import type { GivenRules } from '../model/given-rules.ts';
import type { Page } from '../model/page.ts';

export interface FollowRules extends ReadingRules {
  /** Absent where no rule is about sections. */
  readonly sections?: SectionRules;
}

export interface SectionRules {
  /** Whether a section of this name is told of; undefined where only its page shows that. */
  wants(anchor: string): boolean | undefined;
  /** Whether whole pages are told of, where nothing is known of their sections; undefined where only they show that. */
  readonly wantsPages: boolean | undefined;
  /** The rules without the ids that are names of sections of this page. */
  readingOf(page: Page): ReadingRules;
  /** Without all of them: for whoever reads pages before it is known what they have. */
  readonly withoutIds: ReadingRules;
}

/** Throws a {@link SettingRefusedError} that names the rule which is wrong. */
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

/** Of a rule that is an id and nothing else. */
function idOf(rule: string): string | undefined {
  if (!rule.startsWith('#')) return undefined;
  const selectors = readSelectors(rule);
  const [only, ...others] = selectors.ok ? selectors.value : [];
  if (only === undefined || others.length > 0 || only.next !== undefined) return undefined;
  const { type, ids, classes, attributes } = only.compound;
  return type === undefined && classes.length + attributes.length === 0 && ids.length === 1 ? ids[0] : undefined;
}
