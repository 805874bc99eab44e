import type { LivePages } from '../crawl/live-page.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { ReaderPorts } from '../dialects/reader.ts';
import type { FollowRules } from './follow-rules.ts';
import type { FollowState } from './follow-state.ts';
import type { SiteDialect } from './site-rung.ts';
import type { ToldLog } from './told-log.ts';

/** What every part of a poll needs. */
export interface Reading extends Omit<ReaderPorts, 'remembered'> {
  /** The dialects that may be read, in the order in which they are looked for. */
  readonly dialects: readonly Dialect[];
  /** The last one: the site itself, if it offers nothing else. */
  readonly site?: SiteDialect | undefined;
  /** What was delivered so far. Without it, a broken feed is not replaced by its pages. */
  readonly told?: ToldLog | undefined;
  /** For the pages that events name. */
  readonly pages: LivePages;
  readonly state: FollowState;
  /** Which pages and sections, and which parts of them, are delivered. Absent: all. */
  readonly rules?: FollowRules | undefined;
}
