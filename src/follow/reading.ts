import type { LivePages } from '../crawl/live-page.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { ReaderPorts } from '../dialects/reader.ts';
import type { FollowRules } from './follow-rules.ts';
import type { FollowState } from './follow-state.ts';
import type { SiteDialect } from './site-rung.ts';
import type { ToldLog } from './told-log.ts';

/** What every part of a poll needs. */
export interface Reading extends Omit<ReaderPorts, 'remembered'> {
  /** Those that may be read, in the order in which they are looked for. */
  readonly dialects: readonly Dialect[];
  /** The last of them: the site itself, where it offers nothing else. */
  readonly site?: SiteDialect | undefined;
  /** What was handed on so far. Without it a feed that breaks is not given up for its pages. */
  readonly told?: ToldLog | undefined;
  /** For the pages that events name. */
  readonly pages: LivePages;
  readonly state: FollowState;
  /** Which pages and sections, and which parts of them, are handed on. Absent: all. */
  readonly rules?: FollowRules | undefined;
}
