/**
 * robots.txt: which paths of an origin a crawler may ask for.
 *
 *     User-agent: AIWebIndex
 *     Disallow: /private/
 *     Allow: /private/*.html$
 *     Crawl-delay: 5
 *
 *     Sitemap: https://docs.example/sitemap.xml
 *
 * Spec: https://www.rfc-editor.org/rfc/rfc9309. Any text is a robots.txt: what cannot be understood says nothing.
 * Where the specification leaves room, the reading that allows less is taken.
 */

import { type ParsedGroup, parseGroups, type RobotsGroup } from './groups.ts';
import { matchesPath, type PathRule, readPathRule, searches } from './path-rule.ts';
import { agentName } from './records.ts';
import { robotsText } from './robots-text.ts';
import { ROBOTS_PATH, type UrlPath, urlPath } from './url-path.ts';
import { type SaidUsage, usageAt } from './usage-lines.ts';

/**
 * How much of a path all wildcard rules together may search: 10,000 rules in a URL of 1,000 characters. A file and a URL
 * that are made to need more get no permission rather than all of our time.
 */
const MAX_SEARCHED_CHARACTERS = 10_000_000;

export interface Robots {
  /** The groups as they stand in the file; agents in lower case. */
  readonly groups: readonly RobotsGroup[];
  /** Every `Sitemap:` that is an http(s) URL, without repetition. */
  readonly sitemaps: readonly string[];
  /** Every `License:` that is an http(s) URL, without repetition: files that say what the pages may be used for. */
  readonly licenses: readonly string[];
  /** Only the path and the query of `url` are looked at: whether this file governs its origin is the caller's to know. */
  allows(productToken: string, url: string | URL): boolean;
  /** The pause that the site asks of this crawler, at most an hour. It may raise a pause of one's own, never lower it. */
  crawlDelayMs(productToken: string): number | undefined;
  /** What the file says of the use of a page, by the most specific of its `Content-Usage` and `Content-Signal` lines. */
  usageOf(productToken: string, url: string | URL): readonly SaidUsage[];
}

/**
 * Reads the first 500 KiB of a robots.txt. Bytes need not be UTF-8: those that are not stand for themselves.
 *
 * @example
 * const robots = parseRobots('User-agent: *\nDisallow: /private/\nCrawl-delay: 5');
 * robots.allows('AIWebIndex', 'https://docs.example/private/a'); // false
 * robots.crawlDelayMs('AIWebIndex'); // 5000
 */
export function parseRobots(robotsTxt: string | Uint8Array): Robots {
  const { groups, crawlDelays, sitemaps, licenses } = parseGroups(robotsText(robotsTxt));
  const groupsOf = indexByAgent(groups);
  const rulesOf = new Map<string, readonly PathRule[]>();

  /** RFC 9309 §2.2.1: `*` speaks only to those who are not named. */
  const addressed = (productToken: string): string => {
    const name = agentName(productToken);
    return groupsOf.has(name) ? name : '*';
  };
  const robots: Robots = {
    groups: groups.map(({ agents, rules }) => ({ agents, rules })),
    sitemaps,
    licenses,
    allows(productToken, url) {
      const path = urlPath(url);
      if (path === undefined) return false;
      const agent = addressed(productToken);
      const rules = rulesOf.get(agent) ?? bySpecificity(groupsOf.get(agent) ?? []);
      rulesOf.set(agent, rules);
      return isAllowed(rules, path);
    },
    crawlDelayMs: (productToken) => crawlDelays.get(addressed(productToken)),
    usageOf(productToken, url) {
      const path = urlPath(url);
      if (path === undefined || !robots.allows(productToken, url)) return [];
      const lines = (groupsOf.get(addressed(productToken)) ?? []).flatMap(({ usage }) => usage);
      return usageAt(lines, path);
    },
  };
  return robots;
}

/**
 * Whether the crawler of that product token may ask for `url`, by the robots.txt of its origin (RFC 9309).
 * A `url` that is no URL may not be asked for.
 *
 * @example
 * robotsAllow('User-agent: *\nDisallow: /private/', 'AIWebIndex', 'https://docs.example/guide'); // true
 */
export function robotsAllow(robotsTxt: string, productToken: string, url: string): boolean {
  return parseRobots(robotsTxt).allows(productToken, url);
}

/** RFC 9309 §2.2.2: the rule with the most octets decides, and /robots.txt itself may always be read. */
function isAllowed(rules: readonly PathRule[], path: UrlPath): boolean {
  if (path.asWritten === ROBOTS_PATH) return true;
  let unread = MAX_SEARCHED_CHARACTERS;
  for (const rule of rules) {
    if (searches(rule, path)) unread -= path.asWritten.length;
    if (unread < 0) return false;
    if (matchesPath(rule, path)) return rule.allow;
  }
  return true;
}

function indexByAgent(groups: readonly ParsedGroup[]): Map<string, ParsedGroup[]> {
  const index = new Map<string, ParsedGroup[]>();
  for (const group of groups) {
    for (const agent of group.agents) {
      const named = index.get(agent);
      if (named === undefined) index.set(agent, [group]);
      else named.push(group);
    }
  }
  return index;
}

/** The rules of all groups as one, the longest first; of two that are equally long, `Allow` comes first. */
function bySpecificity(groups: readonly RobotsGroup[]): PathRule[] {
  const rules = new Map<string, PathRule>();
  for (const { allow, path } of groups.flatMap((group) => group.rules)) {
    const key = `${allow} ${path}`;
    if (!rules.has(key)) rules.set(key, readPathRule(allow, path));
  }
  return [...rules.values()].sort((a, b) => b.octets - a.octets || Number(b.allow) - Number(a.allow));
}
