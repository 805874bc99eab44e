/** What is remembered of a host: when its next turn is, until when it wants peace, until when it is asked over https only. */
export type HostMark = 'turn' | 'pause' | 'https';

/**
 * Moments (epoch milliseconds) that bind how hosts are asked.
 *
 * Several processes may share one memory; each method is atomic, and what it wrote is seen by all once it resolves.
 * Every implementation passes `describeHostMemory()` in host-memory.contract.ts.
 */
export interface HostMemory extends AsyncDisposable {
  /** Until when the mark holds; 0 when nothing is known. */
  until(mark: HostMark, host: string): Promise<number>;
  /** Sets the mark no earlier than it is. */
  extend(mark: HostMark, host: string, untilMs: number): Promise<void>;
  forget(mark: HostMark, host: string): Promise<void>;
  /** Takes the next free turn: returns when it begins, and moves the mark `gapMs` behind that. */
  takeTurn(host: string, turn: { readonly nowMs: number; readonly gapMs: number }): Promise<number>;
}

/**
 * When a turn begins. A mark that lies further ahead than any queue is long comes from a clock that was wrong, and is passed over.
 */
export function turnStart(markMs: number, nowMs: number): number {
  return markMs > nowMs + MAX_QUEUE_MS ? nowMs : Math.max(markMs, nowMs);
}

const MAX_QUEUE_MS = 2 * 3600_000;
