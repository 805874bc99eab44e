import type { HttpClient } from '../../../fetch/http-client.ts';
import type { ReaderState } from './reader-state.ts';

/** What a reader is made of. Who opened the parts closes them. */
export interface ReaderParts {
  readonly http: HttpClient;
  readonly state: ReaderState;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** How many this process may use. With one alone, threads would only cost. Unless said otherwise there are several. */
  readonly cores?: number;
  readonly policy?: ReaderPolicy;
  /** Tells at every reading of a feed all that is wrong with it, not once a day: how a source stands is about now. */
  readonly tellsAgain?: boolean;
  /**
   * False where the agent card is not to be asked for. Nothing of it is used, and a host that asks for a pause on it would be left
   * alone whole, its feed too.
   */
  readonly readsCard?: boolean;
  /** `http` remembers, over restarts, what hosts asked for. Then it alone keeps us from them, and an operator can end that there. */
  readonly remembersPauses?: boolean;
}

export interface ReaderPolicy {
  /** Follow a migration to another registrable domain too. */
  readonly followMigration?: boolean;
  /** Read keys that carry the multicodec header `ed01` before their 32 bytes. */
  readonly acceptMulticodecKeys?: boolean;
  /** Read plain http from a literal loopback host. No other host is ever read without TLS. */
  readonly insecureLoopback?: boolean;
  /** Apply nothing of a feed that has neither a key nor an entry in common with what is known of it. */
  readonly stopsForOtherOwner?: boolean;
}
