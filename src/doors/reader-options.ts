import type { ReaderEvent } from '../dialects/agent-feed/read/reader-event.ts';
import type { HttpOptions } from './open-http.ts';

/** The options of a reader of agent-feeds. */
export interface ReaderOptions extends Omit<HttpOptions, 'cacheDir' | 'cooldownMs'> {
  /** An SQLite file that remembers what was read and which origins are trusted. Without it, that is lost when the reader ends. */
  readonly state?: string;
  /** How long to wait for a state that another reader uses. Default: 5 s. */
  readonly lockWaitMs?: number;
  /** Answer from the state only, even while another reader uses it. Makes no requests and records nothing. */
  readonly readOnly?: boolean;
  /** Follow a migration to another registrable domain too. */
  readonly followMigration?: boolean;
  /** Accept keys of 34 bytes that begin with the multicodec prefix `ed01`, which the draft does not allow. */
  readonly acceptMulticodecKeys?: boolean;
  /** Allow plain http, for hosts on this machine only: for tests. */
  readonly insecure?: boolean;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly onEvent?: (event: ReaderEvent) => void;
}
