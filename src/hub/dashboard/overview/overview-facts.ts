import type { ChangeLine } from '../changes/change-line.ts';
import type { SourceLine, SourceWord } from '../sources/source-line.ts';

export interface OverviewFacts {
  /** How many sources are in each state. */
  readonly states: Readonly<Record<SourceWord, number>>;
  readonly sources: number;
  /** How many changes the log has had. */
  readonly changes: number;
  /** Those that need somebody, the worst first. */
  readonly attention: readonly SourceLine[];
  /** Newest first. */
  readonly recent: readonly ChangeLine[];
  /** Whether the hub can write to its disk. */
  readonly writable: boolean;
}
