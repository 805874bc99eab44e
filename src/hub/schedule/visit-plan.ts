import type { LaneTask } from './host-lanes.ts';

/** How a visit ended, for who planned it. */
export type VisitEnd =
  /** Its check is handed on to be written down, and says when the source is due next. */
  | { readonly is: 'checked' }
  /** There is nothing to write down: it is tried again so long from now. */
  | { readonly is: 'put-off'; readonly delayMs: number };

/** What a plan may do with sources. */
export interface PlannedVisits {
  /** Never rejects. The source is not planned again by itself. */
  run(id: string): Promise<VisitEnd>;
  /** Asks the visit to end, where there is one: what it finds does not count any more. */
  abandon(id: string): void;
  /** Sources are visited this much later than they are due. */
  onLate(lagMs: number): void;
}

/** Has sources visited when they are due, by this process or another one. Of a source there is one visit at a time. */
export interface VisitPlan {
  /** In place of what was planned for it before. */
  plan(task: LaneTask, delayMs: number): void;
  /** The same for one that is due later: there may be news. */
  hasten(task: LaneTask, delayMs: number): void;
  /** A visit that runs goes on. */
  forget(id: string): void;
  /** Starts nothing any more. Resolves when nothing runs. */
  stop(): Promise<void>;
}
