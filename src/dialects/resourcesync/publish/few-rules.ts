import type { HeaderRule } from '../../../model/artifact.ts';
import { byPath } from '../lists/paths.ts';

/** Hosts take about a hundred rules for a whole site. */
const MOST_ALIKE = 10;

/** The rules of documents in the order of their paths; where many files differ by their number alone, one for all of them. */
export function fewRules(rules: readonly HeaderRule[]): readonly HeaderRule[] {
  const alike = new Map<string, number>();
  const patternOf = ({ path }: HeaderRule) =>
    path.replace(/(?<=\/(?:change|resource)list-)(?!index)\w+(?=\.xml$)/, '*');
  for (const rule of rules) alike.set(patternOf(rule), (alike.get(patternOf(rule)) ?? 0) + 1);
  const few = new Map<string, HeaderRule>();
  for (const rule of rules) {
    const path = (alike.get(patternOf(rule)) ?? 0) > MOST_ALIKE ? patternOf(rule) : rule.path;
    if (!few.has(path)) few.set(path, { ...rule, path });
  }
  return [...few.values()].toSorted(byPath);
}
