import { shorten } from '../codecs/primitives/shorten.ts';
import { matchesPath, readPathRule } from '../codecs/robots/path-rule.ts';
import { urlPath } from '../codecs/robots/url-path.ts';
import { type RslContent, rslWishes } from '../codecs/usage-terms/rsl.ts';
import type { UsageSignal } from '../codecs/usage-terms/usage.ts';

/** What licences say about one page: those with the most specific matching pattern. */
export function rslSignals(contents: readonly RslContent[], url: URL, where: string): readonly UsageSignal[] {
  return mostSpecific(contents, (content) => patternOf(content, url), url).map((content) => ({
    vocabulary: 'rsl',
    where,
    said: shorten(saidIn(content)),
    wishes: rslWishes(content),
    ...(content.server !== undefined && { note: `A licence is to be got at ${shorten(content.server)} first.` }),
  }));
}

/** Of the rules by path that match a page, those with the most specific pattern. */
export function mostSpecific<T>(
  rules: readonly T[],
  patternIn: (rule: T) => string | undefined,
  url: URL,
): readonly T[] {
  const path = rules.length === 0 ? undefined : urlPath(url);
  if (path === undefined) return [];
  const matching = rules.flatMap((rule) => {
    const pattern = patternIn(rule);
    const read = pattern === undefined || pattern === '' ? undefined : readPathRule(true, pattern);
    return read !== undefined && matchesPath(read, path) ? [{ rule, octets: read.octets }] : [];
  });
  const most = Math.max(...matching.map(({ octets }) => octets));
  return matching.filter(({ octets }) => octets === most).map(({ rule }) => rule);
}

/** A pattern with a host applies only to that host. */
function patternOf({ url: pattern }: RslContent, url: URL): string | undefined {
  const [, origin, path = '/'] = /^(https?:\/\/[^/]+)(\/.*)?$/i.exec(pattern) ?? [];
  if (origin === undefined) return pattern.startsWith('/') ? pattern : undefined;
  return origin.toLowerCase() === url.origin ? path : undefined;
}

function saidIn({ licenses }: RslContent): string {
  return licenses
    .flatMap(({ permits, prohibits, payment }) => [
      ...permits.map((word) => `permits ${word}`),
      ...prohibits.map((word) => `prohibits ${word}`),
      ...(payment === undefined ? [] : [`payment ${payment}`]),
    ])
    .join(', ');
}
