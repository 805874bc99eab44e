/**
 * robots.txt: which paths of an origin a crawler may request.
 *
 *     User-agent: AIWebIndex
 *     Disallow: /private/
 *     Allow: /private/*.html$
 *     Crawl-delay: 5
 *
 *     Sitemap: https://docs.example/sitemap.xml
 *
 * Spec: https://www.rfc-editor.org/rfc/rfc9309. Any text is a valid robots.txt: lines that cannot be understood are ignored.
 * Where the specification is open, this code chooses the reading that allows less.
 */

import { type ParsedGroup, parseGroups, type RobotsGroup } from './groups.ts';
import { matchesPath, type PathRule, readPathRule, searches } from './path-rule.ts';
import { agentName } from './records.ts';
import { robotsText } from './robots-text.ts';
import { ROBOTS_PATH, type UrlPath, urlPath } from './url-path.ts';
import { type SaidUsage, usageAt } from './usage-lines.ts';

/**
 * How many characters all wildcard rules together may search: 10,000 rules in a URL of 1,000 characters. A file and a URL
 * built to need more get no permission instead of all our time.
 */
const MAX_SEARCHED_CHARACTERS = 10_000_000;

export interface Robots {
  /** The groups in the order of the file, with agents in lower case. */
  readonly groups: readonly RobotsGroup[];
  /** Every `Sitemap:` that is an http(s) URL, without repetition. */
  readonly sitemaps: readonly string[];
  /** Every `License:` that is an http(s) URL, without repetition: files that say what the pages may be used for. */
  readonly licenses: readonly string[];
  /** Uses only the path and the query of `url`: the caller must know whether this file applies to its origin. */
  allows(productToken: string, url: string | URL): boolean;
  /** The pause that the site requests from this crawler, at most an hour. Use it to raise your own pause, never to lower it. */
  crawlDelayMs(productToken: string): number | undefined;
  /** What the file says about the use of a page, from the most specific `Content-Usage` and `Content-Signal` lines. */
  usageOf(productToken: string, url: string | URL): readonly SaidUsage[];
}

/**
 * Reads the first 500 KiB of a robots.txt. Bytes need not be UTF-8: invalid ones stand for themselves.
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

  /** RFC 9309 §2.2.1: `*` applies only to crawlers that are not named. */
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
 * Whether the crawler with that product token may request `url`, by the robots.txt of its origin (RFC 9309).
 * False if `url` is not a URL.
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

/** The rules of all groups in one list, the longest first; of two equally long rules, `Allow` comes first. */
function bySpecificity(groups: readonly RobotsGroup[]): PathRule[] {
  const rules = new Map<string, PathRule>();
  for (const { allow, path } of groups.flatMap((group) => group.rules)) {
    const key = `${allow} ${path}`;
    if (!rules.has(key)) rules.set(key, readPathRule(allow, path));
  }
  return [...rules.values()].sort((a, b) => b.octets - a.octets || Number(b.allow) - Number(a.allow));
}
