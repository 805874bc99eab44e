import type { HeaderRule } from '../model/artifact.ts';

/** Hosts accept about a hundred rules for a whole site. */
const MOST_ALIKE = 10;
/** The number or digest that distinguishes a file from others of its kind: `ai-changes-12.ndjson`, `resourcelist-1c7f8895538f.xml`. */
const OWN_PART = /(?<=[-/])(?:\d+|[0-9a-f]{12})(?=\.[a-z]+$)/;

/** The same rules in the same order. Many files that differ only in their number and have the same headers share one rule. */
export function fewRules(rules: readonly HeaderRule[]): readonly HeaderRule[] {
  const alike = new Map<string, number>();
  for (const rule of rules) alike.set(kindOf(rule), (alike.get(kindOf(rule)) ?? 0) + 1);
  const few = new Map<string, HeaderRule>();
  for (const rule of rules) {
    const isOfMany = (alike.get(kindOf(rule)) ?? 0) > MOST_ALIKE;
    const path = isOfMany ? patternOf(rule) : rule.path;
    const key = isOfMany ? kindOf(rule) : `${path} alone`;
    if (!few.has(key)) few.set(key, { ...rule, path });
  }
  return [...few.values()];
}

function patternOf({ path }: HeaderRule): string {
  return path.replace(OWN_PART, '*');
}

/** Only by the headers: an artifact is a rule, too, and also has bytes. */
function kindOf(rule: HeaderRule): string {
  const { mediaType, cacheControl, cdnCacheControl, isOpen, link } = rule;
  return JSON.stringify([patternOf(rule), mediaType, cacheControl, cdnCacheControl, isOpen, link]);
}
