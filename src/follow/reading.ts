import type { LivePages } from '../crawl/live-page.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { ReaderPorts } from '../dialects/reader.ts';
import type { ReadingRules } from '../extract/rules/reading-rules.ts';
import type { FollowState } from './follow-state.ts';

/** What every part of a poll needs. */
export interface Reading extends Omit<ReaderPorts, 'remembered'> {
  /** Those that may be read, in the order in which they are looked for. */
  readonly dialects: readonly Dialect[];
  /** For the pages that events name. */
  readonly pages: LivePages;
  readonly state: FollowState;
  /** Which pages, and which parts of them, are handed on. Absent: all. */
  readonly rules?: ReadingRules | undefined;
}
