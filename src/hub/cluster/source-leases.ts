/** A source that one process may visit until its lease ends. */
export interface HeldSource {
  readonly id: string;
  /** Higher with every claim: writes under an older one are refused. */
  readonly token: number;
}

export interface ClaimedSource extends HeldSource {
  /** The `rev` of the last write to it, which must be applied before the visit. */
  readonly rev: number;
  /** How long it has been due. */
  readonly lateMs: number;
  /** Another source of its host is due, too: it can be claimed when this visit is over. */
  readonly hasNext: boolean;
}

export interface ClaimWish {
  /** The name of the claiming process. */
  readonly holder: string;
  readonly most: number;
  readonly leaseMs: number;
  /** How far the process has come: it can begin at once with sources that were not written after that. */
  readonly rev: number;
}

/**
 * Which process visits which source: one visit per source and one per host at a time, over all processes. Times are those of the database.
 *
 * A call that throws (LogUnavailableError) may or may not have taken effect: a lease that nobody renews ends by itself.
 */
export interface SourceLeases {
  /** Sources that are due and that nobody visits: first those that can begin at once or have waited for seconds, then the others, the longest waiting first. */
  claim(wish: ClaimWish): Promise<readonly ClaimedSource[]>;
  /** Extends the leases from now. Returns the ids of sources that another process has, or that no longer exist. */
  renew(held: readonly HeldSource[], leaseMs: number): Promise<readonly string[]>;
  /** Another process may visit it after `afterMs`; at once by default. Does nothing if another process has it by now. */
  release(held: HeldSource, afterMs?: number): Promise<void>;
  /** There may be news: if it is due later, it becomes due `afterMs` from now. */
  hasten(id: string, afterMs: number): Promise<void>;
}
