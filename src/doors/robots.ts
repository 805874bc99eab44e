/** `tidings/robots`: robots.txt by RFC 9309, as values. Nothing is fetched. */

export type { RobotsGroup, RobotsRule } from '../codecs/robots/groups.ts';
export type { UsageKind } from '../codecs/robots/records.ts';
export { parseRobots, type Robots, robotsAllow } from '../codecs/robots/robots.ts';
export type { SaidUsage } from '../codecs/robots/usage-lines.ts';
