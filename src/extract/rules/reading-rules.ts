/**
 * ReadingRules: what an operator excludes from a site, or reads exclusively. A rule that begins with `/` selects pages, any other one selects elements.
 *
 *     { "ignore": ["/log/**", ".build-stamp"], "only": ["main"] }
 */
import { hash } from 'node:crypto';
import { accept, type Result, refuse } from '../../codecs/primitives/result.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import type { GivenRules } from '../../model/given-rules.ts';
import { EXTRACTOR } from '../extractor-version.ts';
import { matchesGlob, type PathGlob, pathOf, readPathGlob } from './path-glob.ts';
import type { ElementRules } from './ruled-tree.ts';
import { readSelectors, type SelectorStep } from './selector.ts';

export interface ReadingRules extends ElementRules {
  /**
   * Identifies how pages are read: the version of the extractor, and the rules if they select elements. Fingerprints of different extractors are not
   * comparable.
   */
  readonly extractor: string;
  readonly given: GivenRules;
  /** Whether the page at this address belongs to the site. */
  accepts(url: string): boolean;
}

export const MAX_RULES = 100;
export const MAX_RULE_LENGTH = 500;
/** For all selectors together, because each is tried on every element. */
const MAX_STEPS = 300;

type Rule =
  | { readonly is: 'path'; readonly glob: PathGlob }
  | { readonly is: 'elements'; readonly selectors: readonly SelectorStep[] };

/** Nothing is left out. */
export const NO_RULES: ReadingRules = {
  extractor: EXTRACTOR,
  given: {},
  ignore: [],
  only: [],
  accepts: () => true,
};

/** Refuses with a reason that does not repeat the rule. */
export function readRule(text: string): Result<Rule> {
  if (text.trim() === '' || text.length > MAX_RULE_LENGTH) {
    return refuse('', `Give a selector or a path of 1 to ${MAX_RULE_LENGTH} characters.`);
  }
  if (text.startsWith('/')) {
    const glob = readPathGlob(text);
    return glob.ok ? accept({ is: 'path', glob: glob.value }) : glob;
  }
  const selectors = readSelectors(text);
  if (!selectors.ok) return selectors;
  if (selectors.value.some(isWholePage)) return refuse('', 'It means the whole page. Name a part of it.');
  return accept({ is: 'elements', selectors: selectors.value });
}

function isWholePage({ compound, next }: SelectorStep): boolean {
  const { type = '*', ids, classes, attributes } = compound;
  return next === undefined && /^(?:\*|html|body)$/.test(type) && ids.length + classes.length + attributes.length === 0;
}

/** Throws a {@link SettingRefusedError} that names the wrong rule. */
export function createReadingRules(given: GivenRules | undefined): ReadingRules {
  const { ignore = [], only = [] } = given ?? {};
  if (ignore.length + only.length === 0) return NO_RULES;
  const left = rulesOf('ignore', ignore);
  const chosen = rulesOf('only', only);
  const elements = { ignore: selectorsOf(left), only: selectorsOf(chosen) };
  const steps = [...elements.ignore, ...elements.only].reduce((sum, step) => sum + lengthOf(step), 0);
  if (steps > MAX_STEPS) {
    throw new SettingRefusedError('ignore and only', `(${steps} parts of selectors)`, `Give at most ${MAX_STEPS}.`);
  }
  const [unwanted, wanted] = [globsOf(left), globsOf(chosen)];
  return {
    ...elements,
    extractor: extractorOf(ignore, only),
    given: { ...(ignore.length > 0 && { ignore }), ...(only.length > 0 && { only }) },
    accepts(url) {
      if (unwanted.length + wanted.length === 0) return true;
      const path = pathOf(url);
      if (path === undefined) return true;
      const isMeant = (glob: PathGlob) => matchesGlob(glob, path);
      return (wanted.length === 0 || wanted.some(isMeant)) && !unwanted.some(isMeant);
    },
  };
}

function rulesOf(setting: keyof GivenRules, texts: readonly string[]): readonly Rule[] {
  if (texts.length > MAX_RULES)
    throw new SettingRefusedError(setting, `(${texts.length} rules)`, `Give at most ${MAX_RULES}.`);
  return texts.map((text) => {
    const rule = readRule(text);
    if (rule.ok) return rule.value;
    throw new SettingRefusedError(setting, JSON.stringify(text.slice(0, MAX_RULE_LENGTH)), rule.issues[0].message);
  });
}

function selectorsOf(rules: readonly Rule[]): readonly SelectorStep[] {
  return rules.flatMap((rule) => (rule.is === 'elements' ? rule.selectors : []));
}

function globsOf(rules: readonly Rule[]): readonly PathGlob[] {
  return rules.flatMap((rule) => (rule.is === 'path' ? [rule.glob] : []));
}

function lengthOf(step: SelectorStep): number {
  return 1 + (step.next === undefined ? 0 : lengthOf(step.next.step));
}

/** The choice of pages and the order of rules do not change fingerprints. */
function extractorOf(ignore: readonly string[], only: readonly string[]): string {
  const [left, chosen] = [ignore, only].map((rules) => [...new Set(rules.filter(isOfElements))].sort());
  if (left?.length === 0 && chosen?.length === 0) return EXTRACTOR;
  return `${EXTRACTOR}+${hash('sha256', JSON.stringify([left, chosen]), 'hex').slice(0, 12)}`;
}

function isOfElements(rule: string): boolean {
  return !rule.startsWith('/');
}
