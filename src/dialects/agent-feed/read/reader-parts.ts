import type { HttpClient } from '../../../fetch/http-client.ts';
import type { ReaderState } from './reader-state.ts';

/** The parts of a reader. Whoever opened them closes them. */
export interface ReaderParts {
  readonly http: HttpClient;
  readonly state: ReaderState;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** How many cores this process may use; several by default. With a single core, threads would only cost time. */
  readonly cores?: number;
  readonly policy?: ReaderPolicy;
  /** Reports every problem at each reading of a feed, not once a day, because the status of a source is about now. */
  readonly tellsAgain?: boolean;
  /**
   * False if the agent card must not be requested. Nothing of it is used, and a host that asks for a pause there would be left
   * alone completely, its feed included.
   */
  readonly readsCard?: boolean;
  /**
   * `http` remembers across restarts which pauses hosts asked for. Then only `http` enforces them, and an operator can end them
   * there.
   */
  readonly remembersPauses?: boolean;
}

export interface ReaderPolicy {
  /** Follow a migration to another registrable domain too. */
  readonly followMigration?: boolean;
  /** Read keys that carry the multicodec header `ed01` before their 32 bytes. */
  readonly acceptMulticodecKeys?: boolean;
  /** Read plain http from a literal loopback host. No other host is ever read without TLS. */
  readonly insecureLoopback?: boolean;
  /** Applies nothing of a feed that shares neither a key nor an entry with what is known of it. */
  readonly stopsForOtherOwner?: boolean;
}
