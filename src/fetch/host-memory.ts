/**
 * What is remembered of a host: who asks it now, when its next turn is, until when it wants peace, until when it is asked
 * over https only.
 */
export type HostMark = 'busy' | 'turn' | 'pause' | 'https';

export interface TurnClaim {
  readonly nowMs: number;
  /** Until when others keep away if the turn is never given back: its holder may have been killed. */
  readonly busyUntilMs: number;
}

/** What stands against a claim: both 0 when the turn was taken. */
export interface TurnAnswer {
  readonly busyUntilMs: number;
  readonly turnAtMs: number;
}

/** A mark of a host as it is kept. */
export interface KeptMark {
  readonly mark: HostMark;
  readonly host: string;
  readonly untilMs: number;
}

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
  /** Every host that has this mark, also one that is over. */
  marked(mark: HostMark): Promise<readonly KeptMark[]>;
  /** Takes the turn of a host where nobody has it and its time has come. */
  claimTurn(host: string, claim: TurnClaim): Promise<TurnAnswer>;
  /** Gives it back: the next one begins no earlier than `turnAtMs`. */
  endTurn(host: string, turnAtMs: number): Promise<void>;
}

/** No pause between two pages is longer: a later mark comes from a clock that was wrong, and is passed over. */
export const LONGEST_TURN_PAUSE_MS = 2 * 3600_000;

/** What a memory answers, from what it knows. */
export function answerClaim(busyUntilMs: number, turnAtMs: number, nowMs: number): TurnAnswer {
  const isAhead = (moment: number) => moment > nowMs && moment <= nowMs + LONGEST_TURN_PAUSE_MS;
  return { busyUntilMs: isAhead(busyUntilMs) ? busyUntilMs : 0, turnAtMs: isAhead(turnAtMs) ? turnAtMs : 0 };
}
