import type { JobView } from '../../jobs/job-view.ts';
import type { Activity } from '../activity.ts';
import type { ChangeLine } from '../changes/change-line.ts';
import type { SourceLine, SourceWord } from '../sources/source-line.ts';

export interface BusySource {
  readonly source: string;
  readonly changes: number;
}

export interface OverviewFacts {
  /** How many sources are in each state. */
  readonly states: Readonly<Record<SourceWord, number>>;
  readonly sources: number;
  /** How many changes the log has had. */
  readonly changes: number;
  /** Sources that need attention, the worst first. */
  readonly attention: readonly SourceLine[];
  /** Newest first. */
  readonly recent: readonly ChangeLine[];
  /** Changes over time; absent while the catalogue cannot be read. */
  readonly activity?: Activity;
  /** The sources with the most changes in that time, the busiest first. */
  readonly busiest: readonly BusySource[];
  /** Whether the hub can write to its disk. */
  readonly writable: boolean;
  /** Long work that runs now, oldest first. */
  readonly jobs: readonly JobView[];
}
