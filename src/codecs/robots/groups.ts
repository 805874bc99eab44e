import { canParseUrl } from '../primitives/can-parse-url.ts';
import { readRecord } from './records.ts';
import { readUsageLine, type UsageLine } from './usage-lines.ts';

export interface RobotsRule {
  readonly allow: boolean;
  /** As written in the file, never empty. */
  readonly path: string;
}

export interface RobotsGroup {
  /** Product tokens in lower case, and `*`. */
  readonly agents: readonly string[];
  readonly rules: readonly RobotsRule[];
}

export interface ParsedGroup extends RobotsGroup {
  /** The lines about the use of pages. */
  readonly usage: readonly UsageLine[];
}

export interface ParsedGroups {
  readonly groups: readonly ParsedGroup[];
  /** The longest delay requested for each agent, in milliseconds. */
  readonly crawlDelays: ReadonlyMap<string, number>;
  readonly sitemaps: readonly string[];
  /** Files that say what the pages may be used for. They apply to every agent. */
  readonly licenses: readonly string[];
}

const MAX_CRAWL_DELAY_MS = 60 * 60 * 1000;

/**
 * RFC 9309 §2.1: a group is a run of user-agent lines and the rules after it. Only a user-agent line after a rule begins
 * the next group: other records, empty lines and nonsense do not. Rules before the first group belong to nobody.
 */
export function parseGroups(text: string): ParsedGroups {
  const groups: { agents: Set<string>; rules: RobotsRule[]; usage: UsageLine[]; closed: boolean }[] = [];
  const crawlDelays = new Map<string, number>();
  const sitemaps = new Set<string>();
  const licenses = new Set<string>();
  for (const line of text.split(/[\r\n]+/)) {
    const record = readRecord(line);
    const group = groups.at(-1);
    switch (record?.kind) {
      case 'user-agent':
        if (group === undefined || group.closed) {
          groups.push({ agents: new Set([record.agent]), rules: [], usage: [], closed: false });
        } else group.agents.add(record.agent);
        break;
      case 'allow':
      case 'disallow':
        if (group === undefined) break;
        group.closed = true;
        // An empty pattern matches nothing (RFC 9309 §2.2.2), yet it is a rule and ends the run of user-agent lines.
        if (record.value !== '') group.rules.push({ allow: record.kind === 'allow', path: record.value });
        break;
      case 'crawl-delay':
        raise(crawlDelays, group?.agents ?? [], delayMs(record.value));
        break;
      case 'sitemap':
        if (isWebUrl(record.value)) sitemaps.add(record.value);
        break;
      case 'license':
        if (isWebUrl(record.value)) licenses.add(record.value);
        break;
      case 'content-usage':
      case 'content-signal':
        group?.usage.push(readUsageLine(record.kind, record.value));
        break;
    }
  }
  return {
    // User-agent lines without a name still form a group; its rules apply to no agent.
    groups: groups.map(({ agents, rules, usage }) => ({
      agents: [...agents].filter((agent) => agent !== ''),
      rules,
      usage,
    })),
    crawlDelays,
    sitemaps: [...sitemaps],
    licenses: [...licenses],
  };
}

/** Applies to the agents named so far in the group: many sites write only a delay under a name, then name the next agent. */
function raise(delays: Map<string, number>, agents: Iterable<string>, askedMs: number): void {
  if (askedMs === 0) return;
  for (const agent of agents) delays.set(agent, Math.max(delays.get(agent) ?? 0, askedMs));
}

/** Seconds, with decimals. Any other value requests no delay. */
function delayMs(value: string): number {
  if (!/^(?:\d+\.?\d*|\.\d+)$/.test(value)) return 0;
  return Math.min(Math.ceil(Number(value) * 1000), MAX_CRAWL_DELAY_MS);
}

function isWebUrl(value: string): boolean {
  return /^https?:\/\//i.test(value) && canParseUrl(value);
}
