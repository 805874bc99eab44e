import type { SourceLine } from '../sources/source-line.ts';

/** Somebody's request and what came of it, for the operator. */
export interface RequestFacts {
  readonly time: string;
  readonly url: string;
  readonly client: string;
  readonly source?: string;
  readonly reason?: string;
}

export interface FollowFacts {
  /** Whether anyone may ask. */
  readonly isOpen: boolean;
  readonly everyMinutes: number;
  /** Per client and day. */
  readonly perClient: number;
  /** How many more are considered today. */
  readonly leftToday: number;
  /** The number of requested sources, and its limit. */
  readonly followed: number;
  readonly most: number;
  /** The last requested sources. */
  readonly sources: readonly SourceLine[];
  /** For people who manage sources. */
  readonly requests?: readonly RequestFacts[];
}
