import type { LaneTask } from './host-lanes.ts';

/** How a visit ended, for the plan. */
export type VisitEnd =
  /** Its check is passed on to be stored, and says when the source is due next. */
  | { readonly is: 'checked' }
  /** There is nothing to store: it is tried again after this delay. */
  | { readonly is: 'put-off'; readonly delayMs: number };

/** What a plan may do with sources. */
export interface PlannedVisits {
  /** Never rejects. The source is not planned again by itself. */
  run(id: string): Promise<VisitEnd>;
  /** Asks a running visit to end: what it finds does not count any more. */
  abandon(id: string): void;
  /** Sources are visited this much later than they are due. */
  onLate(lagMs: number): void;
}

/** Has sources visited when they are due, by this process or another one. There is one visit per source at a time. */
export interface VisitPlan {
  /** Replaces what was planned for it before. */
  plan(task: LaneTask, delayMs: number): void;
  /** The same for a source that is due later and may have news. */
  hasten(task: LaneTask, delayMs: number): void;
  /** A running visit continues. */
  forget(id: string): void;
  /** Starts nothing new. Resolves when nothing runs. */
  stop(): Promise<void>;
}
