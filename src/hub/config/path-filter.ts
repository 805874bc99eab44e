import { matchesPath, type PathRule, readPathRule } from '../../codecs/robots/path-rule.ts';
import { urlPath } from '../../codecs/robots/url-path.ts';
import type { SourceConfig } from './source-config.ts';

/** Whether a page belongs to a source. */
export type PathFilter = (url: string) => boolean;

/**
 * The pages that an operator wants of a source, by path and query. The patterns are those of robots.txt (RFC 9309 §2.2.3) and match as they do there.
 * `exclude` overrides `include`, whatever their lengths.
 *
 * @example
 * const accepts = createPathFilter({ include: ['/docs/'], exclude: ['/docs/*.pdf$'] });
 * accepts('https://docs.example/docs/a'); // true
 */
export function createPathFilter({
  include = [],
  exclude = [],
}: Pick<SourceConfig, 'include' | 'exclude'>): PathFilter {
  if (include.length === 0 && exclude.length === 0) return () => true;
  const wanted = include.map(ruleOf);
  const unwanted = exclude.map(ruleOf);
  return (url) => {
    const path = urlPath(url);
    if (path === undefined) return false;
    const matches = (rule: PathRule) => matchesPath(rule, path);
    return (wanted.length === 0 || wanted.some(matches)) && !unwanted.some(matches);
  };
}

function ruleOf(pattern: string): PathRule {
  return readPathRule(false, pattern);
}
