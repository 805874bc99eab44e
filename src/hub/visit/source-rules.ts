import { createReadingRules } from '../../extract/rules/reading-rules.ts';
import { rulesToRemember, type SiteRules, siteRulesOf } from '../../produce/site-rules.ts';
import { createPathFilter, type PathFilter } from '../config/path-filter.ts';
import type { SourceConfig } from '../config/source-config.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import type { SourceReading } from './source-reading.ts';

/** Which pages of a source are read, and which parts of them. */
export interface SourceRules {
  /** From `include` and `exclude`: other pages are left as they are. */
  readonly filter: PathFilter;
  /** From `ignore` and `only`: pages that they leave out are forgotten. */
  readonly rules: SiteRules;
  /** Whether both accept a page. */
  readonly accepts: PathFilter;
}

export function sourceRulesOf(config: SourceConfig, health?: WatchedSource['health']): SourceRules {
  const filter = createPathFilter(config);
  const rules = siteRulesOf(createReadingRules(config), health?.rules);
  return { filter, rules, accepts: (url) => filter(url) && rules.now.accepts(url) };
}

/** The rules that the next reading needs to know. */
export function rulesRead({ rules }: SourceRules): Pick<SourceReading, 'rules'> {
  const remembered = rulesToRemember(rules);
  return remembered === undefined ? {} : { rules: remembered };
}

/** The note about pages without anything that `only` names. */
export function unmatchedNotes(unmatched: number | undefined): readonly string[] {
  if (unmatched === undefined || unmatched === 0) return [];
  return [`${unmatched === 1 ? '1 page has' : `${unmatched} pages have`} nothing that only names: read as usual.`];
}
