/** A source that one process may visit, until its lease ends. */
export interface HeldSource {
  readonly id: string;
  /** Higher with every claim: what is written under an older one is refused. */
  readonly token: number;
}

export interface ClaimedSource extends HeldSource {
  /** Of the last write to it: who visits it has that first. */
  readonly rev: number;
  /** How long it was due. */
  readonly lateMs: number;
}

export interface ClaimWish {
  /** Who wants them. */
  readonly holder: string;
  readonly most: number;
  readonly leaseMs: number;
  /** How far it has come: it can begin at once with sources that were not written behind that. */
  readonly rev: number;
}

/**
 * Which process visits which source: one at a time, of a host one at a time, over all processes. Moments are those of the database.
 *
 * What is thrown (LogUnavailableError) leaves everything as it was, or does what was asked: a lease that nobody renews ends by itself.
 */
export interface SourceLeases {
  /** Those that are due and that nobody visits: those that can begin at once or have waited for seconds, then others, the longest waiting first. */
  claim(wish: ClaimWish): Promise<readonly ClaimedSource[]>;
  /** So long from now. Gives the ids of those that somebody else has, or that are there no more. */
  renew(held: readonly HeldSource[], leaseMs: number): Promise<readonly string[]>;
  /** Somebody else may visit it, after so long; at once where that is not said. What is somebody else's by now is left alone. */
  release(held: HeldSource, afterMs?: number): Promise<void>;
  /** There may be news: where it is due later, it is due so long from now. */
  hasten(id: string, afterMs: number): Promise<void>;
}
