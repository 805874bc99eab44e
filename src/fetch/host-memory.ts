/** What is stored about a host: who asks it now, when its next turn is, how long it wants to be left alone, and how long it is asked only over https. */
export type HostMark = 'busy' | 'turn' | 'pause' | 'https';

export interface TurnClaim {
  readonly nowMs: number;
  /** When others may take the turn if it is never given back: its holder may have been killed. */
  readonly busyUntilMs: number;
}

/** What blocks a claim: both are 0 if the turn was taken. */
export interface TurnAnswer {
  readonly busyUntilMs: number;
  readonly turnAtMs: number;
}

/** A stored mark of a host. */
export interface KeptMark {
  readonly mark: HostMark;
  readonly host: string;
  readonly untilMs: number;
}

/**
 * Times (epoch milliseconds) that limit how hosts are asked.
 *
 * Several processes may share one memory. Each method is atomic, and its writes are visible to all once it resolves. Every implementation passes
 * `describeHostMemory()` in host-memory.contract.ts.
 */
export interface HostMemory extends AsyncDisposable {
  /** Until when the mark holds; 0 if unknown. */
  until(mark: HostMark, host: string): Promise<number>;
  /** Moves the mark to this time, never to an earlier one. */
  extend(mark: HostMark, host: string, untilMs: number): Promise<void>;
  forget(mark: HostMark, host: string): Promise<void>;
  /** Every host with this mark, including expired ones. */
  marked(mark: HostMark): Promise<readonly KeptMark[]>;
  /** Takes the turn of a host if it is free and its time has come. */
  claimTurn(host: string, claim: TurnClaim): Promise<TurnAnswer>;
  /** Gives the turn back: the next one begins no earlier than `turnAtMs`. */
  endTurn(host: string, turnAtMs: number): Promise<void>;
}

/** The longest pause between two pages: a later mark comes from a wrong clock and is ignored. */
export const LONGEST_TURN_PAUSE_MS = 2 * 3600_000;

/** The answer of a memory to a claim. */
export function answerClaim(busyUntilMs: number, turnAtMs: number, nowMs: number): TurnAnswer {
  const isAhead = (moment: number) => moment > nowMs && moment <= nowMs + LONGEST_TURN_PAUSE_MS;
  return { busyUntilMs: isAhead(busyUntilMs) ? busyUntilMs : 0, turnAtMs: isAhead(turnAtMs) ? turnAtMs : 0 };
}
