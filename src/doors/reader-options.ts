import type { ReaderEvent } from '../dialects/agent-feed/read/reader-event.ts';
import type { HttpOptions } from './open-http.ts';

/** How a reader of agent-feeds works, as its user says. */
export interface ReaderOptions extends Omit<HttpOptions, 'cacheDir' | 'cooldownMs'> {
  /** An SQLite file that remembers what was read and who is trusted. Without it, that is gone when the reader is. */
  readonly state?: string;
  /** How long to wait for a state that another reader uses; 5 s unless said otherwise. */
  readonly lockWaitMs?: number;
  /** Answer from the state alone, also while another reader uses it. Nobody is asked, and nothing is recorded. */
  readonly readOnly?: boolean;
  /** Follow a migration to another registrable domain too. */
  readonly followMigration?: boolean;
  /** Take keys of 34 bytes that begin with the multicodec prefix `ed01`, which the draft does not allow. */
  readonly acceptMulticodecKeys?: boolean;
  /** Plain http, on hosts of this machine alone: for tests. */
  readonly insecure?: boolean;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly onEvent?: (event: ReaderEvent) => void;
}
