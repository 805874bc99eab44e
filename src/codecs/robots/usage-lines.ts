import { matchesPath, type PathRule, readPathRule } from './path-rule.ts';
import type { UsageKind } from './records.ts';
import type { UrlPath } from './url-path.ts';

/** What a robots.txt says of the use of pages: the value of a line, for others to understand. */
export interface SaidUsage {
  readonly kind: UsageKind;
  readonly value: string;
}

export interface UsageLine extends SaidUsage {
  /** The pages that it speaks of. */
  readonly rule: PathRule;
}

/** How many lines of one kind are looked through for a page. */
const MAX_LINES = 1000;

/** `Content-Usage: /docs/ train-ai=n`, with or without the path. */
export function readUsageLine(kind: UsageKind, text: string): UsageLine {
  const [, path = '/', value = ''] = /^(?:(\/[^ \t]*)[ \t]*)?(.*)$/s.exec(text) ?? [];
  return { kind, value, rule: readPathRule(true, path) };
}

/** Of each kind the lines with the most specific path; where several have it, all of them. */
export function usageAt(lines: readonly UsageLine[], path: UrlPath): readonly SaidUsage[] {
  return (['content-usage', 'content-signal'] as const).flatMap((kind) => {
    const matching = lines.filter((line) => line.kind === kind).slice(0, MAX_LINES);
    const here = matching.filter(({ rule }) => matchesPath(rule, path));
    const most = here.reduce((octets, { rule }) => Math.max(octets, rule.octets), 0);
    return here.filter(({ rule }) => rule.octets === most).map(({ value }) => ({ kind, value }));
  });
}
