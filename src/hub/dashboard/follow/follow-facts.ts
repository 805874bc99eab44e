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
  /** Of one client, in a day. */
  readonly perClient: number;
  /** So many more are looked at today. */
  readonly leftToday: number;
  /** Sources that were asked for, and how many there may be. */
  readonly followed: number;
  readonly most: number;
  /** Those that were asked for last. */
  readonly sources: readonly SourceLine[];
  /** For who steers the sources. */
  readonly requests?: readonly RequestFacts[];
}
